import { Warehouse } from "../../src/store/mod.ts";
import { ReportHost } from "../support/report_host.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, milliseconds } from "./bench.ts";

const PROFILES = 50;
const REPORTS = ["sp_placement", "sp_targeting", "sp_search_terms"];
const DAYS = { start: "2026-09-01", end: "2026-09-30" };
const LATENCY = 200;
const BUILDING = 15_000;

/** Measures a sync of 50 profiles and 3 reports, each request 200 ms away, against one report by itself. */
export async function bench(): Promise<BenchLine[]> {
  const folder = await temporaryFolder();
  try {
    const alone = await timed(folder.file("one.sqlite"), { profiles: 1, reports: REPORTS.slice(0, 1) });
    const all = await timed(folder.file("all.sqlite"), { profiles: PROFILES, reports: REPORTS });
    return [
      benchLine("sync 50 profiles x 3 reports at 200 ms latency, against one report", all / 1000, {
        unit: "s",
        baseline: alone / 1000,
      }),
    ];
  } finally {
    await folder.remove();
  }
}

async function timed(
  place: string,
  { profiles, reports }: { profiles: number; reports: string[] },
): Promise<number> {
  const host = slowHost();
  const clients = Array.from({ length: profiles }, (_, i) => host.client({ profileId: String(1000 + i) }));
  const store = await Warehouse.open(place);
  const ms = await milliseconds(async () =>
    (await store.sync(clients, { reports, ...DAYS })).raiseForErrors()
  );
  await store.close();
  return ms;
}

/** A report service in real time, far away: every request takes 200 ms, every report 15 s. */
function slowHost(): ReportHost {
  const host = new ReportHost();
  const began = Date.now();
  const start = Date.parse("2026-10-01T20:00:00Z");
  Object.defineProperty(host, "now", { get: () => start + Date.now() - began, set: () => {} });
  host.onWait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
  host.states = ["PROCESSING", "COMPLETED"];
  host.intervene = async ({ url }) => {
    await new Promise((done) => setTimeout(done, LATENCY));
    const report = host.reports.find(({ reportId }) => url.pathname.includes(reportId));
    if (report !== undefined && host.now - report.createdAt < BUILDING) {
      report.states = ["PROCESSING", "COMPLETED"];
    } else if (report !== undefined) report.states = ["COMPLETED"];
    return undefined;
  };
  return host;
}
