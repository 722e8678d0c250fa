/**
 * Makes `docs/settings.md` and `docs/errors.md` from the sources: the lists of variables and the doc comments.
 *
 *     deno run -A scripts/generate_reference.ts [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bringUpToDate } from "./catalog/generated_file.ts";
import { errorsPage } from "./reference/errors_page.ts";
import { formatted } from "./reference/formatted.ts";
import { settingsPage } from "./reference/settings_page.ts";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const page = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
const files = [
  { path: page("settings.md"), text: await formatted(await settingsPage()) },
  { path: page("errors.md"), text: await formatted(await errorsPage()) },
];
const different = await bringUpToDate(files, { check, log: console.log });
if (check && different > 0) Deno.exitCode = 1;
