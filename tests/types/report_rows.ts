/**
 * Compile-only: `deno check` reads this file, nothing runs it. Each `@ts-expect-error` fails the check when the line
 * below it compiles after all.
 */
import type { ReportPresetName, ReportRow, RunOptions, TimeUnit } from "@platform/ads/reports";
import type { ProfileClient } from "../../mod.ts";

declare const us: ProfileClient;
declare const anyPreset: ReportPresetName;
declare const anyName: string;
declare const anyOptions: RunOptions;
declare const anyUnit: TimeUnit;
const DAYS = ["2026-10-01", "2026-10-07"] as const;

/** Compiles where both types are the same. */
function isSame<A, B>(_same: [A] extends [B] ? [B] extends [A] ? true : false : false): void {}

/** Lines that must compile. */
export async function accepted(): Promise<void> {
  const rows = await us.reports.run("sp_targeting", ...DAYS);
  type Row = typeof rows[number];
  isSame<Row["date"], string>(true);
  isSame<Row["keywordId"], string | null>(true);
  isSame<Row["keywordBid"], number | null>(true);
  const untyped: ReportRow[] = rows;
  for await (const { cost, searchTerm } of us.reports.stream("sp_search_terms", ...DAYS, { check: false })) {
    isSame<typeof cost, number | null>(true);
    isSame<typeof searchTerm, string | null>(true);
  }

  const totals = await us.reports.run("sd_targeting", ...DAYS, {
    columns: ["targetingId", "clicks"],
    timeUnit: "SUMMARY",
  });
  isSame<keyof typeof totals[number], "targetingId" | "clicks" | "startDate" | "endDate">(true);

  // Where the compiler cannot know the columns, rows are as of any report.
  const unknown = await Promise.all([
    us.reports.run(anyName, ...DAYS),
    us.reports.run(anyPreset, ...DAYS),
    us.reports.run("sp-targeting", ...DAYS),
    us.reports.run("sp_targeting", ...DAYS, anyOptions),
    us.reports.run("sp_targeting", ...DAYS, { reporting: 1 }),
  ]);
  await us.reports.run("brands-targeting", ...DAYS);
  await us.reports.run(`sp_${anyName}`, ...DAYS);
  isSame<typeof unknown, [ReportRow[], ReportRow[], ReportRow[], ReportRow[], ReportRow[]]>(true);
  const [byUnit] = await us.reports.run("sp_targeting", ...DAYS, { timeUnit: anyUnit });
  // @ts-expect-error a day or a range
  byUnit!.date;
  console.log(untyped);
}

/** Lines that must not compile. */
export async function refused(): Promise<void> {
  // @ts-expect-error a report that there is not
  await us.reports.run("spCampaign", ...DAYS);
  // @ts-expect-error a misspelt report
  us.reports.stream("search-trems", ...DAYS);
  const [row] = await us.reports.run("sp_targeting", ...DAYS);
  // @ts-expect-error a number may be missing
  const cost: number = row!.cost;
  // @ts-expect-error an id is a text
  const keywordId: number | null = row!.keywordId;
  // @ts-expect-error a column that the preset lacks
  row!.searchTerm;
  const [total] = await us.reports.run("sp_targeting", ...DAYS, { timeUnit: "SUMMARY" });
  // @ts-expect-error totals have no day
  total!.date;
  const [few] = await us.reports.run("sp_targeting", ...DAYS, { columns: ["clicks"] });
  // @ts-expect-error a column that was not asked for
  few!.cost;
  // @ts-expect-error no such time unit
  await us.reports.run("sp_targeting", ...DAYS, { timeUnit: "WEEKLY" });
  console.log(cost, keywordId);
}
