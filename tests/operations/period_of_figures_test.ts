import { deepEqual } from "../support/assert.ts";
import { periodAsked } from "../../src/operations/reads/sum_figures.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("a period with a last day alone is of the 30 days that end there, without one until yesterday", async () => {
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"));
  const at = { store, now: Date.parse("2026-09-30T12:00:00Z"), markets: ["US"] };
  const period = async (input: object): Promise<string[]> => {
    const { start, end } = await periodAsked(at, { lag: 0, ...input });
    return [start, end];
  };
  deepEqual(await period({}), ["2026-08-31", "2026-09-29"]);
  deepEqual(await period({ end: "2026-08-20" }), ["2026-07-22", "2026-08-20"]);
  deepEqual(await period({ start: "2026-08-01", end: "2026-08-20" }), ["2026-08-01", "2026-08-20"]);
  deepEqual(await period({ days: 7, lag: 3 }), ["2026-09-20", "2026-09-26"]);
});
