import assert from "node:assert/strict";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import type { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { addDays, eachDay } from "../../src/base/time/calendar.ts";
import type { HostedReport } from "../support/report_host.ts";
import { type Ground, ONE, ranges, storeTests } from "./sync_ground.ts";

const storeTest = storeTests();
const WEEK = { ...ONE, start: "2026-09-01", end: "2026-09-07" };

/** So many rows a day, each of the same cost. */
function rowsADay(
  count: (day: string) => number,
  cost = 1,
): (report: Omit<HostedReport, "file">) => ReportRow[] {
  return ({ startDate: start, endDate: end }) =>
    [...eachDay({ start, end })].flatMap((date) =>
      Array.from({ length: count(date) }, (_, i) => ({ date, campaignId: String(i), cost }))
    );
}

async function perDay(store: Warehouse): Promise<Record<string, number>> {
  const { rows } = await store.query(
    "SELECT date, count(*) AS n FROM sp_placement GROUP BY date ORDER BY date",
  );
  return Object.fromEntries(rows.map(({ date, n }) => [String(date), Number(n)]));
}

/** A platform that gives days past its retention as if they had no rows. */
function forgetOldDays({ host }: Ground): void {
  const { rows } = host;
  host.rows = (report) => {
    const first = addDays(new Date(host.now).toISOString().slice(0, 10), -95);
    return rows(report).filter(({ date }) => String(date) >= first);
  };
}

storeTest("leaves days alone that the platform does not keep any more", async (ground) => {
  const { host, store } = ground;
  host.rows = rowsADay(() => 2);
  forgetOldDays(ground);
  await store.sync(host.client(), ONE);
  host.now += 90 * 86_400_000;
  await store.sync(host.client(), ONE);
  const before = await perDay(store);
  const days = (await store.coverage())[0]!.days;
  assert.equal(Object.keys(before).length, days);
  host.now += 86_400_000;
  const warnings: string[] = [];
  const result = await store.sync(host.client(), {
    ...ONE,
    start: "2026-06-28",
    onWarning: (warning) => warnings.push(warning),
  });
  assert(result.ok, result.summary());
  assert.match(warnings.join(), /days before 2026-09-26 are not requested/);
  assert.deepEqual(await perDay(store), { ...before, "2026-12-29": 2 });
});

storeTest("covers only days that the platform kept, however far back it was asked", async (ground) => {
  const { host, store } = ground;
  forgetOldDays(ground);
  await store.sync(host.client(), { ...ONE, start: "2025-10-01" });
  const [line] = await store.coverage();
  assert.deepEqual([line!.firstDay, line!.days, line!.rows], ["2026-06-27", 95, 95]);
});

storeTest("covers no day past the retention that a late report brings without rows", async (ground) => {
  const { host, store } = ground;
  host.states = ["PROCESSING"];
  await store.sync(host.client(), { ...ONE, timeout: 60, start: "2026-06-27", end: "2026-07-02" });
  host.now += 3 * 86_400_000;
  host.rows = rowsADay((day) => day < "2026-06-30" ? 0 : 1);
  const late = host.reports.splice(0)[0]!;
  host.states = ["COMPLETED"];
  // The same report, but made three days later.
  await host.client().reports.create("sp_placement", "2026-06-27", "2026-07-02");
  host.reports[0] = { ...host.reports[0]!, reportId: late.reportId };
  const result = await store.sync(host.client(), { ...ONE, end: "2026-07-02" });
  assert.deepEqual(result.outcomes.map(({ state, resumed }) => [state, resumed]), [["stored", true], [
    "stored",
    false,
  ]]);
  const [line] = await store.coverage();
  assert.deepEqual([line!.firstDay, line!.days], ["2026-06-30", 3]);
});

storeTest("holds back a completed report without a file for days that have rows", async ({ host, store }) => {
  assert((await store.sync(host.client(), WEEK)).ok);
  const before = await perDay(store);
  host.now += 86_400_000;
  host.intervene = ({ method, url }) => {
    if (method !== "GET" || !url.pathname.startsWith("/reporting/reports/")) return undefined;
    const { file: _, states: __, looks: ___, ...report } = host.reports.at(-1)!;
    return Response.json({
      ...report,
      status: "COMPLETED",
      url: null,
      createdAt: new Date(host.now).toISOString(),
    });
  };
  const range = { ...ONE, start: "2026-09-01", end: "2026-09-10" };
  const held = await store.sync(host.client(), range);
  assert.equal(held.ok, false);
  assert.deepEqual(held.outcomes.map(({ state, rows }) => [state, rows]), [["held", 0]]);
  assert.match(held.summary(), /Held back 10 days \(2026-09-01\.\.2026-09-10\).*the option acceptShrink/);
  assert.deepEqual(await perDay(store), before);
  assert.deepEqual((await store.coverage()).map(({ days }) => days), [7]);
  assert.deepEqual((await store.requests())[0]!.state, "held");

  host.now += 86_400_000;
  assert((await store.sync(host.client(), { ...range, acceptShrink: true })).ok);
  assert.deepEqual(await perDay(store), {});
  assert.deepEqual((await store.coverage()).map(({ days, rows }) => [days, rows]), [[10, 0]]);
});

storeTest("holds back the days alone that shrink, and asks for them again", async ({ host, store }) => {
  host.rows = rowsADay(() => 20);
  assert((await store.sync(host.client(), WEEK)).ok);
  host.now += 86_400_000;
  host.rows = rowsADay((day) => day === "2026-09-03" ? 9 : day === "2026-09-05" ? 0 : 21);
  const result = await store.sync(host.client(), WEEK);
  assert.deepEqual(result.outcomes.map(({ state, rows }) => [state, rows]), [["held", 5 * 21]]);
  assert.match(result.summary(), /Held back 2 days \(2026-09-03, 2026-09-05\)/);
  const kept = await perDay(store);
  assert.deepEqual(Object.values(kept), [21, 21, 20, 21, 20, 21, 21]);

  host.now += 86_400_000;
  host.reports.length = 0;
  host.rows = rowsADay(() => 22);
  assert((await store.sync(host.client(), { ...ONE, restateDays: 0, end: "2026-09-07" })).ok);
  const asked = ranges(host).filter((range) => range >= "2026-09-01").sort();
  assert.deepEqual(asked, [
    "2026-09-03..2026-09-03",
    "2026-09-05..2026-09-05",
    "2026-09-07..2026-09-07",
  ]);
  const perDayThen = Object.entries(await perDay(store)).filter(([day]) => day >= "2026-09-01");
  assert.deepEqual(perDayThen.map(([, rows]) => rows), [21, 21, 22, 21, 22, 21, 22]);
});

storeTest("holds back a report with far less cost", async ({ host, store }) => {
  host.rows = rowsADay(() => 20, 5);
  assert((await store.sync(host.client(), WEEK)).ok);
  host.now += 86_400_000;
  host.rows = rowsADay(() => 20, 2);
  const result = await store.sync(host.client(), WEEK);
  assert.deepEqual(result.outcomes.map(({ state }) => state), ["held"]);
  const { rows } = await store.query("SELECT sum(cost) AS cost FROM sp_placement");
  assert.equal(rows[0]!["cost"], 7 * 20 * 5);
});

storeTest("takes a restatement that takes back the only click of a young day", async ({ host, store }) => {
  host.rows = rowsADay(() => 1);
  const days = { ...ONE, start: "2026-09-20", end: "2026-09-29" };
  assert((await store.sync(host.client(), days)).ok);
  host.now += 86_400_000;
  host.rows = rowsADay((day) => day === "2026-09-28" ? 0 : 1);
  assert((await store.sync(host.client(), days)).ok);
  assert.equal(Object.keys(await perDay(store)).length, 9);
});

storeTest("stores the reports of a platform that takes two hours for each", async ({ host, store }) => {
  const creates = (): number => host.asked("POST").length;
  for (let night = 0; night < 7; night++) {
    for (const report of host.reports) report.states = ["COMPLETED"];
    host.states = ["PROCESSING"];
    await store.sync(host.client(), { ...ONE, timeout: 3600 });
    host.now += 86_400_000 - 3600_000;
  }
  const [line] = await store.coverage();
  assert(line !== undefined && line.days >= 94, `${line?.days} days`);
  const states = (await store.requests()).map(({ state }) => state);
  assert(!states.includes("dropped"), states.join());
  assert.equal(
    states.filter((state) => state === "stored").length,
    creates() - host.reports.filter(({ states }) => states[0] === "PROCESSING").length,
  );
});

storeTest("never puts the figures of an older report over newer ones", async ({ host, store }) => {
  host.rows = ({ startDate: start, endDate: end, createdAt }) =>
    [...eachDay({ start, end })].map((date) => ({ date, campaignId: "1", cost: createdAt / 3600_000 }));
  const costs = async (): Promise<Record<string, number>> => {
    const { rows } = await store.query("SELECT date, cost FROM sp_placement ORDER BY date");
    return Object.fromEntries(rows.map(({ date, cost }) => [String(date), Number(cost)]));
  };
  const stop = new AbortController();
  host.onWait = () => stop.abort(new Error("enough"));
  const all = { ...ONE, start: "2026-09-01", end: "2026-09-10" };
  await store.sync(host.client(), { ...all, signal: stop.signal });
  host.onWait = () => {};
  host.now += 3 * 3600_000;
  await store.sync(host.client(), { ...ONE, start: "2026-09-05", end: "2026-09-10" });
  const newer = await costs();
  assert.equal(Object.keys(newer).length, 6);
  host.now += 3600_000;
  const late = await store.sync(host.client(), all);
  assert(late.ok && late.outcomes[0]!.resumed, "the report that was asked for first comes last");
  assert.equal(late.rows, 4);
  const { "2026-09-01": older, ...rest } = await costs();
  assert(older! < newer["2026-09-05"]!);
  assert.deepEqual(rest, { ...rest, ...newer });
});
