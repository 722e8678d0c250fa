import { deepEqual, ok } from "../../support/assert.ts";
import { type CorpusCase, type Outcome, outcomeOf } from "./outcome_of.ts";

const FOLDER = new URL("../../fixtures/files/", import.meta.url);

interface Line extends CorpusCase {
  readonly outcome: Outcome;
}

async function lines(): Promise<Line[]> {
  const text = await Deno.readTextFile(new URL("outcomes.jsonl", FOLDER));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

Deno.test("every file of the corpus is understood as expected, or refused with its cell", async () => {
  const differing: unknown[] = [];
  for (const { outcome, ...one } of await lines()) {
    const found = await outcomeOf(await Deno.readFile(new URL(one.file, FOLDER)), one);
    if (JSON.stringify(found) !== JSON.stringify(outcome)) {
      differing.push({ file: one.file, as: one.as, found, expected: outcome });
    }
  }
  deepEqual(differing, []);
});

Deno.test("the corpus has no file without an outcome, and none that is neither understood nor refused in silence", async () => {
  const all = await lines();
  const named = new Set(all.map(({ file }) => file));
  const files = Array.from(Deno.readDirSync(FOLDER), ({ name }) => name).filter((name) =>
    name !== "outcomes.jsonl"
  );
  deepEqual(files.filter((name) => !named.has(name)), []);
  ok(files.length >= 120, String(files.length));
  const writers = ["_openpyxl.xlsx", "_libreoffice.xlsx", "_adsctl.xlsx"];
  for (const writer of writers) ok(files.filter((name) => name.endsWith(writer)).length >= 6, writer);
  // A sheet in which nobody wrote an operation asks for nothing; every other outcome says something.
  const silent = all.filter(({ outcome }) => Object.values(outcome).every((list) => list.length === 0));
  deepEqual(
    silent.map(({ file }) => file).filter((file) => !/operation|unknown_placement|lifetime/.test(file)),
    [],
  );
});
