import { deepEqual, ok } from "../support/assert.ts";
import { pathToFileURL } from "node:url";
import { markdownFiles, MarkdownPage } from "../support/markdown.ts";
import { sourceFiles } from "../support/module_graph.ts";

/** A line that prints, and after it what it prints: whole, or up to a colon. */
const SHOWN = /^(console\.log\(.*\);) \/\/ (\{.*\}|[^:\n]+)(?:: .*)?$/gm;

interface Program {
  /** Where it stands. */
  readonly place: string;
  /** Its text. */
  readonly text: string;
}

Deno.test("what the pages and doc comments show as printed is what is printed", async () => {
  const programs = (await everyProgram()).filter(({ text }) => text.search(SHOWN) !== -1);
  const folder = await Deno.makeTempDir();
  const log = console.log;
  const wrong: string[] = [];
  let shown = 0;
  try {
    for (const [at, { place, text }] of programs.entries()) {
      let printed = "";
      console.log = (...values: unknown[]) => {
        printed = values.map((value) => typeof value === "string" ? value : Deno.inspect(value)).join(" ");
      };
      Object.assign(globalThis, {
        shows: (claim: string) => {
          shown++;
          if (printed.trimEnd() !== claim) wrong.push(`${place} prints "${printed}", and shows "${claim}"`);
        },
      });
      const path = `${folder}/${at}.ts`;
      const checked = text.replace(SHOWN, (_, line, claim) => `${line} shows(${JSON.stringify(claim)});`);
      await Deno.writeTextFile(path, checked);
      await import(pathToFileURL(path).href);
    }
  } finally {
    console.log = log;
    await Deno.remove(folder, { recursive: true });
  }
  deepEqual(wrong, []);
  ok(shown > 15, `${shown} lines show what they print`);
});

/** The programs of every page and of every doc comment. */
async function everyProgram(): Promise<Program[]> {
  const programs: Program[] = [];
  for (const path of await markdownFiles()) {
    const { blocks } = new MarkdownPage(await Deno.readTextFile(path));
    programs.push(...blocks.filter(({ info }) => info === "ts").map(({ text }) => ({ place: path, text })));
  }
  for (const path of await sourceFiles(["src", "catalog"])) {
    const text = await Deno.readTextFile(path);
    for (const [, code] of text.matchAll(/^ \* ```ts\n([\s\S]*?)^ \* ```$/gm)) {
      programs.push({ place: path, text: code!.replaceAll(/^ \* ?/gm, "") });
    }
  }
  return programs;
}
