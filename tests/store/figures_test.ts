import { readdirSync, readlinkSync } from "node:fs";
import process from "node:process";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { test } from "node:test";
import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import type { Change } from "../../src/plans/model/change.ts";
import {
  type ChangedEntity,
  estimateOutcome,
  outcomeFigures,
  planOutcome,
} from "../../src/store/figures/plan_outcome.ts";
import { entityFigures } from "../../src/store/figures/entity_figures.ts";
import { entityTotals } from "../../src/store/figures/entity_totals.ts";
import { figuresFromStore, openFigures } from "../../src/store/figures/figures_from_store.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";

type FakeStore = Pick<Warehouse, "query" | "coverage">;
type Covered = Awaited<ReturnType<Warehouse["coverage"]>>[number];
type Row = Readonly<Record<string, unknown>>;

/** A store that covers some days of some reports and answers each query with the same rows. */
function storeOf(
  covered: readonly (Partial<Covered> & { report: string })[],
  rows: readonly Row[] = [],
): FakeStore & { readonly asked: string[] } {
  const asked: string[] = [];
  const lines = covered.map((line) => ({
    profileId: "1",
    firstDay: "2026-11-01",
    lastDay: "2026-11-30",
    gaps: [],
    ...line,
  }));
  return {
    asked,
    coverage: () => Promise.resolve(lines as unknown as Covered[]),
    query: (sql: string) => {
      asked.push(sql);
      return Promise.resolve({ rows }) as unknown as ReturnType<Warehouse["query"]>;
    },
  };
}

const RANGES = [{ start: "2026-11-10", end: "2026-11-16" }];
const SP = { kind: "sp.keywords", id: "9" };

/** Rows from the files of sellers count 7 days alone; the brackets are escaped for a pattern. */
const SALES = "coalesce\\(sales_14d, sales_7d\\)";

test("an entity without rows in stored days has sums of 0, and each kind is read from its report", async () => {
  const reports: Readonly<Record<string, readonly [report: string, id: string, sales: string]>> = {
    "sp.campaigns": ["sp_campaigns", "campaign_id", SALES],
    "sp.ad_groups": ["sp_ad_groups", "ad_group_id", SALES],
    "sp.keywords": ["sp_targeting", "keyword_id", SALES],
    "sp.targets": ["sp_targeting", "keyword_id", SALES],
    "sp.product_ads": ["sp_advertised_products", "ad_id", SALES],
    "sb.campaigns": ["sb_campaigns", "campaign_id", "sales"],
    "sb.keywords": ["sb_targeting", "keyword_id", "sales"],
    "sb.targets": ["sb_targeting", "targeting_id", "sales"],
    "sd.campaigns": ["sd_campaigns", "campaign_id", "sales"],
    "sd.ad_groups": ["sd_ad_groups", "ad_group_id", "sales"],
    "sd.product_ads": ["sd_advertised_products", "ad_id", "sales"],
    "sd.targets": ["sd_targeting", "targeting_id", "sales"],
  };
  for (const [kind, [report, id, sales]] of Object.entries(reports)) {
    const store = storeOf([{ report }], [{ id: "8", impressions0: 5 }]);
    const entities = [{ kind, id: "9" }, { kind: "portfolios", id: "9" }];
    const totals = await entityTotals(store, { profileId: "1", entities, ranges: RANGES });
    deepEqual([...totals], [[`${kind} 9`, [{ impressions: 0, clicks: 0, cost: 0, sales: 0, orders: 0 }]]]);
    const [sql = ""] = store.asked;
    match(sql, new RegExp(`^SELECT "${id}" AS id, .* THEN ${sales} ELSE 0 END\\) AS "sales0"`));
    match(
      sql,
      new RegExp(`FROM ${report} WHERE profile_id = '1' AND date BETWEEN '2026-11-10' AND '2026-11-16'`),
    );
  }
});

test("keywords and targets of one report are read at once, each range under its own name", async () => {
  const row = { clicks0: 1, clicks1: "2", cost0: "0.5", sales0: null };
  const store = storeOf([{ report: "sp_targeting" }], [{ id: 9, ...row }]);
  const ranges = [...RANGES, { start: "2026-11-03", end: "2026-11-09" }];
  const entities = [SP, { kind: "sp.targets", id: "9" }];
  const totals = await entityTotals(store, { profileId: "1", entities, ranges });
  equal(store.asked.length, 1);
  match(store.asked[0] ?? "", /BETWEEN '2026-11-03' AND '2026-11-16' GROUP BY/);
  const [first, second] = totals.get("sp.targets 9") ?? [];
  deepEqual([first?.clicks, first?.cost, first?.sales, second?.clicks], [1, 0.5, 0, 2]);
});

test("kinds whose ids are in different columns of one report are read each by its own", async () => {
  const store = storeOf([{ report: "sb_targeting" }], [{ id: "9", clicks0: 3 }]);
  const entities = [{ kind: "sb.keywords", id: "8" }, { kind: "sb.targets", id: "9" }];
  const totals = await entityTotals(store, { profileId: "1", entities, ranges: RANGES });
  deepEqual(store.asked.map((sql) => /^SELECT "(\w+)" AS id, .* GROUP BY "(\w+)"$/.exec(sql)?.slice(1)), [
    ["keyword_id", "keyword_id"],
    ["targeting_id", "targeting_id"],
  ]);
  deepEqual([...totals.keys()], ["sb.keywords 8", "sb.targets 9"]);
});

const STORED: readonly (readonly [what: string, covered: Partial<Covered>, isStored: boolean])[] = [
  ["covers the range exactly", { firstDay: "2026-11-10", lastDay: "2026-11-16" }, true],
  ["begins a day late", { firstDay: "2026-11-11" }, false],
  ["ends a day early", { lastDay: "2026-11-15" }, false],
  ["has a gap before", { gaps: [{ start: "2026-11-08", end: "2026-11-09" }] }, true],
  ["has a gap that ends on its first day", { gaps: [{ start: "2026-11-08", end: "2026-11-10" }] }, false],
  ["has a gap that begins on its last day", { gaps: [{ start: "2026-11-16", end: "2026-11-18" }] }, false],
  ["has a gap after", { gaps: [{ start: "2026-11-17", end: "2026-11-18" }] }, true],
  ["is of another profile", { profileId: "2" }, false],
  ["is of another report", { report: "sp_campaigns" }, false],
];

for (const [what, covered, isStored] of STORED) {
  test(`figures of a week are ${isStored ? "known" : "unknown"} in a store that ${what}`, async () => {
    const store = storeOf([{ report: "sp_targeting", ...covered }]);
    const totals = await entityTotals(store, { profileId: "1", entities: [SP], ranges: RANGES });
    equal(totals.has("sp.keywords 9"), isStored);
    equal(store.asked.length, isStored ? 1 : 0, "nothing is read in vain");
  });
}

test("of several ranges those that are not stored are unknown, and are not read", async () => {
  const store = storeOf([{ report: "sp_targeting", firstDay: "2026-11-08" }]);
  const ranges = [{ start: "2026-11-01", end: "2026-11-16" }, ...RANGES];
  const totals = await entityTotals(store, { profileId: "1", entities: [SP], ranges });
  const [long, week] = totals.get("sp.keywords 9") ?? [];
  equal(long, undefined);
  equal(week?.clicks, 0);
  match(store.asked[0] ?? "", /BETWEEN '2026-11-10' AND '2026-11-16' GROUP BY/);
});

test("nothing is read for an id that is none, for no range and for no entity", async () => {
  const store = storeOf([{ report: "sp_targeting" }]);
  const refused = { ...store, coverage: () => Promise.reject(new Error("asked")) };
  for (
    const request of [
      { profileId: "1' OR '1'='1", entities: [SP], ranges: RANGES },
      { profileId: "1x", entities: [SP], ranges: RANGES },
      { profileId: "", entities: [SP], ranges: RANGES },
      { profileId: "1", entities: [SP], ranges: [] },
      { profileId: "1", entities: [], ranges: RANGES },
    ]
  ) equal((await entityTotals(refused, request)).size, 0);
  deepEqual(store.asked, []);
});

test("cost a day and ACOS follow from the sums, and there is no ACOS without sales", () => {
  const totals = { impressions: 100, clicks: 4, cost: 14, sales: 28, orders: 2 };
  deepEqual(outcomeFigures(totals, 7), { ...totals, cost_per_day: 2, acos: 0.5 });
  equal(outcomeFigures({ ...totals, sales: 0 }, 7)?.acos, null);
  equal(outcomeFigures({ ...totals, sales: 0.5 }, 7)?.acos, 28);
  equal(outcomeFigures(undefined, 7), null);
});

test("ACOS is known over the days with sales alone, however small", async () => {
  const rows = [{ id: "9", cost0: 1, sales0: 0, cost1: 1, sales1: 0.5, cost2: 2, sales2: 4 }];
  const store = storeOf([{ report: "sp_targeting", firstDay: "2026-10-01" }], rows);
  const figures = await entityFigures(store, { profileId: "1", today: "2026-12-01", entities: [SP] });
  const { acos7d, acos14d, acos30d } = figures.get("9") ?? {};
  deepEqual([acos7d, acos14d, acos30d], [undefined, 2, 0.5]);
});

test("figures end with the newest stored day where the last days are missing, and say so", async () => {
  const figuresOf = async (lastDay: string, gaps: readonly { start: string; end: string }[] = []) => {
    const store = storeOf([{ report: "sp_targeting", firstDay: "2026-10-01", lastDay, gaps }], [
      { id: "9", cost0: 7, cost1: 14, cost2: 30 },
    ]);
    const figures = await entityFigures(store, { profileId: "1", today: "2026-12-01", entities: [SP] });
    const { cost30d, daysBack7d, daysBack30d } = figures.get("9") ?? {};
    return { cost30d, daysBack7d, daysBack30d, sql: store.asked.join() };
  };
  const whole = await figuresOf("2026-11-30");
  deepEqual([whole.cost30d, whole.daysBack30d], [30, undefined]);
  const morning = await figuresOf("2026-11-29");
  deepEqual([morning.cost30d, morning.daysBack30d], [30, 1]);
  match(morning.sql, /BETWEEN '2026-10-31' AND '2026-11-29' THEN cost /);
  const gap = await figuresOf("2026-11-30", [{ start: "2026-11-20", end: "2026-11-20" }]);
  deepEqual([gap.daysBack7d, gap.daysBack30d], [undefined, 11]);
  equal((await figuresOf("2026-11-09")).daysBack30d, 21);
  deepEqual((await figuresOf("2026-11-08")).cost30d, undefined, "too old to tell");
});

function entity(
  id: string | null,
  before: number | null,
  after: number | null,
  more: Partial<ChangedEntity> = {},
) {
  const figures = (cost: number | null) =>
    cost === null
      ? null
      : { impressions: 0, clicks: 0, cost, sales: 0, orders: 0, cost_per_day: cost, acos: null };
  return {
    change: 0,
    kind: "sp.keywords",
    id,
    label: "x",
    outcome: "done",
    before: figures(before),
    after: figures(after),
    ...more,
  } as const;
}

function change(kind: string, more: Partial<Change> = {}): Change {
  return { kind, op: "update", id: "9", before: {}, after: {}, label: "x", ...more };
}

const MONEY = { currency: "USD", perDay: { low: -1, high: 2 }, known: 1, unknown: 3, basis: [] };

function estimate(planned: readonly Change[], changes: readonly ChangedEntity[]): unknown[] {
  const { actual, measured, verdict } = estimateOutcome(
    planned,
    MONEY,
    changes.map((one, at) => ({ ...one, change: at })),
  );
  return [actual, measured, verdict];
}

test("an estimate is compared with the change in spend, and half a cent is none", () => {
  const keyword = [change("sp.keywords")];
  deepEqual(estimate(keyword, [entity("9", 1, 3)]), [2, 1, "within"]);
  equal(estimate(keyword, [entity("9", 1, 3.004)])[2], "within");
  equal(estimate(keyword, [entity("9", 1, 3.006)])[2], "above");
  equal(estimate(keyword, [entity("9", 2, 0.996)])[2], "within");
  equal(estimate(keyword, [entity("9", 2, 0.994)])[2], "below");
  deepEqual(estimate(keyword, [entity("9", null, 3)]), [null, 0, "unknown"]);
  deepEqual(estimate(keyword, [entity("9", 1, null)]), [null, 0, "unknown"]);
  const { low, high, known, unknown } = estimateOutcome(keyword, MONEY, []);
  deepEqual([low, high, known, unknown], [-1, 2, 1, 3]);
});

test("one change that cannot be measured leaves the estimate open, with what is known of the rest", () => {
  const two = [change("sp.keywords"), change("sp.keywords", { id: "8" })];
  deepEqual(estimate(two, [entity("9", 1, 2), entity("8", null, null)]), [1, 1, "unknown"]);
  deepEqual(estimate(two, [entity("9", 1, 2), entity("8", null, null, { outcome: "refused" })]), [
    1,
    1,
    "within",
  ]);
  deepEqual(estimate(two, [entity("9", 1, 2), entity("8", 1, 1.5, { outcome: "unknown" })]), [
    1.5,
    2,
    "within",
  ]);
});

test("spend is counted once, for the outermost entity that a plan changes", () => {
  const campaign = entity("5", 10, 11, { kind: "sp.campaigns" });
  const inside = (more: Partial<Change>): unknown[] =>
    estimate([change("sp.campaigns", { id: "5" }), change("sp.keywords", more)], [
      campaign,
      entity("9", 1, 2),
    ]);
  deepEqual(inside({ campaignId: "5" }), [1, 1, "within"]);
  deepEqual(inside({ after: { campaignId: "5" } }), [1, 1, "within"]);
  deepEqual(inside({ campaignId: "6" }), [2, 2, "within"]);
  const group = entity("5", 10, 11, { kind: "sp.ad_groups" });
  const inGroup = (more: Partial<Change>): unknown[] =>
    estimate([change("sp.ad_groups", { id: "5" }), change("sp.keywords", more)], [group, entity("9", 1, 2)]);
  deepEqual(inGroup({ after: { adGroupId: "5" } }), [1, 1, "within"]);
  deepEqual(inGroup({ before: { adGroupId: "5" } }), [1, 1, "within"]);
  deepEqual(inGroup({ before: { adGroupId: "6" } }), [2, 2, "within"]);
});

test("what a plan creates is counted with the campaign that it creates, and a negative not at all", () => {
  const planned = [
    change("sp.campaigns", { op: "create", id: null, ref: "c" }),
    change("sp.keywords", { op: "create", id: null, after: { campaignId: { ref: "c" } } }),
    change("sp.negative_keywords", { op: "create", id: null }),
  ];
  deepEqual(
    estimate(planned, [
      entity("5", 0, 2, { kind: "sp.campaigns" }),
      entity("9", 0, 1),
      entity("7", null, null, { kind: "sp.negative_keywords" }),
    ]),
    [2, 1, "within"],
  );
  const portfolio = change("sp.campaigns", { id: "5", campaignId: "5" });
  deepEqual(estimate([portfolio], [entity("5", 0, 2, { kind: "sp.campaigns" })]), [2, 1, "within"]);
});

const PLAN = new ChangePlan({ profileId: "1", countryCode: "ZZ", changes: [change("sp.keywords")] });
const APPLIED = {
  appliedAt: "2026-11-08T23:30:00Z",
  ok: true,
  summary: "",
  changes: [],
  override: undefined,
};

test("a plan without an estimate or a known market is compared all the same", async () => {
  const store = storeOf([{ report: "sp_targeting" }], [{ id: "9", clicks0: 1, clicks1: 2 }]);
  const now = Date.parse("2026-11-29T12:00:00Z");
  const outcome = await planOutcome(store, { plan: PLAN, applied: APPLIED, now, days: 7 });
  deepEqual(
    [
      outcome.currency,
      outcome.estimate,
      outcome.days,
      outcome.plan_id,
      outcome.profile_id,
      outcome.country_code,
    ],
    [null, null, 7, PLAN.id, "1", "ZZ"],
  );
  deepEqual([outcome.before, outcome.after], [
    { start: "2026-11-01", end: "2026-11-07" },
    { start: "2026-11-09", end: "2026-11-15" },
  ]);
  deepEqual(outcome.changes.map(({ outcome, before, after }) => [outcome, before?.clicks, after?.clicks]), [
    ["not_sent", 1, 2],
  ]);
});

test("days on each side are whole, one at least and fourteen where nothing is said", async () => {
  const store = storeOf([{ report: "sp_targeting", firstDay: "2026-10-01" }]);
  const request = {
    plan: PLAN,
    applied: APPLIED,
    now: Date.parse("2026-11-29T12:00:00Z"),
    timeZone: "Asia/Tokyo",
  };
  for (const days of [0, -1, 1.5, Number.NaN]) {
    await rejects(planOutcome(store, { ...request, days }), {
      name: "RangeError",
      message: `Cannot compare ${days} days: give 1 or more`,
    });
  }
  equal(
    (await planOutcome(store, { ...request, days: 1 })).after.end,
    "2026-11-10",
    "applied on the 9th in Tokyo",
  );
  const { days, before, after, immature } = await planOutcome(store, request);
  deepEqual([days, before, after], [14, { start: "2026-10-26", end: "2026-11-08" }, {
    start: "2026-11-10",
    end: "2026-11-23",
  }]);
  deepEqual(immature, { from: "2026-11-15", days: 9 });
});

test("a plan is compared by the days of its market where no zone is given", async () => {
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes: [change("sp.keywords")] });
  const applied = { ...APPLIED, appliedAt: "2026-11-09T02:00:00Z" };
  const outcome = await planOutcome(storeOf([]), { plan, applied, now: Date.parse("2026-11-11T02:00:00Z") });
  deepEqual([outcome.after, outcome.currency], [{ start: "2026-11-09", end: "2026-11-09" }, "USD"]);
});

test("days are mature from the fifteenth day after them on", async () => {
  const store = storeOf([{ report: "sp_targeting" }]);
  const immature = async (today: string) =>
    (await planOutcome(store, {
      plan: PLAN,
      applied: { ...APPLIED, appliedAt: "2026-11-08T12:00:00Z" },
      now: Date.parse(`${today}T12:00:00Z`),
      days: 2,
      timeZone: "UTC",
    })).immature;
  deepEqual(await immature("2026-11-11"), { from: "2026-11-09", days: 2 });
  deepEqual(await immature("2026-11-23"), { from: "2026-11-09", days: 2 });
  deepEqual(await immature("2026-11-24"), { from: "2026-11-10", days: 1 });
  deepEqual(await immature("2026-11-25"), { from: null, days: 0 });
});

test("figures of a place without a store are unknown, and no store is made there", async () => {
  await using folder = await temporaryFolder();
  const place = folder.file("ads.sqlite");
  const request = { profileId: "1", today: "2026-11-22", entities: [SP] };
  equal(await openFigures(place), undefined);
  equal((await figuresFromStore(place)(request)).size, 0);
  deepEqual(readdirSync(folder.path), []);
  await (await Warehouse.open(place)).close();
  equal((await figuresFromStore(place)(request)).size, 0);
  if (process.platform === "linux") {
    const open = readdirSync("/proc/self/fd").map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`);
      } catch {
        return "";
      }
    });
    deepEqual(
      open.filter((path) => path.startsWith(folder.path)),
      [],
      "the store is closed after each request",
    );
  }
  await rejects(openFigures("mysql://localhost/ads"), /mysql/);
});
