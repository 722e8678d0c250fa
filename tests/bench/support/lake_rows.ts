import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import type { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import type { ParseFigures } from "./parse_process.ts";

const DAYS = 3;
const BATCH = 1000;
/** V8 leaves garbage as long as there is room: with little room, the peak is what is held. */
const FLAGS = "--v8-flags=--max-semi-space-size=2,--max-old-space-size=128";

/** Stores so many placements of one profile, all in three days. */
export async function storePlacements(store: Warehouse, count: number, month = "2026-09-"): Promise<void> {
  const day = (n: number): string => `${month}0${n + 1}`;
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

/** Rows of a month in {@linkcode storePlacementsByMonth}. */
const MONTH = 250_000;

/** Stores so many placements of one profile, month after month. */
export async function storePlacementsByMonth(store: Warehouse, count: number): Promise<void> {
  for (let from = 0; from < count; from += MONTH) {
    const month = new Date(Date.UTC(2015, from / MONTH, 1)).toISOString().slice(0, 8);
    await storePlacements(store, Math.min(MONTH, count - from), month);
  }
}

/** Publishes a store in a process of its own. */
export function published(store: string, folder: string): Promise<ParseFigures> {
  return inProcess("lake_process.ts", store, folder);
}

/** Copies the rows of a store in PostgreSQL to a CSV file, in a process of its own. */
export function copied(store: string, file: string): Promise<ParseFigures> {
  return inProcess("copy_process.ts", store, file);
}

async function inProcess(name: string, store: string, target: string): Promise<ParseFigures> {
  const script = new URL(name, import.meta.url).href;
  const args = ["run", "-A", "-q", "--no-check", FLAGS, script, store, target];
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).slice(-2000));
  return JSON.parse(new TextDecoder().decode(stdout));
}
