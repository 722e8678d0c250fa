import { deepEqual, ok } from "../support/assert.ts";
import { renamedLine } from "../../src/interfaces/cli/shell/renamed_commands.ts";
import { markdownFiles } from "../support/markdown.ts";

/** Made from the commands themselves: a heading for each command, and its options under it. */
const REFERENCE = "docs/cli/";

const sections = new Map<string, string>();
const pages = (await markdownFiles()).filter((path) => path.startsWith(REFERENCE));
for (
  const part of (await Promise.all(pages.map((path) => Deno.readTextFile(path)))).join("\n").split(/^## /m)
) {
  const end = part.indexOf("\n");
  sections.set(part.slice(0, end).replace(/^adsctl /, ""), part.slice(end));
}
const everywhere = sections.get("Options of every command")!;
const commands = [...sections.keys()];

Deno.test("every command and option of adsctl that a page names is there", async () => {
  const wrong: string[] = [];
  let named = 0;
  for (const path of (await markdownFiles()).filter((path) => !path.startsWith(REFERENCE))) {
    const text = (await Deno.readTextFile(path)).replaceAll("\\\n", " ");
    // A line of a block, with or without its prompt, or a piece of code in a sentence.
    for (const [, inBlock, inSentence] of text.matchAll(/^(?:\$ )?adsctl ([a-z-].*)$|`adsctl ([^`]+)`/gm)) {
      const line = (inBlock ?? inSentence)!.replace(/\s#.*$/, "").replaceAll(/\s+/g, " ");
      named++;
      // Released versions had other names.
      const words = line.split(" ");
      const known = path === "CHANGELOG.md" ? renamedLine(words, 0)?.args ?? words : words;
      const problem = problemOf(known.filter((word) => word !== "").join(" "));
      if (problem !== undefined) wrong.push(`${path}: "adsctl ${line}": ${problem}`);
    }
  }
  ok(named > 50, `${named} were found`);
  deepEqual(wrong, []);
});

Deno.test("every option of adsctl that a message or a page of the console names is there", async () => {
  const wrong: string[] = [];
  let named = 0;
  for (const path of await sourceFiles("src")) {
    // A value that is put in stands for itself; what holds a text of its own is looked into.
    const text = (await Deno.readTextFile(path)).replace(/\$\{[^{}`]*\}/g, "X");
    for (
      const [, line = ""] of text.matchAll(/\badsctl ([a-z][a-z -]*?(?: --?[a-z-]+(?:[ =][\w.,:<>/-]+)?)+)/g)
    ) {
      named++;
      const problem = problemOf(line.trim());
      if (problem !== undefined) wrong.push(`${path}: "adsctl ${line}": ${problem}`);
    }
  }
  ok(named > 100, `${named} were found`);
  deepEqual(wrong, []);
});

Deno.test("a command or an option that is not there is noticed", () => {
  for (const line of ["plan redo x.json", "lst", "list keywords --markt US", "plan apply p.json --limit 3"]) {
    ok(problemOf(line) !== undefined, line);
  }
});

/** Source files below a folder, but for libraries of others and the help texts, which are generated. */
async function sourceFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "lib") found.push(...await sourceFiles(path));
    else if (/\.(ts|js)$/.test(name)) found.push(path);
  }
  return found;
}

function problemOf(line: string): string | undefined {
  // What stands behind a pipe is another program's.
  const words = line.replace(/ \|.*/s, "").split(" ");
  if (words[0] === "help" || words[0]!.startsWith("--")) return undefined;
  const bare = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const path = bare === -1 ? words : words.slice(0, bare);
  const command = path.map((_, at) => path.slice(0, at + 1).join(" ")).findLast((name) => sections.has(name));
  if (command === undefined) return "there is no such command";
  const next = path[command.split(" ").length];
  const isGroup = commands.some((other) => other.startsWith(`${command} `));
  // A group with options of its own takes a word too: adsctl report campaigns.
  const isCommand = sections.get(command)!.includes("| option |");
  if (isGroup && next !== undefined && !isCommand) return `"${command}" has no "${next}"`;
  const known = `${sections.get(command)!}${everywhere} --help`;
  const unknown = words.map((word) => /^--?[a-z][a-z-]*/.exec(word)?.[0]).find((option) =>
    option !== undefined && !new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(known)
  );
  return unknown === undefined ? undefined : `"${command}" has no option "${unknown}"`;
}
