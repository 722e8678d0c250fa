import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import type { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import type { ParseFigures } from "./parse_process.ts";

const DAYS = 3;
const BATCH = 1000;
/** V8 leaves garbage as long as there is room: with little room, the peak is what is held. */
const FLAGS = "--v8-flags=--max-semi-space-size=2,--max-old-space-size=128";

/** Stores so many placements of one profile, all in three days. */
export async function storePlacements(store: Warehouse, count: number): Promise<void> {
  const day = (n: number): string => `2026-09-0${n + 1}`;
  const what = { profileId: "1001", countryCode: "US", report: "sp_placement" } as const;
  function* batches(): Generator<ReportRow[]> {
    for (let from = 0; from < count; from += BATCH) {
      yield Array.from({ length: Math.min(BATCH, count - from) }, (_, at): ReportRow => {
        const n = from + at;
        return {
          date: day(n % DAYS),
          campaignId: String(1e14 + Math.floor(n / DAYS)),
          campaignName: `Campaign number ${n % 5000} of the season`,
          placementClassification: "Top of Search on-Platform",
          impressions: n % 9000,
          clicks: n % 70,
          cost: (n % 5000) / 100,
          sales14d: (n % 7000) / 100,
        };
      });
    }
  }
  await store.replace({ ...what, start: day(0), end: day(DAYS - 1) }, batches());
}

/** Publishes a store in a process of its own. */
export async function published(store: string, folder: string): Promise<ParseFigures> {
  const script = new URL("lake_process.ts", import.meta.url).href;
  const args = ["run", "-A", "-q", "--no-check", FLAGS, script, store, folder];
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).slice(-2000));
  return JSON.parse(new TextDecoder().decode(stdout));
}
