import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addDays } from "../../src/base/time/calendar.ts";
import { figures, Warehouse } from "../../src/store/mod.ts";
import { consoleWorld, signIn } from "./support/console_world.ts";
import { WithoutOptionalIds } from "../support/optional_ids.ts";
import { EXAMPLES } from "../../src/interfaces/console/web/sql_chart.js";
import { fillStore } from "./support/fill_store.ts";

Deno.test("without a store the overview says so, and looking makes none", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const { data } = await page.ask("/api/overview");
  deepEqual([data.store, data.markets, data.waiting], [false, [], []]);
  const query = await page.ask("/api/store/query", { sql: "SELECT 1" });
  deepEqual([query.status, query.data.error.code], [404, "NO_STORE"]);
  equal((await page.ask("/api/store")).data.exists, false);
  equal(existsSync(world.storePlace), false);
});

Deno.test("a store that cannot be read keeps no page from what the console serves", async () => {
  await using world = await consoleWorld();
  await Deno.writeTextFile(world.storePlace, "no database");
  const page = await signIn(world);
  const { status, data } = await page.ask("/api/console");
  deepEqual([status, data.read_only, data.synced_at], [200, false, null]);
});

Deno.test("the overview agrees with figures of the library to the cent, and says which days still change", async () => {
  await using world = await consoleWorld();
  await fillStore(world);
  const page = await signIn(world);
  const { data } = await page.ask("/api/overview");
  const [us] = data.markets;
  deepEqual([us.country_code, us.currency, us.time_zone], ["US", "USD", "America/Los_Angeles"]);
  equal(us.days.length, 30);
  deepEqual(us.immature_from, { cost: "2026-09-27", sales: "2026-09-16" });
  await using store = await Warehouse.open(world.storePlace, { now: world.time.now });
  const sums = async (from: string, to: string) =>
    (await figures(store, { from, to, profileIds: [world.us.profileId], today: "2026-09-30", notes: false }))
      .totals[0];
  const week = await sums("2026-09-23", "2026-09-29");
  deepEqual(
    [us.week.now.cost, us.week.now.sales, us.week.now.orders, us.week.now.acos.toFixed(6)],
    [week?.cost, week?.sales, week?.orders, week?.acos?.toFixed(6)],
  );
  equal(us.week.before.cost, (await sums("2026-09-16", "2026-09-22"))?.cost);
  equal(us.week.equal_age, false, "the store did not exist a week ago");
  const day = us.days.find(({ date }: { date: string }) => date === "2026-09-20");
  equal(day.sums.cost, (await sums("2026-09-20", "2026-09-20"))?.cost);
  // The day in the middle is not stored: nothing is summed over it.
  const [gap] = data.gaps[0].gaps;
  const month = us.month;
  deepEqual([month.now !== null, month.before], [gap.start < "2026-08-31", null]);
});

Deno.test("the days before are compared as they were known when they were as old", async () => {
  await using world = await consoleWorld();
  const { us, storePlace, time } = world;
  const { profileId, countryCode } = us;
  const put = async (now: number, sales: number) => {
    await using store = await Warehouse.open(storePlace, { now: () => now });
    const today = new Date(now - 12 * 3_600_000).toISOString().slice(0, 10);
    const days = Array.from({ length: 14 }, (_, at) => addDays(today, at - 14));
    const rows = days.map((date) => ({ date, campaignId: "1", cost: 10, sales14d: sales, purchases14d: 1 }));
    await store.replace(
      { profileId, countryCode, report: "sp_campaigns", start: days[0] ?? "", end: days.at(-1) ?? "" },
      rows,
    );
  };
  // A week ago the days before had 20 of sales each; by now they have 50, and the days since have 30.
  // Pulls come an hour later on one day than on another.
  await put(time.now() - 7 * 86_400_000 + 3_600_000, 20);
  await put(time.now(), 50);
  const page = await signIn(world);
  const { data: { markets: [market] } } = await page.ask("/api/overview");
  deepEqual([market.week.now.sales, market.week.before.sales, market.week.equal_age], [350, 140, true]);
});

Deno.test("campaigns that run out of budget are counted with what they spend a day", async () => {
  await using world = await consoleWorld();
  const { us: { profileId, countryCode }, storePlace, time } = world;
  {
    await using store = await Warehouse.open(storePlace, { now: time.now });
    const dates = Array.from({ length: 7 }, (_, at) => addDays("2026-09-23", at));
    const rows = dates.flatMap((date, day) => [
      { date, campaignId: "1", cost: day < 5 ? 19.5 : 4, campaignBudgetAmount: 20 },
      { date, campaignId: "2", cost: day < 3 ? 20 : 4, campaignBudgetAmount: 20 },
    ]);
    const range = { start: "2026-09-23", end: "2026-09-29" };
    await store.replace({ profileId, countryCode, report: "sp_campaigns", ...range }, rows);
  }
  const page = await signIn(world);
  const { data: { out_of_budget: [found, ...more] } } = await page.ask("/api/overview");
  deepEqual([found.campaigns, found.full_days, found.currency, more], [1, 5, "USD", []]);
  equal(found.cost_a_day.toFixed(4), ((5 * 19.5 + 2 * 4) / 7).toFixed(4));
});

const CLI = fileURLToPath(new URL("../../cli.ts", import.meta.url));
const PROGRAM = { command: Deno.execPath(), args: ["run", "-A", "--quiet", "--no-check", CLI] };

for (const program of [PROGRAM, undefined]) {
  const place = program === undefined ? "in the process of the console" : "in a process of its own";

  Deno.test(`a query ${place} reads and cannot write, and says what its rows lack`, async () => {
    await using world = await consoleWorld({ ...(program === undefined ? {} : { program }) });
    await fillStore(world);
    const page = await signIn(world);
    const { data } = await page.ask("/api/store/query", {
      sql: "SELECT date, sum(clicks) AS clicks FROM sp_campaigns GROUP BY date ORDER BY date",
      max_rows: 3,
    });
    deepEqual([data.columns, data.rows.length, data.truncated], [["date", "clicks"], 3, true]);
    for (
      const sql of [
        "DELETE FROM sp_campaigns",
        "WITH x AS (SELECT 1) DELETE FROM days",
        "SELECT nothing FROM sp_campaigns",
      ]
    ) {
      const refused = await page.ask("/api/store/query", { sql });
      deepEqual([refused.status, refused.data.error.code], [400, "QUERY_REFUSED"], sql);
    }
    equal((await page.ask("/api/store/query", { sql: "SELECT 1", max_rows: 1e9 })).status, 400);

    const none = await page.ask("/api/store/query", {
      sql:
        "SELECT sum(sales_14d) AS sales FROM sp_campaigns WHERE date BETWEEN '2026-01-01' AND '2026-01-02'",
    });
    deepEqual([none.data.columns, none.data.rows], [["sales"], [[null]]]);
    match(
      none.data.notes.join("; "),
      /Days that are not stored, so sums lack them: sp_campaigns of US has 0 of 2/,
    );
    const empty = await page.ask("/api/store/query", {
      sql: "SELECT date, clicks FROM sp_campaigns WHERE clicks < 0",
    });
    deepEqual([empty.data.columns, empty.data.rows], [["date", "clicks"], []]);
    const cost = async (more: object) =>
      (await page.ask("/api/store/query", { sql: "SELECT sum(cost) AS cost FROM budget_pressure", ...more }))
        .data;
    const { rows: [[plain]] } = await cost({});
    const { rows: [[doubled]] } = await cost({ currency: "EUR", rates: [{ currency: "USD", rate: 2 }] });
    deepEqual([plain > 0, doubled], [true, plain * 2]);
    const { error } = await cost({ currency: "EUR", rates: [{ currency: "GBP", rate: 2 }] });
    match(error.message, /there is no rate for USD/);
  });
}

Deno.test("a query of the console fills the macros of SQL files, and knows times as commands do", async () => {
  await using world = await consoleWorld();
  await fillStore(world);
  const page = await signIn(world);
  const ask = async (sql: string, more = {}) => await page.ask("/api/store/query", { sql, ...more });
  let opened = 0;
  const { open } = Warehouse;
  Warehouse.open = (...of) => {
    opened++;
    return open.apply(Warehouse, of);
  };
  const { data } = await ask(
    "SELECT {start} AS a, {end} AS b, {today} AS c, :YYYYMMDD-7 AS d, count(*) > 0 AS e FROM sp_campaigns " +
      "WHERE profile_id IN ({profiles})",
  );
  Warehouse.open = open;
  equal(opened, 1);
  deepEqual(data.rows, [["2026-08-31", "2026-09-29", "2026-09-30", "20260923", 1]]);
  const unknown = await ask("SELECT {strat}");
  deepEqual([unknown.status, unknown.data.error.message], [
    400,
    "sql:1:8: there is no macro {strat}, did you mean {start}?",
  ]);
  const early = await ask("SELECT 1 AS one", { as_of: "-400" });
  match(early.data.notes.join(), /^Nothing was known at 2025-08-26T12:00:00.000Z/);
  const wrong = await ask("SELECT 1 AS one", { as_of: "sometime" });
  deepEqual([wrong.status, wrong.data.error.code], [400, "BAD_REQUEST"]);
  match(wrong.data.error.message, /^Cannot use "sometime" as as_of: write days ago/);
});

Deno.test("every example of the SQL page runs, and search terms say which clicks may still sell", async () => {
  await using world = await consoleWorld();
  await fillStore(world);
  const page = await signIn(world);
  for (const [about, sql] of EXAMPLES) {
    const { status, data } = await page.ask("/api/store/query", { sql });
    equal(status, 200, `${about}: ${JSON.stringify(data)}`);
    deepEqual(data.columns.length > 0 || data.rows.length === 0, true, about);
  }
  const { data: terms } = await page.ask(`/api/profiles/${world.us.profileId}/terms`);
  deepEqual(
    [terms.period.end, terms.immature_from],
    ["2026-09-29", "2026-09-16"],
    "the last day of clicks that count as waste is the 15th",
  );
});

Deno.test("the account is a tree with figures, and its history names the plan of our own changes", async () => {
  await using world = await consoleWorld();
  await fillStore(world);
  const page = await signIn(world);
  const { profileId } = world.us;
  const { data: { campaigns } } = await page.ask(`/api/profiles/${profileId}/campaigns`);
  const [first] = campaigns;
  ok(campaigns.length > 10 && first.name && first.state && first.budget > 0);
  const [campaign] = campaigns.filter(({ figures }: { figures: unknown }) => figures !== null);
  ok(campaign.figures.cost30d > 0);
  const { data: { entities } } = await page.ask(`/api/profiles/${profileId}/campaigns/${campaign.id}`);
  const kinds = new Set(entities.map(({ kind }: { kind: string }) => kind));
  ok(kinds.has("sp.ad_groups") && (kinds.has("sp.keywords") || kinds.has("sp.targets")));

  const [target] = await world.us.sb.targets.list({ states: ["ENABLED"] });
  const brands = await page.ask(`/api/profiles/${profileId}/campaigns/${target?.campaignId}`);
  const shown = brands.data.entities.find(({ id }: { id: string }) => id === target?.targetId);
  deepEqual([shown.kind, shown.name, shown.bid], [
    "sb.targets",
    JSON.stringify(target?.expressions),
    target?.bid,
  ]);

  const [keyword] = await world.us.sp.keywords.list({ states: ["ENABLED"] });
  const plan = await world.us.sp.keywords.planUpdate([{ keywordId: keyword?.keywordId ?? "", bid: 0.91 }]);
  await world.plans.save(plan);
  equal((await page.ask(`/api/plans/${plan.id}/apply`, { fingerprint: plan.fingerprint })).status, 200);
  const { data: { entries } } = await page.ask(`/api/profiles/${profileId}/drift`);
  const ours = entries.filter(({ plan_id: id }: { plan_id: string | null }) => id === plan.id);
  const [own] = await world.us.sp.campaigns.list({ campaignIds: [keyword?.campaignId ?? ""] });
  deepEqual(
    ours.map((one: Record<string, unknown>) =>
      ["id", "change", "campaign_id", "campaign"].map((name) => one[name])
    ),
    [[keyword?.keywordId, "BID_AMOUNT", keyword?.campaignId, own?.name]],
  );
});

Deno.test("campaigns without an id are shown, without figures", async () => {
  const platform = new WithoutOptionalIds();
  await using world = await consoleWorld({ client: { fetch: platform.fetch } });
  await fillStore(world);
  const page = await signIn(world);
  const { data: { campaigns } } = await page.ask(`/api/profiles/${world.us.profileId}/campaigns`);
  const lacking = campaigns.filter(({ id }: { id: string | null }) => id === null);
  deepEqual(lacking.map((one: Record<string, unknown>) => [one["kind"], one["figures"]]), [[
    "sd.campaigns",
    null,
  ]]);
  const shown = campaigns.find(({ kind }: { kind: string }) => kind === "sb.campaigns");
  const { data: { entities } } = await page.ask(`/api/profiles/${world.us.profileId}/campaigns/${shown.id}`);
  const [child] = entities.filter(({ id }: { id: string | null }) => id === null);
  deepEqual([child.kind, child.figures], ["sb.keywords", null]);
});

Deno.test("a campaign whose keywords cannot be read is an error, not a campaign without keywords", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const path = `/api/profiles/${world.us.profileId}/campaigns`;
  const [keyword] = await world.us.sp.keywords.list({ states: ["ENABLED"] });
  world.emulator.setFaults([{
    match: { path: "/sp/keywords/list" },
    effects: { response: { status: 500, body: { message: "internal" } } },
  }]);
  const failed = await page.ask(`${path}/${keyword?.campaignId}`);
  deepEqual([failed.status, failed.data.entities], [502, undefined], JSON.stringify(failed.data));
  world.emulator.setFaults([]);
  const { data } = await page.ask(`${path}/${keyword?.campaignId}`);
  ok(data.entities.some(({ id }: { id: string }) => id === keyword?.keywordId));
  equal(data.truncated, false);
  world.asked();
  const [brand] = await world.us.sb.campaigns.list({ states: ["ENABLED"] });
  const { data: { entities } } = await page.ask(`${path}/${brand?.campaignId}`);
  ok(entities.length > 0 && entities.every(({ kind }: { kind: string }) => kind.startsWith("sb.")));
  const missing = await page.ask(`${path}/1`);
  deepEqual([missing.status, missing.data.error.code], [404, "NO_CAMPAIGN"]);
});

Deno.test("products that are stored for different days are not summed, and nothing is summed over a gap", async () => {
  await using world = await consoleWorld();
  const { us: { profileId, countryCode }, time, storePlace } = world;
  const page = await signIn(world);
  const put = async (
    report: "sp_campaigns" | "sp_targeting" | "sb_campaigns",
    first: number,
    last: number,
  ) => {
    await using store = await Warehouse.open(storePlace, { now: time.now });
    const dates = Array.from({ length: last - first + 1 }, (_, at) => addDays("2026-09-30", first + at));
    const range = { start: dates[0] ?? "", end: dates.at(-1) ?? "" };
    const sales = report === "sb_campaigns" ? { sales: 30 } : { sales14d: 40 };
    const rows = dates.map((date) => ({ date, campaignId: "1", keywordId: "2", cost: 10, ...sales }));
    await store.replace({ profileId, countryCode, report, ...range }, rows);
  };
  const shown = async () =>
    // deno-lint-ignore no-explicit-any -- a response of the API
    (await page.ask("/api/overview")).data.markets.map((one: any) =>
      // deno-lint-ignore no-explicit-any -- a response of the API
      [one, ...one.apart].map(({ products, week, month }: any) => [
        products.join(),
        week.now?.sales ?? null,
        month.now?.sales ?? null,
      ])
    );
  await put("sp_targeting", -30, -1);
  deepEqual(await shown(), [], "a report on keywords is not the spend of a market");
  await put("sp_campaigns", -30, -1);
  await put("sb_campaigns", -10, -1);
  deepEqual(await shown(), [[["SPONSORED_PRODUCTS", 280, 1200], ["SPONSORED_BRANDS", 210, null]]]);
  await put("sb_campaigns", -30, -11);
  deepEqual(await shown(), [[["SPONSORED_PRODUCTS,SPONSORED_BRANDS", 490, 2100]]]);
  // Days that were never fetched and that the platform deletes tomorrow.
  const { data } = await page.ask("/api/overview");
  ok(data.expiring.every(({ fetchBy }: { fetchBy: string }) => fetchBy === "2026-09-30"));
  deepEqual(data.expiring.map(({ report }: { report: string }) => report).sort(), [
    "sb_campaigns",
    "sp_campaigns",
    "sp_targeting",
  ]);
});

Deno.test("drift names the plan of what is ours, and says of the rest that it is not", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const { us } = world;
  const path = `/api/profiles/${us.profileId}/drift`;
  const pass = (seconds: number): void => {
    world.emulator.advance(seconds);
    world.time.advance(seconds);
  };
  // The demo account has a history of its own; what follows is of a later day.
  pass(3 * 86_400);
  const [ours, theirs] = await us.sp.keywords.list({ states: ["ENABLED"] });
  const plan = await us.sp.keywords.planUpdate([{ keywordId: ours!.keywordId, bid: 0.91 }], {
    note: "Raise",
  });
  await world.agentPlans.save(plan);
  equal((await page.ask(`/api/plans/${plan.id}/apply`, { fingerprint: plan.fingerprint })).status, 200);
  pass(60);
  // The same keyword a minute later, with another value: no plan did that.
  await us.sp.keywords.update([{ keywordId: ours!.keywordId, bid: 0.5 }]);
  pass(3600);
  await us.sp.keywords.update([{ keywordId: theirs!.keywordId, bid: 0.77 }]);
  pass(60);

  world.asked();
  const { status, data } = await page.ask(`${path}?days=1`);
  equal(status, 200, JSON.stringify(data));
  deepEqual(world.asked().filter((line) => /^(PUT|DELETE|PATCH)/.test(line)), []);
  deepEqual([data.since, data.time_zone], ["2026-10-02T07:00:00.000Z", "America/Los_Angeles"]);
  const ids = new Set([ours!.keywordId, theirs!.keywordId]);
  deepEqual(
    data.entries.filter(({ id }: { id: string }) => ids.has(id)).map((one: Record<string, unknown>) =>
      ["kind", "id", "change", "after", "by", "plan_id", "note"].map((name) => one[name])
    ),
    [
      ["sp.keywords", theirs!.keywordId, "BID_AMOUNT", "0.77", "other", null, null],
      ["sp.keywords", ours!.keywordId, "BID_AMOUNT", "0.5", "other", null, null],
      ["sp.keywords", ours!.keywordId, "BID_AMOUNT", "0.91", "plan", plan.id, "Raise"],
    ],
  );
  equal(data.counts.plan, 1);
  equal(data.counts.plan + data.counts.platform + data.counts.other, data.entries.length);
  const { data: short } = await page.ask(`${path}?days=1&counts=true`);
  deepEqual([short.counts, short.entries], [data.counts, undefined]);
});

Deno.test("drift reports who approved a plan, and what only the store shows", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const { us, time } = world;
  const pass = (seconds: number): void => {
    world.emulator.advance(seconds);
    time.advance(seconds);
  };
  const [keyword] = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const plan = await us.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid: keyword!.bid! * 5 }]);
  await world.plans.save(plan);
  const store = await Warehouse.open(world.storePlace, { now: time.now });
  try {
    await store.sync([us], { entities: "only" });
    pass(2 * 86_400);
    const { data: review } = await page.ask(`/api/plans/${plan.id}/review`);
    const accepted = review.findings.map(({ code, change }: { code: string; change?: number }) =>
      change === undefined ? code : `${code} ${change}`
    );
    const applied = await page.ask(`/api/plans/${plan.id}/apply`, {
      fingerprint: plan.fingerprint,
      accepted,
    });
    equal(applied.status, 200, JSON.stringify(applied.data));
    const [portfolio] = await us.portfolios.list();
    await us.portfolios.update([{ portfolioId: portfolio!.portfolioId, name: "Theirs" }]);
    await store.sync([us], { entities: "only" });
    const { data } = await page.ask(`/api/profiles/${us.profileId}/drift?days=1`);
    const of = (id: string) => data.entries.find((one: { id: string }) => one.id === id);
    equal(of(keyword!.keywordId).approved_by, "a person in the console");
    const shown = of(portfolio!.portfolioId);
    deepEqual([shown.at, shown.change, shown.after, shown.by], [null, "name", "Theirs", "other"]);
    equal(data.entries.at(-1).at, null, "those without a time are last");
  } finally {
    await store.close();
  }
});

Deno.test("drift of days that the platform does not remember is refused before anything is sent", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  world.asked();
  for (const days of ["0", "89", "1.5", "-1", "seven", ""]) {
    const { status, data } = await page.ask(`/api/profiles/${world.us.profileId}/drift?days=${days}`);
    deepEqual([status, data.error.code], [400, "BAD_REQUEST"], days);
  }
  deepEqual(world.asked(), []);
  equal((await page.ask(`/api/profiles/${world.us.profileId}/drift?days=88`)).status, 200);
});

Deno.test("an operation that reads is called, and of one that writes a plan is made and nothing is sent", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const { data: found } = await page.ask("/api/operations?q=list%20brands%20campaigns");
  ok(
    found.operations.some(({ id }: { id: string }) =>
      id === "sponsored-brands-v4:ListSponsoredBrandsCampaigns"
    ),
  );
  const { data: all } = await page.ask("/api/operations");
  const family = all.families.find(({ slug }: { slug: string }) => slug === "sponsored-brands-v4");
  deepEqual([all.operations, family.count > 10], [[], true], "without words there are families");
  const { data: { operations } } = await page.ask("/api/operations?api=sponsored-brands-v4");
  equal(operations.length, family.count);
  equal((await page.ask("/api/operations?api=no-such")).status, 400);
  const reads = "/api/operations/sponsored-brands-v4:ListSponsoredBrandsCampaigns";
  const { data: one } = await page.ask(reads);
  ok(one.schema.body && one.response.includes("campaigns"));
  const profile = world.us.profileId;
  const { data: called } = await page.ask(`${reads}/call`, { profile, body: { maxResults: 2 } });
  equal(called.response.campaigns.length, 2);
  world.asked();
  const lacking = await page.ask("/api/operations/advertising-billing:getInvoice/call", { profile: "1" });
  deepEqual([lacking.status, world.asked()], [400, []]);
  match(lacking.data.error.message, /path parameter "invoiceId" is missing/);

  const writes = "/api/operations/sponsored-brands-v4:UpdateSponsoredBrandsCampaigns";
  const [{ campaignId }] = called.response.campaigns;
  const body = { campaigns: [{ campaignId, state: "PAUSED" }] };
  equal((await page.ask(`${writes}/call`, { profile, body })).data.error.code, "WRITES");
  world.asked();
  const planned = await page.ask(`${writes}/plan`, { profile, body });
  equal(planned.status, 200, JSON.stringify(planned.data));
  deepEqual(world.asked().filter((line) => line.startsWith("PUT")), []);
  const { data: plan } = await page.ask(`/api/plans/${planned.data.plan_id}`);
  equal(plan.state, "waiting");
  equal((await page.ask(`/api/plans/${plan.plan.id}/review`)).status, 200);
  const { fingerprint } = plan.plan;
  const applied = await page.ask(`/api/plans/${plan.plan.id}/apply`, { fingerprint });
  deepEqual([applied.status, applied.data.ok], [200, true], JSON.stringify(applied.data));
  equal((await page.ask("/api/operations/no:such")).status, 404);
});

Deno.test("the emulator shows its requests and moves its clock", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  await page.ask("/api/profiles");
  const { data } = await page.ask("/api/emulator");
  ok(data.requests.length > 0);
  equal(data.clock.now, "2026-09-30T12:00:00.000Z");
  const { data: moved } = await page.ask("/api/emulator/clock", { advance: 3600 });
  equal(moved.now, "2026-09-30T13:00:00.000Z");
  ok((await page.ask("/api/emulator/faults", { profile: "storm" })).data.rules.length > 0);
  equal((await page.ask("/api/emulator/faults", { profile: "no such" })).status, 400);
});
