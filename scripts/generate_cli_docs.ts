/**
 * Writes docs/cli.md from the commands themselves.
 *
 *     deno run -A scripts/generate_cli_docs.ts           write it
 *     deno run -A scripts/generate_cli_docs.ts --check   end with 1 when it differs
 */

import { cliReference } from "../src/cli/text/reference/cli_reference.ts";

const PATH = new URL("../docs/cli.md", import.meta.url);
const text = await cliReference();
if (Deno.args.includes("--check")) {
  const old = await Deno.readTextFile(PATH).catch(() => "");
  if (old !== text) {
    console.error("docs/cli.md differs from the commands: run deno run -A scripts/generate_cli_docs.ts");
    Deno.exit(1);
  }
} else {
  await Deno.writeTextFile(PATH, text);
  console.log(`Wrote ${PATH.pathname}`);
}
