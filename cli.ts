#!/usr/bin/env -S deno run -A
/**
 * The command line: `adsctl`.
 *
 * @module
 */

import { main } from "./src/interfaces/cli/main.ts";
import { runtime } from "./src/interfaces/cli/shell/io/runtime_io.ts";

const { args, io, exit } = await runtime();
exit(await main(args, io, { kill: () => exit(130) }));
