import { deepEqual, equal } from "../support/assert.ts";
import { markdownFiles } from "../support/markdown.ts";
import { sourceFiles } from "../support/module_graph.ts";
import { ODD_WORDS } from "./plain_words.ts";

interface Find {
  readonly place: string;
  readonly at: string;
}

async function oddLines(): Promise<Find[]> {
  const files = [
    ...(await sourceFiles(["src"])).filter((path) => path.endsWith(".ts")),
    ...await markdownFiles(),
  ];
  const found: Find[] = [];
  for (const path of files) {
    const lines = (await Deno.readTextFile(path)).split("\n");
    for (const [index, whole] of lines.entries()) {
      const line = path.endsWith(".ts") ? withoutComment(whole) : whole;
      for (const { pattern, use, except } of ODD_WORDS) {
        if (except?.test(path)) continue;
        const [word] = pattern.exec(line) ?? [];
        if (word !== undefined) {
          found.push({ place: placeOf(path), at: `${path}:${index + 1} "${word}": write ${use}` });
        }
      }
    }
  }
  return found;
}

/** A line of a source without its comment; style of comments is judged by people. */
function withoutComment(line: string): string {
  return line.replace(/^\s*(?:\/\/|\/?\*).*|\s\/\/ .*/, "");
}

function placeOf(path: string): string {
  return /^src\/[^/]+/.exec(path)?.[0] ?? (path.startsWith("docs/") ? "docs" : path);
}

Deno.test("names, messages and pages use plain words", async () => {
  deepEqual(await oddLines(), []);
});

Deno.test("comments are left out, and texts with slashes are not", () => {
  for (const comment of ["/** The twin. */", " * The twin.", "  // The twin."]) {
    equal(withoutComment(comment), "");
  }
  equal(withoutComment("const a = 1; // The twin."), "const a = 1;");
  const text = '  "https://a.example has a twin",';
  equal(withoutComment(text), text);
});

Deno.test("an odd word is found in a name, a message and a sentence", () => {
  for (
    const line of [
      "const MOST_ROWS = 5",
      "what came of the plan",
      "`There is ${names.join()}`",
      "class ResultShelf",
    ]
  ) {
    equal(ODD_WORDS.some(({ pattern }) => pattern.test(line)), true, line);
  }
  equal(ODD_WORDS.some(({ pattern }) => pattern.test("There is one plan. The result is a response")), false);
});
