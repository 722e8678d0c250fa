import { deepEqual } from "../support/assert.ts";
import { immatureNote } from "../../src/mcp/store/immature_note.ts";
import { Warehouse } from "../../src/store/warehouse.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const NOW = Date.parse("2026-09-03T12:00:00Z");

Deno.test("a result with young days says how much of their sales is still to come", async () => {
  const folder = await temporaryFolder();
  let now = NOW;
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: () => now });
  const stored = async (day: string, age: number, sales: number): Promise<void> => {
    now = Date.parse(`${day}T12:00:00Z`) + age * 86_400_000;
    const row = { date: day, campaignId: "1", sales14d: sales };
    const what = { profileId: "1", countryCode: "US", report: "sp_campaigns", start: day, end: day };
    await store.replace(what, [row]);
  };
  const note = async (...days: string[]): Promise<string[]> =>
    await immatureNote(days.map((date) => ({ date })), store, { now: NOW, asOf: undefined });
  try {
    await stored("2026-09-01", 1, 6);
    await stored("2026-08-25", 9, 6);
    deepEqual(await note("2026-09-01"), [
      "Days after 2026-08-20 are immature: orders are attributed for 14 days after a click, and figures are restated " +
      "for 42",
    ]);
    await stored("2026-07-01", 1, 60);
    await stored("2026-07-01", 9, 100);
    now = NOW;
    await store.judgeMaturity();
    deepEqual(await note("2026-09-01", "2026-08-25"), [
      "Immature: of the sales of these days so much is still to come, judged from the final days of this store: " +
      "2026-09-01 40 %",
    ]);
    deepEqual(await note("2026-08-25"), [], "nothing more is to come of a day at this age");
    deepEqual(await note("2026-07-01"), []);
  } finally {
    await store.close();
    await folder.remove();
  }
});
