import { deepEqual, equal } from "../support/assert.ts";
import { type DocComment, docComments, isDialect, repeatsName } from "../support/doc_comments.ts";
import { sourceFiles } from "../support/module_graph.ts";

async function commentsUnderSrc(): Promise<(DocComment & { readonly path: string })[]> {
  const paths = (await sourceFiles(["src"])).filter((path) => path.endsWith(".ts"));
  const sources = await Promise.all(paths.map((path) => Deno.readTextFile(path)));
  return paths.flatMap((path, at) => docComments(sources[at] ?? "").map((comment) => ({ ...comment, path })));
}

function placed({ path, line, name, text }: DocComment & { readonly path: string }): string {
  return `${path}:${line} ${name}: ${text}`;
}

Deno.test("a doc comment says more than the name that it stands before", async () => {
  deepEqual((await commentsUnderSrc()).filter((comment) => repeatsName(comment)).map(placed), []);
});

Deno.test("a doc comment begins with a noun phrase or a verb, and uses plain words", async () => {
  deepEqual((await commentsUnderSrc()).filter(isDialect).map(placed), []);
});

Deno.test("what only repeats a name is told from what says something", () => {
  const empty = [["Profile id.", "profileId"], ["The rows.", "rows"], ["Its ad groups.", "adGroups"], [
    "Lists.",
    "list",
  ]];
  for (const [text = "", name = ""] of empty) equal(repeatsName({ text, name }), true, text);
  const said = [["Seconds since the report was created.", "seconds"], ["Rows, at most 200.", "rows"]];
  for (const [text = "", name = ""] of said) equal(repeatsName({ text, name }), false, text);
  deepEqual(
    docComments(
      "/** Rows. */\nreadonly rows: Row[];\n/**\n * One\n * two.\n */\nexport function read(): void {}",
    ),
    [{ line: 1, text: "Rows.", name: "rows" }, { line: 3, text: "One\ntwo.", name: "read" }],
  );
});

Deno.test("a dialect is found at the beginning of a comment, and its words anywhere in it", () => {
  const plain = ["Number of rows.", "Rows that were found.", "Reads what is there."];
  for (
    const text of [
      "What it holds.",
      "How many there are.",
      "Rows, of\nwhich some wait.",
      "Rows nobody reads.",
    ]
  ) {
    equal(isDialect({ text }), true, text);
  }
  for (const text of plain) equal(isDialect({ text }), false, text);
});
