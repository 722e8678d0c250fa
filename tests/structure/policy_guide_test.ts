import { deepEqual, ok } from "../support/assert.ts";

const ROOT = new URL("../../", import.meta.url);

/** The text of every test below a folder. */
async function sourcesIn(folder: URL): Promise<string> {
  let text = "";
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) text += await sourcesIn(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) text += await Deno.readTextFile(new URL(name, folder));
  }
  return text;
}

Deno.test("each promise of a policy and each attempt to evade one names a test that is there", async () => {
  const guide = await Deno.readTextFile(new URL("tests/policy/README.md", ROOT));
  const tables = [...guide.matchAll(/\|.*\| Test +\|\n\|.*\n((?:\|.*\n)+)/g)].map(([, table = ""]) => table);
  const rows = tables.join("").trim().split("\n").map((row) =>
    row.split("|").slice(1, -1).map((cell) => cell.trim())
  );
  ok(rows.length > 90, `${rows.length} rows`);
  const attempts = rows.map(([attempt]) => attempt);
  deepEqual(attempts.filter((attempt, at) => attempts.indexOf(attempt) !== at), [], "each once");
  const sources = await sourcesIn(new URL("tests/", ROOT));
  // A name in the source of a test may be a template.
  const isThere = (test = ""): boolean =>
    test !== "" && [`"${test}`, `\`${test}`].some((name) => sources.includes(name));
  deepEqual(rows.filter((row) => !isThere(row.at(-1))).map(([attempt]) => attempt), []);
});
