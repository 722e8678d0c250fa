import { readFile } from "node:fs/promises";
import { catalog } from "../../src/platform/catalog/mod.ts";
import { type BenchLine, benchLine, median, milliseconds } from "./bench.ts";

const QUERIES = [
  "list negative keywords",
  "campaign",
  "budget usage",
  "create target",
  "invoice",
  "dsp",
  "nothing-like-it",
];
const ROUNDS = 40;

/** Measures loading the catalog against parsing its file, and searching it against a bare filter over its texts. */
export async function bench(): Promise<BenchLine[]> {
  const load = await milliseconds(() => catalog.apis());
  const parse = await milliseconds(async () =>
    JSON.parse(await readFile(new URL("../../catalog/operations.json", import.meta.url), "utf8"))
  );
  const texts = (await catalog.operations()).map(({ id, path, summary }) =>
    `${id} ${path} ${summary}`.toLowerCase()
  );
  const first = await milliseconds(() => catalog.search("campaign", { limit: Infinity }));
  const search: number[] = [];
  const filter: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of QUERIES) {
      search.push(await milliseconds(() => catalog.search(query)));
      const words = query.split(" ");
      filter.push(
        await milliseconds(() => texts.filter((text) => words.every((word) => text.includes(word)))),
      );
    }
  }
  return [
    benchLine("catalog load", load, { unit: "ms", baseline: parse }),
    benchLine("catalog first search, every match", first, { unit: "ms" }),
    benchLine("catalog search over all operations", median(search), { unit: "ms", baseline: median(filter) }),
    benchLine("catalog search over all operations, slowest", Math.max(...search), { unit: "ms" }),
  ];
}
