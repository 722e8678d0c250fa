import { deepEqual, equal } from "../support/assert.ts";
import { docComments, repeatsName } from "../support/doc_comments.ts";
import { sourceFiles } from "../support/module_graph.ts";

Deno.test("a doc comment says more than the name that it stands before", async () => {
  const found: string[] = [];
  for (const path of await sourceFiles(["src"])) {
    if (!path.endsWith(".ts")) continue;
    for (const comment of docComments(await Deno.readTextFile(path))) {
      if (repeatsName(comment)) found.push(`${path}:${comment.line} ${comment.name}: ${comment.text}`);
    }
  }
  deepEqual(found, []);
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
