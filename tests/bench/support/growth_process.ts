/**
 * Does one piece of work of a given size in a process of its own, and prints the processor's time and the most memory
 * that it took above an idle process.
 *
 *     deno run -A growth_process.ts entities 100000 http://127.0.0.1:PORT
 *     deno run -A growth_process.ts profiles 100 FOLDER
 *
 * @module
 */
import process from "node:process";
import { PlatformAds } from "../../../mod.ts";
import { peakMemory } from "./peak_memory.ts";

/** What a piece of work took. */
export interface GrowthFigures {
  /** Milliseconds of the processor, all threads together. */
  readonly cpuMs: number;
  /** Megabytes above idle at the peak. */
  readonly peakMb: number;
}

const DAYS = { start: "2026-09-01", end: "2026-09-30" };
const ROWS_A_DAY = 10;

/** Lists so many keywords. */
async function entities(count: number, url: string): Promise<void> {
  const ads = new PlatformAds({ clientId: "id", clientSecret: "secret", refreshToken: "token" }, {
    platform: {
      regions: { NA: { baseUrl: url } },
      tokenUrl: `${url}/token`,
      headers: { clientId: "Client-Id", scope: "Scope", requestId: "x-request-id" },
      wireWord: "platform",
    },
  });
  const found = await ads.profileFrom("1", "US").sp.keywords.list();
  if (found.length !== count) throw new RangeError(`Listed ${found.length} keywords`);
}

/** Syncs three reports of a month for so many profiles. */
async function profiles(count: number, folder: string): Promise<void> {
  const { Warehouse } = await import("../../../src/store/mod.ts");
  const { ReportHost } = await import("../../support/report_host.ts");
  const host = new ReportHost();
  // Time stands still: every report is done at the first look.
  const { now } = host;
  Object.defineProperty(host, "now", { get: () => now, set: () => {} });
  host.states = ["COMPLETED"];
  host.rows = ({ startDate, endDate }) => {
    const rows = [];
    for (let day = Date.parse(startDate); day <= Date.parse(endDate); day += 86_400_000) {
      const date = new Date(day).toISOString().slice(0, 10);
      for (let row = 0; row < ROWS_A_DAY; row++) {
        rows.push({ date, campaignId: String(row), clicks: 1, cost: 0.5 });
      }
    }
    return rows;
  };
  const clients = Array.from({ length: count }, (_, i) => host.client({ profileId: String(1000 + i) }));
  const store = await Warehouse.open(`${folder}/${count}.sqlite`);
  const reports = ["sp_placement", "sp_targeting", "sp_search_terms"];
  (await store.sync(clients, { reports, ...DAYS })).raiseForErrors();
  await store.close();
}

if (import.meta.main) {
  const [work, size, place] = Deno.args as [string, string, string];
  const idle = process.memoryUsage().rss;
  const before = process.cpuUsage();
  await (work === "entities" ? entities : profiles)(Number(size), place);
  const { user, system } = process.cpuUsage(before);
  const figures: GrowthFigures = { cpuMs: (user + system) / 1000, peakMb: (peakMemory() - idle) / 1e6 };
  console.log(JSON.stringify(figures));
}
