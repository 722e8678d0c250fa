/**
 * Writes the pages of docs/cli from the commands themselves.
 *
 *     deno run -A scripts/generate_cli_docs.ts           write them
 *     deno run -A scripts/generate_cli_docs.ts --check   end with 1 when one of them differs
 */

import { cliReference } from "../src/interfaces/cli/cli_reference.ts";

const FOLDER = new URL("../docs/cli/", import.meta.url);
const pages = await cliReference();
const written = new Set([...await Array.fromAsync(Deno.readDir(FOLDER))].map(({ name }) => name));

if (Deno.args.includes("--check")) {
  const wrong = [...new Set([...Object.keys(pages), ...written])].filter((name) =>
    !written.has(name) || Deno.readTextFileSync(new URL(name, FOLDER)) !== pages[name]
  );
  if (wrong.length > 0) {
    console.error(`${wrong.map((name) => `docs/cli/${name}`).join(", ")} differ from the commands: run`);
    console.error("  deno run -A scripts/generate_cli_docs.ts");
    Deno.exit(1);
  }
} else {
  for (const name of written) if (pages[name] === undefined) await Deno.remove(new URL(name, FOLDER));
  for (const [name, text] of Object.entries(pages)) await Deno.writeTextFile(new URL(name, FOLDER), text);
  console.log(`Wrote ${Object.keys(pages).length} pages of docs/cli`);
}
