import { deepEqual, equal, ok } from "../support/assert.ts";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { long } from "../support/long.ts";
import { markdownFiles, MarkdownPage } from "../support/markdown.ts";
import { sourceFiles } from "../support/module_graph.ts";

/** A line that prints, and after it what it prints: whole, or up to a colon. */
const SHOWN = /^(console\.log\(.*\);) \/\/ (\{.*\}|[^:\n]+)(?:: .*)?$/gm;
const IN_COMMENT = /^ *\* ```ts\n([\s\S]*?)^ *\* ```$/gm;

interface Program {
  /** File and line. */
  readonly place: string;
  /** Its text. */
  readonly text: string;
}

// `deno test --doc` gives each program an isolate of its own, which loads and compiles the library once more.
const programs = await everyProgram();
let shown = 0;

Deno.test("every program compiles", () => {
  ok(programs.length > 200, `${programs.length} programs`);
  const problems = programs.flatMap(({ place, text }) => {
    const { diagnostics = [] } = ts.transpileModule(text, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
      reportDiagnostics: true,
    });
    return diagnostics.map(({ messageText }) =>
      `${place}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`
    );
  });
  deepEqual(problems, []);
});

for (const { place, text } of programs) {
  // The pages that are read first; the others run in the long lane.
  if (!/^(?:README|docs\/getting_started)\.md:/.test(place)) long();
  Deno.test(`the program of ${place} runs and prints what it shows`, async () => {
    const log = console.log;
    let printed = "";
    console.log = (...values: unknown[]) => {
      printed = values.map((value) => typeof value === "string" ? value : Deno.inspect(value)).join(" ");
    };
    Object.assign(globalThis, {
      shows: (claim: string) => {
        shown++;
        equal(printed.trimEnd(), claim);
      },
    });
    const path = await Deno.makeTempFile({ prefix: "platform-ads-program-", suffix: ".ts" });
    try {
      const checked = text.replace(SHOWN, (_, line, claim) => `${line} shows(${JSON.stringify(claim)});`);
      // A program is a module, as it is where a reader saves it.
      await Deno.writeTextFile(path, `${checked}\nexport {};\n`);
      await import(pathToFileURL(path).href);
    } finally {
      console.log = log;
      await Deno.remove(path);
    }
  });
}

long();
Deno.test("lines that show what they print are compared", () => {
  ok(shown > 15, `${shown} lines show what they print`);
});

/** The programs of every page and of every doc comment. */
async function everyProgram(): Promise<Program[]> {
  const programs: Program[] = [];
  for (const path of await markdownFiles()) {
    const { blocks } = new MarkdownPage(await Deno.readTextFile(path));
    for (const { info, line, text } of blocks) {
      if (info === "ts") programs.push({ place: `${path}:${line}`, text });
    }
  }
  for (const path of await sourceFiles(["src", "catalog", "scripts"])) {
    const source = await Deno.readTextFile(path);
    for (const { 1: code, index } of source.matchAll(IN_COMMENT)) {
      const line = source.slice(0, index).split("\n").length;
      programs.push({ place: `${path}:${line}`, text: code!.replaceAll(/^ *\* ?/gm, "") });
    }
  }
  return programs;
}
