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
import { settingsPage } from "./reference/settings_page.ts";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const page = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
const files = [
  { path: page("settings.md"), text: await formatted(await settingsPage()) },
  { path: page("errors.md"), text: await formatted(await errorsPage()) },
];
const different = await bringUpToDate(files, { check, log: console.log });
if (check && different > 0) Deno.exitCode = 1;

/** A page as `deno fmt` leaves it, so that the gate has nothing to say about it. */
async function formatted(text: string): Promise<string> {
  const deno = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "md", "-"],
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = deno.output();
  await new Blob([text]).stream().pipeTo(deno.stdin);
  const { success, stdout } = await output;
  if (!success) throw new Error("Cannot format a page");
  return new TextDecoder().decode(stdout);
}
