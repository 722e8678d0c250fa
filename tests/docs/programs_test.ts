import { deepEqual, equal, ok } from "../support/assert.ts";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { long } from "../support/long.ts";
import { nodeProgram } from "../support/node_program.ts";
import { packageOnNode } from "../support/package_on_node.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
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

/** Runs programs one after the other, prints those that fail with the reason, and last that all were run. */
const RUNS_ALL = `
  console.log = () => {};
  for (const path of JSON.parse(process.env.PROGRAMS)) {
    try {
      await import(path);
    } catch (error) {
      process.stdout.write(path.split("/").at(-1) + ": " + error.message.split("\\n")[0] + "\\n");
    }
  }
  process.stdout.write("all were run");
  process.exit();
`;

Deno.test("no program needs Deno", () => {
  deepEqual(programs.filter(({ text }) => /\bDeno\./.test(text)).map(({ place }) => place), []);
});

long();
Deno.test("every program runs on Node 24", async () => {
  const node = await nodeProgram("24");
  if (node === undefined) return;
  await using folder = await temporaryFolder();
  const places = new Map<string, string>();
  for (const [at, { place, text }] of programs.entries()) {
    places.set(`${at}.ts`, place);
    await Deno.writeTextFile(folder.file(`${at}.ts`), `${text}\nexport {};\n`);
  }
  await Deno.writeTextFile(folder.file("runs_all.mjs"), RUNS_ALL);
  const { args: own, env } = await packageOnNode(folder.path);
  const { stdout, stderr, success } = await new Deno.Command(node, {
    args: [...own, folder.file("runs_all.mjs")],
    env: {
      ...env,
      PROGRAMS: JSON.stringify([...places.keys()].map((file) => pathToFileURL(folder.file(file)).href)),
    },
  }).output();
  const text = new TextDecoder().decode(stdout);
  ok(success, text.slice(-2000) + new TextDecoder().decode(stderr).slice(-2000));
  const lines = text.split("\n").map((line) => line.replace(/^\d+\.ts/, (file) => places.get(file)!));
  deepEqual(lines, ["all were run"]);
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
