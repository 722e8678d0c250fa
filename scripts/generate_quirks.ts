/**
 * Makes `docs/quirks.md` from the notes in `src/platform/notes`.
 *
 *     deno run -A scripts/generate_quirks.ts [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type NoteGroup, NOTES } from "../src/platform/notes/notes.ts";
import { bringUpToDate } from "./catalog/generated_file.ts";

const PAGE = fileURLToPath(new URL("../docs/quirks.md", import.meta.url));

/** The page that shows the notes, with an anchor for each. */
export function quirksPage(groups: readonly NoteGroup[]): string {
  const lines = [
    "<!-- Made by scripts/generate_quirks.ts from src/platform/notes. Change the notes there, not this page. -->",
    "",
    "# Quirks of the platform",
    "",
    "Behaviour that the platform's documentation does not mention, and how this package handles it. Agents get the " +
    "same notes from the tool `api_notes`.",
    "",
    ...groups.map(({ id, title }) => `- [${title}](#${id})`),
  ];
  for (const group of groups) {
    lines.push("", `<a id="${group.id}"></a>`, "", `## ${group.title}`);
    for (const { id, title, text } of group.notes) {
      lines.push("", `<a id="${id}"></a>`, "", `### ${title}`, "", text);
    }
  }
  return lines.join("\n") + "\n";
}

/** Runs the script. Returns the exit code: 1 when a check finds a difference. */
export async function generateQuirks(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { check: { type: "boolean", default: false } } });
  const files = [{ path: PAGE, text: quirksPage(NOTES) }];
  const different = await bringUpToDate(files, { check: values.check, log });
  return values.check && different > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await generateQuirks(process.argv.slice(2), console.log);
