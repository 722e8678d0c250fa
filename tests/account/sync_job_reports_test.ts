import { jobReportsNamed } from "../../src/account/runs/job_reports.ts";
import {
  type JobReportOutcome,
  syncJobReports,
  type SyncJobReportsOptions,
} from "../../src/account/runs/sync_job_reports.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const DAY = 86_400;
const WEEKS = [["2026-09-14", "2026-09-20"], ["2026-09-21", "2026-09-27"]] as const;

/** A platform whose clock moves while jobs are waited for, and an empty store. */
async function world(): Promise<
  AsyncDisposable & {
    readonly at: Emulated;
    readonly store: Warehouse;
    advance(days: number): void;
    sync(words: string, options?: SyncJobReportsOptions): Promise<JobReportOutcome[]>;
    rows(sql: string): Promise<unknown[]>;
  }
> {
  const later = (seconds: number): void => {
    at.time.advance(seconds);
    at.emulator.advance(seconds);
  };
  const at: Emulated = await emulated({
    client: {
      sleep: (seconds) => {
        later(seconds);
        return Promise.resolve();
      },
    },
  });
  const folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: at.time.now });
  return {
    at,
    store,
    advance: (days) => later(days * DAY),
    sync: (words, options = {}) =>
      syncJobReports(store, [at.us], jobReportsNamed(words.split(",")), { start: "2026-09-14", ...options }),
    rows: async (sql) => (await store.query(sql)).rows.map((row) => Object.values(row)),
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    },
  };
}

const shown = (outcomes: readonly JobReportOutcome[]): unknown =>
  outcomes.map(({ report, start, end, state }) => [report, start, end, state]);

Deno.test("complete weeks are stored once, and queried by columns of their types", async () => {
  await using here = await world();
  const { at } = here;
  const words = "attribution-campaigns,brand-metrics,dsp";
  const options = { advertisers: ["590001"] };
  const first = await here.sync(words, options);
  const expected = ["attribution_campaigns", "brand_metrics", "dsp_campaigns"].flatMap((report) =>
    WEEKS.map((week) => [report, ...week, "stored"])
  );
  deepEqual(shown(first), expected);
  at.asked();
  const second = await here.sync(words, options);
  deepEqual(second.map(({ state }) => state), expected.map(() => "found"));
  deepEqual(at.asked(), []);
  deepEqual(
    await here.rows(
      "SELECT profile_id = '" + at.us.profileId +
        "', count(*), sum(click_throughs) > 0, min(date), max(date) " +
        "FROM attribution_campaigns GROUP BY 1",
    ),
    [[1, 28, 1, "2026-09-14", "2026-09-27"]],
  );
  deepEqual(
    await here.rows(
      "SELECT metrics_computation_date, count(*), avg(awareness_index) BETWEEN 0 AND 1 FROM brand_metrics GROUP BY 1",
    ),
    [["2026-09-19", 6, 1], ["2026-09-26", 6, 1]],
  );
  deepEqual(
    await here.rows(
      "SELECT advertiser_id, count(*), count(DISTINCT interval_start), sum(total_cost) > 0 FROM dsp_campaigns GROUP BY 1",
    ),
    [["590001", 84, 14, 1]],
  );
  ok(
    !at.emulator.requests().some(({ operation }) => operation?.startsWith("dsp-reports-v2:")),
    "the older version is only requested by its name",
  );
  deepEqual(
    shown(await here.sync("dsp-v2", options)),
    WEEKS.map((week) => ["dsp_campaigns_v2", ...week, "stored"]),
  );
  deepEqual((await here.sync("dsp-v2", options)).map(({ state }) => state), ["found", "found"]);
  deepEqual(
    await here.rows(
      "SELECT advertiser_id, count(*), count(DISTINCT interval_start) FROM dsp_campaigns_v2 GROUP BY 1",
    ),
    [["590001", 84, 14]],
  );
  deepEqual(await here.rows("SELECT count(*) FROM dsp_campaigns"), [[84]]);
});

Deno.test("a week is requested again after each restatement, and earlier figures stay in the history", async () => {
  await using here = await world();
  const options = { start: "2026-09-21", end: "2026-09-27" };
  const states: string[] = [];
  const sales: unknown[] = [];
  for (const days of [0, 1, 4, 1, 19, 1, 30]) {
    here.advance(days);
    for (const { state } of await here.sync("attribution-campaigns", options)) states.push(state);
    sales.push(
      ...(await here.rows("SELECT sum(attributed_purchases_14d) FROM attribution_campaigns")).flat() as [],
    );
  }
  deepEqual(states, ["stored", "found", "stored", "found", "found", "stored", "found"]);
  const [young = 0, , older = 0, , , last = 0, now] = sales as number[];
  ok(young < older && older < last, "purchases grow with each restatement");
  equal(now, last);
  const whole = await Array.fromAsync(
    here.at.us.pages<string>("platform-attribution:getAttributionTagsByCampaign", {
      startDate: "20260921",
      endDate: "20260927",
      groupBy: "CAMPAIGN",
    }),
  ) as { reports: Record<string, string>[] }[];
  const total = whole.flatMap(({ reports }) => reports).reduce(
    (sum, row) => sum + Number(row.attributedPurchases14d),
    0,
  );
  equal(last, total);
  deepEqual(
    await here.rows(
      "SELECT version, sum(attributed_purchases_14d) FROM attribution_campaigns_history GROUP BY version ORDER BY version",
    ),
    [[1, young], [2, older], [3, last]],
  );
});

Deno.test("a profile without a report says so once, and the rest goes on", async () => {
  await using here = await world();
  here.at.emulator.setFaults([
    {
      match: { operation: "brand-metrics:generateBrandMetricsReport" },
      effects: { response: { status: 403, body: { code: "403", details: "Profile is not eligible" } } },
    },
    {
      match: { operation: "platform-attribution:getAttributionTagsByCampaign" },
      effects: { response: { status: 400, body: { code: "400", details: "Profile is not authorized" } } },
    },
  ]);
  const outcomes = await here.sync("brand-metrics,attribution-products,dsp", {
    advertisers: ["590001", "bad"],
  });
  deepEqual(outcomes.map(({ report, advertiser, state }) => [report, advertiser, state]), [
    ["brand_metrics", undefined, "unavailable"],
    ["attribution_products", undefined, "unavailable"],
    ["dsp_campaigns", "590001", "stored"],
    ["dsp_campaigns", "590001", "stored"],
    ["dsp_campaigns", "bad", "unavailable"],
  ]);
  match(outcomes[0]?.error?.message ?? "", /not eligible/);
  here.at.emulator.setFaults([]);
  const both = await here.sync("dsp", { advertisers: ["590001", "590002"] });
  deepEqual(both.map(({ state }) => state), ["found", "found", "stored", "stored"]);
  deepEqual((await here.sync("brand-metrics")).map(({ state }) => state), ["stored", "stored"]);
});

Deno.test("a week that fails is requested by the next sync, and the other weeks are stored", async () => {
  await using here = await world();
  here.at.emulator.setFaults([{
    match: { operation: "platform-attribution:getAttributionTagsByCampaign" },
    effects: { response: { status: 422, body: { code: "422", details: "No" } } },
    times: 1,
  }]);
  deepEqual((await here.sync("attribution-campaigns")).map(({ state }) => state), ["failed", "stored"]);
  deepEqual((await here.sync("attribution-campaigns")).map(({ state }) => state), ["stored", "found"]);
});

Deno.test("advertisers of version 2 are checked before anything is requested, and belong to one profile", async () => {
  await using here = await world();
  const { at, store } = here;
  const second = jobReportsNamed(["dsp-v2"]);
  const ca = await at.ads.profile("CA");
  const requested = () =>
    at.emulator.requests().filter(({ operation }) => operation?.startsWith("dsp-reports-v2:")).length;
  at.asked();
  await rejects(
    syncJobReports(store, [at.us, ca], second, { advertisers: ["590001", "ENTITY1"], start: "2026-09-14" }),
    /^RangeError: Cannot sync dsp_campaigns_v2: .*digits, not "ENTITY1"; dsp_campaigns_v2: .*one profile, not to 2/,
  );
  await rejects(here.sync("attribution,dsp-v2", { advertisers: ["590001", "x"] }), /digits, not "x"/);
  deepEqual(at.asked(), []);
  await here.sync("dsp-v2", { advertisers: ["590001", "590001"], end: "2026-09-20" });
  equal(requested(), 2, "one request, and one for its status");
});

Deno.test("weeks that the platform no longer keeps are not requested, and bad input is refused at once", async () => {
  await using here = await world();
  here.at.asked();
  await rejects(here.sync("dsp,attribution"), /dsp_campaigns: ids of DSP advertisers are missing/);
  await rejects(here.sync("attribution", { start: "2026-09-29" }), /there are no complete days/);
  deepEqual(await here.sync("attribution", { start: "2026-09-22" }), []);
  deepEqual(here.at.asked(), []);
  const [oldest] = await here.sync("attribution-products", { start: "2025-12-01" });
  equal(oldest?.start, "2026-07-06", "90 days are kept, from 2 July on");
});

Deno.test("profiles of another login are not added to a store of reports by mistake", async () => {
  await using here = await world();
  const { at, store } = here;
  await store.sync(at.us, {
    ...{ reports: ["sp_campaigns"], start: "2026-09-28", end: "2026-09-28", entities: false },
    ...{ first: 1, poll: 1, maxPoll: 1 },
  });
  const other: typeof at.us = Object.create(at.us, {
    profileId: { value: "999" },
    loginProfiles: { value: () => Promise.resolve([]) },
  });
  at.asked();
  const reports = jobReportsNamed(["attribution-campaigns"]);
  await rejects(syncJobReports(store, [other], reports), /Cannot add US 999 to store .*another account/);
  deepEqual(at.asked(), []);
});
