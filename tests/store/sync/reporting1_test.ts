import assert from "node:assert/strict";
import { test } from "node:test";
import { PlatformAds } from "../../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../../src/client/profile_client.ts";
import { Emulator } from "../../../src/emulator/mod.ts";
import { countDays } from "../../../src/base/time/calendar.ts";
import { figures } from "../../../src/store/figures/figures.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { long } from "../../support/long.ts";

interface World {
  readonly emulator: Emulator;
  readonly us: ProfileClient;
  /** Has half as much as `us`. */
  readonly ca: ProfileClient;
  readonly open: () => Promise<Warehouse>;
}

/** Adds a test over HTTP with an emulator whose clock is moved by every wait. */
function syncTest(what: string, run: (world: World) => Promise<void>): void {
  long();
  test(`sync by the new reports ${what}`, async () => {
    await using folder = await temporaryFolder();
    const emulator = await Emulator.start({ clock: { now: "2026-09-30T19:00:00Z", frozen: true } });
    const opened: Warehouse[] = [];
    try {
      const ads = new PlatformAds(emulator.credentials, {
        platform: emulator.platform,
        now: () => emulator.clock.now(),
        random: () => 0.5,
        sleep: (seconds) => Promise.resolve(emulator.advance(seconds)),
      });
      const open = async (): Promise<Warehouse> => {
        opened.push(await Warehouse.open(folder.file("ads.sqlite"), { now: () => emulator.clock.now() }));
        return opened.at(-1)!;
      };
      await run({ emulator, us: await ads.profile("US"), ca: await ads.profile("CA"), open });
    } finally {
      for (const store of opened) await store.close();
      await emulator.stop();
    }
  });
}

/** Days of the reports that were asked for by the new reports, in order. */
function asked(emulator: Emulator): { start: string; end: string }[] {
  return emulator.requests().filter(({ path }) => path.endsWith("/create/reports")).map(({ body }) => {
    const { reports } = JSON.parse(String(body)) as {
      reports: { periods: { datePeriod: { startDate: string; endDate: string } }[] }[];
    };
    const { startDate: start, endDate: end } = reports[0]!.periods[0]!.datePeriod;
    return { start, end };
  }).sort((a, b) => a.start < b.start ? -1 : 1);
}

/** Runs of days by the reporting API that they are stored from. */
async function provenance(store: Warehouse, report: string): Promise<unknown[]> {
  const { rows } = await store.query(
    `SELECT reporting, min(date) AS first, max(date) AS last, count(*) AS days FROM days WHERE report = ?
     GROUP BY reporting ORDER BY first`,
    [report],
  );
  return rows.map(({ reporting, first, last, days }) => [reporting, first, last, Number(days)]);
}

syncTest("reaches back 15 months, 120 days a report, and leaves days of version 3 to it", async (world) => {
  const store = await world.open();
  const own = { start: "2026-09-20", end: "2026-09-29" };
  await store.sync(world.ca, { reports: ["sp_ad_groups"], ...own });
  const warnings: string[] = [];
  const sync = () =>
    store.sync(world.ca, {
      reports: ["sp_ad_groups"],
      reporting: 1,
      onWarning: (text) => warnings.push(text),
    });
  const first = await sync();
  assert.equal(first.ok, true, first.summary());
  const ranges = asked(world.emulator);
  assert.deepEqual([ranges[0]!.start, ranges.at(-1)!.end], ["2025-07-01", "2026-09-19"]);
  assert.deepEqual(ranges.map(countDays), [120, 120, 120, 86]);
  assert.deepEqual(await provenance(store, "sp_ad_groups"), [
    [1, "2025-07-01", "2026-09-19", 446],
    [3, own.start, own.end, 10],
  ]);
  assert(warnings.some((text) => text.startsWith("sp_ad_groups: purchases1d, sales1d are empty")));
  const [line] = await store.coverage();
  assert.equal(line!.fromReporting1, 446);
  world.emulator.advance(86_400);
  await sync();
  const later = asked(world.emulator).filter((range) => !ranges.some(({ start }) => start === range.start));
  assert.deepEqual(later, [{ start: "2026-08-18", end: "2026-09-19" }, {
    start: "2026-09-30",
    end: "2026-09-30",
  }]);
});

syncTest("finds ids by stored keywords and targets, and keeps and counts the other rows", async (world) => {
  const store = await world.open();
  const days = { start: "2026-09-27", end: "2026-09-28" };
  const reports = ["sp_targeting", "sb_targeting"];
  await store.sync(world.us, { reports, ...days, entities: true });
  const read = async (report: string): Promise<unknown[]> =>
    (await store.query(
      `SELECT date, ad_group_id, keyword_id, clicks, cost FROM ${report} WHERE keyword_id <> '' ORDER BY 1, 2, 3, 4`,
      [],
      { maxRows: Infinity },
    )).rows.map((row) => Object.values(row));
  const before = await read("sp_targeting");
  const warnings: string[] = [];
  const result = await store.sync(world.us, {
    reports,
    reporting: 1,
    ...days,
    onWarning: (text) => warnings.push(text),
  });
  assert.equal(result.ok, true, result.summary());
  assert.deepEqual(await read("sp_targeting"), before);
  const [without] = result.outcomes.filter(({ unjoined }) => unjoined !== undefined);
  assert.equal(without!.report, "sb_targeting", "themes are no keywords and no targets");
  const { rows: [kept] } = await store.query(
    "SELECT count(*) AS n FROM sb_targeting WHERE targeting_id = ''",
  );
  assert.equal(Number(kept!["n"]), without!.unjoined);
  assert(
    warnings.some((text) =>
      text.startsWith(`US sb_targeting ${days.start} to ${days.end}: ${without!.unjoined} of`)
    ),
  );
});

syncTest("gives figures that version 3 gives, with purchases of 7 days", async (world) => {
  const range = { start: "2026-09-10", end: "2026-09-13" };
  const reports = ["sp_campaigns", "sp_targeting"];
  const store = await world.open();
  let said: string[] = [];
  const read = async (): Promise<readonly unknown[]> => {
    const { rows, notes } = await figures(store, {
      by: ["campaign", "day"],
      from: range.start,
      to: range.end,
    });
    said = notes.filter((note) => note.endsWith("days of new reports"));
    return rows.map(({ campaign_id, date, clicks, cost, impressions }) => [
      campaign_id,
      date,
      clicks,
      cost,
      impressions,
    ]);
  };
  await store.sync(world.us, { reports, reporting: 1, ...range });
  const one = await read();
  assert.deepEqual(said, ["Orders and sales of US count 7 days after a click on days of new reports"]);
  const { rows: [sales] } = await store.query(
    "SELECT sum(sales) AS sales, min(attribution_days) AS days FROM performance",
  );
  await store.sync(world.us, { reports, ...range });
  assert(one.length > 5);
  assert.deepEqual(await read(), one);
  assert.deepEqual(said, []);
  const { rows: [seven] } = await store.query("SELECT sum(sales_7d) AS sales FROM sp_targeting");
  assert.deepEqual([sales!["days"], sales!["sales"]], [7, seven!["sales"]]);
  assert.deepEqual(await provenance(store, "sp_targeting"), [[3, range.start, range.end, 4]]);
  const { rows: [moved] } = await store.query("SELECT count(reporting_since) AS n FROM days");
  assert.equal(Number(moved!["n"]), 8, "since when it is from the other");
  const restated = await store.restatements({ since: "2020-01-01T00:00:00Z", by: ["report"] });
  assert.deepEqual(restated, [], "a day that changes between the two was not restated");
});

syncTest("goes on with the reports of a sync that was cut short", async (world) => {
  const store = await world.open();
  const stop = new AbortController();
  const options = {
    reports: ["sp_campaigns"],
    reporting: 1,
    start: "2026-05-01",
    end: "2026-09-20",
  } as const;
  const cut = await store.sync(world.us, {
    ...options,
    signal: stop.signal,
    onProgress: ({ kind }) => kind === "waiting" && stop.abort(new Error("killed")),
  });
  assert.equal(cut.stopped, true);
  const before = asked(world.emulator).length;
  assert.equal(before, 2);
  const again = await store.sync(world.us, options);
  assert.equal(again.ok, true, again.summary());
  assert(again.outcomes.every(({ resumed }) => resumed));
  assert.equal(asked(world.emulator).length, before, "nothing is asked for twice");
  assert.deepEqual(await provenance(store, "sp_campaigns"), [[1, "2026-05-01", "2026-09-20", 143]]);
});

syncTest("asks anew for a report that the platform does not know any more", async (world) => {
  const store = await world.open();
  const options = {
    reports: ["sp_campaigns"],
    reporting: 1,
    start: "2026-09-01",
    end: "2026-09-20",
  } as const;
  const stop = new AbortController();
  await store.sync(world.us, {
    ...options,
    signal: stop.signal,
    onProgress: ({ kind }) => kind === "waiting" && stop.abort(new Error("killed")),
  });
  const { rows: [{ report_id: reportId } = {}] } = await store.query("SELECT report_id FROM report_requests");
  await world.us.request("POST", "/adsApi/v1/delete/reports", {
    json: { reportIds: [reportId] },
    scoped: false,
  });
  const again = await store.sync(world.us, options);
  assert.equal(again.ok, true, again.summary());
  assert.equal(asked(world.emulator).length, 2);
});

syncTest("holds back a completed report without rows where rows are stored", async (world) => {
  const store = await world.open();
  const options = {
    reports: ["sp_campaigns"],
    reporting: 1,
    start: "2026-09-01",
    end: "2026-09-20",
  } as const;
  const { rows } = await store.sync(world.us, options);
  world.emulator.setFaults([{
    match: { path: "/adsApi/v1/retrieve/reports" },
    effects: {
      response: {
        status: 207,
        body: {
          success: [{ index: 0, report: { reportId: "x", status: "COMPLETED", completedReportParts: [] } }],
          error: [],
        },
      },
    },
  }]);
  const empty = await store.sync(world.us, options);
  assert.deepEqual(empty.outcomes.map(({ state }) => state), ["held"]);
  const { rows: [stored] } = await store.query("SELECT count(*) AS n FROM sp_campaigns");
  assert.equal(Number(stored!["n"]), rows);
});

syncTest("says that a marketplace of an account without rows may have been left out", async (world) => {
  const store = await world.open();
  world.emulator.setQuirks({ reportingLeavesOut: "US" });
  const warnings: string[] = [];
  const result = await store.sync(world.us, {
    reports: ["sp_campaigns"],
    reporting: 1,
    start: "2026-08-01",
    end: "2026-09-28",
    hours: true,
    months: true,
    onWarning: (message) => void warnings.push(message),
  });
  assert.deepEqual(result.outcomes.map(({ rows }) => rows), [0, 0, 0], result.summary());
  const said = warnings.filter((message) => message.includes("No rows of US. New reports have been seen"));
  assert.deepEqual(said.map((message) => message.split(" ").slice(0, 2).join(" ")).sort(), [
    "US hours",
    "US months",
    "US sp_campaigns",
  ]);
  assert.deepEqual(
    await store.coverage(),
    [],
    "days that may have been left out are unknown, and not days without rows",
  );
});

syncTest("never puts older figures over newer ones", async (world) => {
  const store = await world.open();
  const days = { reports: ["sp_campaigns"], start: "2026-09-20", end: "2026-09-28" } as const;
  const stop = new AbortController();
  await store.sync(world.us, {
    ...days,
    reporting: 1,
    signal: stop.signal,
    onProgress: ({ kind }) => kind === "waiting" && stop.abort(new Error("killed")),
  });
  world.emulator.advance(3600);
  await store.sync(world.us, days);
  const late = await store.sync(world.us, { ...days, reporting: 1 });
  assert.equal(late.ok, true, late.summary());
  assert.deepEqual(await provenance(store, "sp_campaigns"), [[3, days.start, days.end, 9]]);
});

syncTest("refuses what the new reports do not answer before anything is sent", async (world) => {
  const store = await world.open();
  const before = world.emulator.requests().length;
  const options = { reports: ["sdCampaigns:matchedTarget"], reporting: 1 } as const;
  await assert.rejects(
    store.sync(world.us, options),
    /Cannot store sd_campaigns_by_matched_target from the new reports/,
  );
  await assert.rejects(store.sync(world.us, { reporting: 2 as 1 }), /reporting 2: it is 3 or 1/);
  assert.equal(world.emulator.requests().length, before);
});
