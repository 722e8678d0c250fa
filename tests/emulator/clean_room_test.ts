import assert from "node:assert/strict";
import { daySpan } from "../../src/emulator/core/day_span.ts";
import { campaignDay } from "../../src/emulator/traffic/campaign_day.ts";
import { Market } from "../../src/emulator/traffic/market.ts";
import { readCampaigns } from "../../src/emulator/traffic/read_campaigns.ts";
import { advertisedProducts } from "../../src/emulator/traffic/vocabulary.ts";
import { type Answered, Caller } from "./caller.ts";

/** A caller that names the clean-room account of the United States. */
class Room {
  readonly caller: Caller;
  #instance = "";

  constructor(caller: Caller) {
    this.caller = caller;
  }

  static async open(): Promise<Room> {
    const room = new Room(await Caller.start({ quirks: { reportSeconds: 90 } }));
    const { json } = await room.ask("GET", "/amc/instances");
    room.#instance = json.instances[0].instanceId;
    return room;
  }

  get #headers(): Record<string, string> {
    const profile = this.caller.emulator.state.profile(this.caller.profile("US"));
    assert.ok(profile);
    const { id, marketplaceStringId } = profile.record.accountInfo;
    return {
      "Platform-Advertising-API-AdvertiserId": id,
      "Platform-Advertising-API-MarketplaceId": marketplaceStringId,
      "content-type": "application/json",
    };
  }

  ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const full = path.startsWith("/amc") ? path : `/amc/reporting/${this.#instance}/${path}`;
    return this.caller.call(method, full, body, { profile: null, headers: { ...this.#headers, ...headers } });
  }

  async start(body: unknown): Promise<string> {
    const { json, status, text } = await this.ask("POST", "workflowExecutions", body);
    assert.equal(status, 200, text);
    return json.workflowExecution.workflowExecutionId;
  }

  // deno-lint-ignore no-explicit-any -- executions have many fields
  async look(id: string): Promise<any> {
    return (await this.ask("GET", `workflowExecutions/${id}`)).json.workflowExecution;
  }

  /** The result file of a query over a week, or the reason of its failure. */
  async run(
    sqlQuery: string,
    more: Record<string, unknown> = {},
    workflow: Record<string, unknown> = {},
  ): Promise<string> {
    const id = await this.start({
      workflow: { workflowId: "ad-hoc", sqlQuery, ...workflow },
      timeWindowType: "EXPLICIT",
      timeWindowStart: "2026-09-25T00:00:00",
      timeWindowEnd: "2026-09-26T00:00:00",
      ...more,
    });
    this.caller.emulator.advance(120);
    const { status, statusReason } = await this.look(id);
    if (status !== "SUCCEEDED") return `${status}: ${statusReason}`;
    const { json } = await this.ask("GET", `workflowExecutions/${id}/downloadUrls`);
    return await (await fetch(json.downloadUrls[0])).text();
  }
}

const room = await Room.open();
const { ask, caller } = { ask: room.ask.bind(room), caller: room.caller };

Deno.test.afterAll(async () => await caller.stop());

const BY_CAMPAIGN = `SELECT campaign, SUM(impressions) AS impressions, SUM(clicks) AS clicks,
  COUNT(DISTINCT user_id) AS users FROM sponsored_ads_traffic GROUP BY campaign`;

Deno.test("clean-room accounts need no headers; their instances need both", async () => {
  const none = { "Platform-Advertising-API-AdvertiserId": "", "Platform-Advertising-API-MarketplaceId": "" };
  const { json: { amcAccounts } } = await ask("GET", "/amc/accounts", undefined, none);
  assert.deepEqual(amcAccounts.map((account: { accountName: string }) => account.accountName), [
    "Fernpfad Outdoor",
    "Maple & Main Kitchen",
    "Casa Jacarandá",
  ]);
  const [first] = amcAccounts;
  assert.equal(
    (await ask("GET", "/amc/instances", undefined, none)).json.details,
    "AdvertiserId header is missing",
  );
  const wrong = { "Platform-Advertising-API-MarketplaceId": amcAccounts[1].marketplaceId };
  assert.equal((await ask("GET", "/amc/instances", undefined, wrong)).status, 403);
  const { json } = await ask("GET", "/amc/instances");
  assert.deepEqual(json.instances[0].entities, [first.accountId]);
  assert.equal(
    (await ask("GET", "/amc/reporting/amcother/workflows")).json.details,
    "Instance amcother was not found",
  );
});

Deno.test("data sources name the columns of the tables that queries can read", async () => {
  const { json } = await ask("GET", "dataSources");
  const ids = json.dataSources.map((source: { dataSourceId: string }) => source.dataSourceId);
  assert.ok(ids.includes("sponsored_ads_traffic") && ids.includes("conversions"));
  const { json: one } = await ask("GET", "dataSources/conversions");
  assert.ok(one.dataSource.columns.some((column: { name: string }) => column.name === "user_id"));
  assert.equal((await ask("GET", "dataSources/nothing")).status, 404);
});

Deno.test("workflows are created once, replaced whole, and not deleted while a schedule uses them", async () => {
  const definition = {
    workflowId: "by-campaign",
    sqlQuery: BY_CAMPAIGN,
    outputFormat: { separatorCharacter: ";" },
  };
  assert.deepEqual((await ask("POST", "workflows", definition)).json, {});
  const twice = await ask("POST", "workflows", definition);
  assert.deepEqual([twice.status, twice.json.details], [400, "workflow by-campaign already exists"]);
  assert.deepEqual((await ask("PUT", "workflows/by-campaign", { sqlQuery: BY_CAMPAIGN })).json, {});
  const { json } = await ask("GET", "workflows/by-campaign");
  assert.deepEqual(json.workflow, { workflowId: "by-campaign", sqlQuery: BY_CAMPAIGN });
  const schedule = { scheduleId: "nightly", workflowId: "by-campaign", aggregationPeriod: "Daily" };
  assert.equal((await ask("POST", "schedules", { ...schedule, workflowId: "none" })).status, 400);
  assert.deepEqual((await ask("POST", "schedules", schedule)).json, {});
  const refused = await ask("DELETE", "workflows/by-campaign");
  assert.match(refused.json.details, /used by the schedule nightly/);
  assert.equal((await ask("DELETE", "schedules/nightly")).status, 200);
  assert.equal((await ask("DELETE", "workflows/by-campaign")).status, 200);
  assert.equal((await ask("GET", "workflows/by-campaign")).status, 404);
  assert.equal((await ask("POST", "workflows", definition)).status, 200);
  await ask("DELETE", "workflows/by-campaign");
});

Deno.test("an execution is PENDING, RUNNING, then SUCCEEDED with an address for ten minutes", async () => {
  const body = { workflow: { workflowId: "x", sqlQuery: BY_CAMPAIGN }, timeWindowType: "MOST_RECENT_WEEK" };
  const id = await room.start(body);
  const pending = await room.look(id);
  assert.match(pending.workflowId, /^transient_/);
  assert.deepEqual([pending.status, pending.timeWindowStart, pending.timeWindowEnd], [
    "PENDING",
    "2026-09-23T00:00:00Z",
    "2026-09-30T00:00:00Z",
  ]);
  const early = await ask("GET", `workflowExecutions/${id}/downloadUrls`);
  assert.match(early.json.details, /unavailable for download/);
  caller.emulator.advance(40);
  assert.equal((await room.look(id)).status, "RUNNING");
  caller.emulator.advance(60);
  const done = await room.look(id);
  assert.equal(done.status, "SUCCEEDED", done.statusReason);
  assert.equal(done.outputChannels[0].status, "AVAILABLE");
  const { json: { downloadUrls: [url] } } = await ask("GET", `workflowExecutions/${id}/downloadUrls`);
  const withToken = await fetch(url, { headers: { authorization: "Bearer x" } });
  await withToken.body?.cancel();
  assert.equal(withToken.status, 400);
  assert.match(await (await fetch(url)).text(), /^campaign,impressions,clicks,users\n/);
  caller.emulator.advance(600);
  const late = await fetch(url);
  await late.body?.cancel();
  assert.equal(late.status, 403);
});

Deno.test("a time zone moves the time window", async () => {
  const id = await room.start({
    workflow: { workflowId: "x", sqlQuery: BY_CAMPAIGN },
    timeWindowType: "EXPLICIT",
    timeWindowStart: "2026-09-20T00:00:00",
    timeWindowEnd: "2026-09-21T00:00:00",
    timeWindowTimeZone: "America/Los_Angeles",
  });
  const { timeWindowStart, timeWindowStartOriginal, timeWindowTimeZoneOriginal } = await room.look(id);
  assert.deepEqual([timeWindowStart, timeWindowStartOriginal, timeWindowTimeZoneOriginal], [
    "2026-09-20T07:00:00Z",
    "2026-09-20T00:00:00",
    "America/Los_Angeles",
  ]);
  await ask("PUT", `workflowExecutions/${id}`, { status: "CANCELLED" });
  const { json } = await ask("GET", "workflowExecutions?minCreationTime=2026-09-30T00:00:00");
  const ids = json.executions.map((one: { workflowExecutionId: string }) => one.workflowExecutionId);
  assert.ok(ids.length > 0 && !ids.includes(id), "a list hides what was cancelled");
  const all = await ask(
    "GET",
    "workflowExecutions?minCreationTime=2026-09-30T00:00:00&includeCancelled=true",
  );
  assert.equal(all.json.executions[0].workflowExecutionId, id, "newest first");
  assert.equal((await ask("PUT", `workflowExecutions/${id}`, { status: "CANCELLED" })).status, 400);
  assert.match((await ask("GET", "workflowExecutions")).json.details, /workflowId or minCreationTime/);
});

Deno.test("rows below their threshold vanish; with a discriminator their values do, and they are summed up", async () => {
  const sql = `SELECT customer_search_term, SUM(clicks) AS clicks FROM sponsored_ads_traffic
    WHERE clicks > 0 GROUP BY customer_search_term`;
  const text = await room.run(sql);
  assert.equal(text, "customer_search_term,clicks\n");
  const marked = await room.run(sql, {}, { filteredMetricsDiscriminatorColumn: "filtered" });
  const [head, row, ...rest] = marked.trimEnd().split("\n");
  assert.equal(head, "customer_search_term,clicks,filtered");
  assert.match(row ?? "", /^,\d+,TRUE$/);
  assert.deepEqual(rest, []);
  const total = await room.run("SELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic");
  assert.equal(row?.split(",")[1], total.split("\n")[1]);
});

Deno.test("shoppers are followed through joins, subqueries and unions", async () => {
  const text = await room.run(`WITH sold AS (
      SELECT user_id, SUM(product_sales) AS sales
      FROM platform_attributed_events_by_conversion_time GROUP BY user_id
    ), seen AS (
      SELECT user_id, campaign, SUM(impressions) AS impressions FROM sponsored_ads_traffic GROUP BY user_id, campaign
    )
    SELECT s.campaign, COUNT(DISTINCT s.user_id) AS reached, SUM(coalesce(b.sales, 0)) AS sales
    FROM seen s LEFT JOIN sold AS b ON s.user_id = b.user_id
    WHERE s.user_id IN (SELECT user_id FROM sponsored_ads_traffic WHERE clicks > 0)
    GROUP BY s.campaign
    UNION ALL
    SELECT 'alone', COUNT(DISTINCT user_id), 0.0 FROM seen`);
  const lines = text.trimEnd().split("\n");
  assert.equal(lines[0], "campaign,reached,sales", text);
  assert.ok(lines.length > 3);
  assert.match(lines.at(-1) ?? "", /^alone,\d+,0/);
});

const FAILURES = [
  [
    "SELECT nothing, COUNT(*) AS n FROM sponsored_ads_traffic GROUP BY nothing",
    /cannot be compiled.*nothing/,
  ],
  ["SELECT campaign FROM sponsored_ads_traffic", /at least one aggregate/],
  [
    "SELECT user_id, COUNT(*) AS n FROM sponsored_ads_traffic GROUP BY user_id",
    /"user_id" cannot be in the result/,
  ],
  ["SELECT COUNT(*) AS n FROM sponsored_ads_traffic LIMIT 5", /LIMIT is not supported/],
  ["SELECT COUNT(*) AS n FROM sponsored_ads_traffic ORDER BY 1", /ORDER BY is only supported in a window/],
  [
    "SELECT COUNT(*) AS n FROM sponsored_ads_traffic WHERE campaign = CUSTOM_PARAMETER('name')",
    /"name" is not declared/,
  ],
] as const;

for (const [sql, reason] of FAILURES) {
  Deno.test(`the platform says why it does not run: ${sql}`, async () => {
    assert.match(await room.run(sql), reason);
  });
}

Deno.test("parameters are values, not parts of the query", async () => {
  const inputParameters = [{ name: "low", dataType: "INTEGER", defaultValue: "1" }, {
    name: "name",
    dataType: "STRING",
  }];
  const sql = `SELECT COUNT(DISTINCT user_id) AS users FROM sponsored_ads_traffic
    WHERE clicks >= CUSTOM_PARAMETER('low') AND campaign <> CUSTOM_PARAMETER('name')
    AND event_dt_utc >= BUILT_IN_PARAMETER('TIME_WINDOW_START')`;
  const text = await room.run(sql, { parameterValues: { name: "' OR 1=1 --" } }, { inputParameters });
  assert.match(text, /^users\n\d+\n$/);
  assert.match(await room.run(sql, {}, { inputParameters }), /"name" has no value/);
  const wrong = { parameterValues: { name: "a", low: "many" } };
  assert.match(await room.run(sql, wrong, { inputParameters }), /"low" is not of type INTEGER: many/);
  assert.match(
    await room.run(sql, { parameterValues: { name: "a", other: "1" } }, { inputParameters }),
    /"other" is not declared/,
  );
});

Deno.test("a dry run compiles the query and has no result", async () => {
  assert.match(await room.run("SELECT FROM", { dryRun: true }), /^FAILED/);
  const id = await room.start({ workflow: { workflowId: "x", sqlQuery: BY_CAMPAIGN }, dryRun: true });
  caller.emulator.advance(120);
  assert.equal((await room.look(id)).status, "SUCCEEDED");
  assert.match((await ask("GET", `workflowExecutions/${id}/downloadUrls`)).json.details, /unavailable/);
});

Deno.test("quotes within a result have a backslash", async () => {
  const text = await room.run(`SELECT 'say "hi", \\ you' AS words, COUNT(*) AS n FROM sponsored_ads_traffic`);
  assert.match(text, /^words,n\n"say \\"hi\\", \\\\ you",\d+\n$/);
});

Deno.test("ten executions run at once, and further ones wait", async () => {
  const body = { workflow: { workflowId: "x", sqlQuery: BY_CAMPAIGN }, timeWindowType: "MOST_RECENT_DAY" };
  const ids: string[] = [];
  for (let count = 0; count < 11; count++) ids.push(await room.start(body));
  caller.emulator.advance(45);
  const statuses = await Promise.all(ids.map(async (id) => (await room.look(id)).status));
  assert.deepEqual(statuses, [...Array(10).fill("RUNNING"), "PENDING"]);
  caller.emulator.advance(300);
  assert.equal((await room.look(ids[10] ?? "")).status, "SUCCEEDED");
});

Deno.test("an execution fails as a fault rule says, with a reason", async () => {
  const match = { operation: "workflow-management-service:createWorkflowExecution" };
  caller.emulator.setFaults([{ match, times: 1, effects: { reportOutcome: "FAILED" } }]);
  assert.match(await room.run(BY_CAMPAIGN), /^FAILED: An internal error occurred/);
  assert.match(await room.run(BY_CAMPAIGN), /^campaign,/);
});

Deno.test("clicks of a query are those of a report of the same time", async () => {
  const sql = "SELECT SUM(clicks) AS clicks, SUM(impressions) AS impressions FROM sponsored_ads_traffic";
  const text = await room.run(sql, { timeWindowTimeZone: "America/Los_Angeles" });
  const profile = caller.emulator.state.profile(caller.profile("US"));
  assert.ok(profile);
  const market = new Market(profile, { seed: caller.emulator.state.seed, asOf: caller.emulator.clock.now() });
  const span = daySpan("2026-09-25", "America/Los_Angeles");
  const days = (["sp", "sb", "sd"] as const).flatMap((family) =>
    readCampaigns(profile, family, market).flatMap((campaign) =>
      campaignDay(campaign, span, { market, asins: advertisedProducts(profile) })
    )
  ).flatMap(({ clauses }) => clauses);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const clicks = sum(days.map((day) => day.clicks.length));
  assert.equal(text, `clicks,impressions\n${clicks},${sum(days.map(({ impressions }) => impressions))}\n`);
});

Deno.test("a query that reads all columns by * has them filled", async () => {
  await caller.logIn();
  const count = async (source: string): Promise<number> =>
    Number((await room.run(`SELECT COUNT(*) AS n FROM ${source}`)).split("\n")[1]);
  const [all, unequal] = [
    await count("sponsored_ads_traffic"),
    await count("(SELECT DISTINCT * FROM sponsored_ads_traffic)"),
  ];
  assert.ok(all > 1000 && unequal > 0.9 * all, `${unequal} of ${all}`);
});
