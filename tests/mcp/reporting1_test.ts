import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";
import { long } from "../support/long.ts";

const ASKED = { market: "US", report: "sp_campaigns", start: "2025-09-01", end: "2025-09-07", reporting: 1 };

function created({ emulator }: World): number {
  return emulator.requests().filter(({ path }) => path.endsWith("/create/reports")).length;
}

Deno.test("run_report takes up a new report that an earlier call asked for", async () => {
  await using world = await World.start({ quirks: { reportSeconds: 600 } });
  {
    await using agent = await Agent.connect(world.context());
    const { isError, text } = await agent.call("run_report", { ...ASKED, wait_seconds: 1 });
    equal(isError, true);
    match(text, /still PENDING/);
  }
  equal(created(world), 1);
  world.emulator.advance(600);
  await using agent = await Agent.connect(world.context());
  const { data, isError, text } = await agent.call("run_report", { ...ASKED, sort_by: "acos" });
  equal(created(world), 1, "a later server asks for nothing");
  equal(isError, false, text);
  ok(data.total > 7);
  ok(data.rows[0].acos > 0);
  equal(data.rows[0].acos, Math.round(data.rows[0].cost / data.rows[0].sales7d * 10_000) / 10_000);
  equal(data.rows[0].sales14d, null);
  match(data.notes.join(), /sales14d are empty: new reports count purchases of this account for 7 days/);
  const again = await agent.call("run_report", { ...ASKED, sort_by: "acos" });
  deepEqual([again.data.rows, created(world)], [data.rows, 1]);
  match(again.data.notes.join(), /sales14d are empty.*Read \d+ s ago/);
  const sorted = await agent.call("run_report", { ...ASKED, sort_by: "sales14d" });
  match(sorted.text, /Cannot sort by "sales14d"/);
});

Deno.test("run_report asks anew for a report that the platform has forgotten, or that failed", async () => {
  await using world = await World.start({ quirks: { reportSeconds: 600 } });
  await using agent = await Agent.connect(world.context());
  const first = await agent.call("run_report", { ...ASKED, wait_seconds: 1 });
  const [, reportId = ""] = /"([0-9a-f]{32})"/.exec(first.text) ?? [];
  const us = await (await world.context().ads()).profile("US");
  const json = { reportIds: [reportId] };
  await us.request("POST", "/adsApi/v1/delete/reports", { json, scoped: false });
  const second = await agent.call("run_report", { ...ASKED, wait_seconds: 1 });
  match(second.text, /still PENDING/);
  equal(created(world), 2);
  world.emulator.advance(600);
  equal((await agent.call("run_report", ASKED)).isError, false);
  equal(created(world), 2);

  const other = { ...ASKED, start: "2025-09-02" };
  world.emulator.setFaults([{
    match: { path: "/adsApi/v1/create/reports" },
    times: 1,
    effects: { reportOutcome: "FAILURE", reportSeconds: 0 },
  }]);
  match((await agent.call("run_report", other)).text, /the platform says FAILED/);
  await agent.call("run_report", { ...other, wait_seconds: 1 });
  equal(created(world), 4, "what failed is not taken up");
});

Deno.test("run_report refuses what the new reports do not answer before anything is sent", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const refused = async (args: Record<string, unknown>, why: RegExp): Promise<void> => {
    const { isError, text } = await agent.call("run_report", { ...ASKED, ...args });
    equal(isError, true);
    match(text, why);
  };
  const configuration = {
    adProduct: "SPONSORED_PRODUCTS",
    reportTypeId: "spCampaigns",
    groupBy: ["campaign"],
  };
  await refused(
    { report: { ...configuration, columns: ["clicks"] } },
    /Cannot use reporting with this report: the new reports have campaigns/,
  );
  await refused({ reporting: 2 }, /reporting/);
  await refused({ start: "2024-01-01" }, /15/);
  await refused({ columns: ["clikcs"] }, /did you mean clicks/);
  equal(created(world), 0);
});

const FIELDS = {
  market: "US",
  report: { fields: ["campaign.name", "costPerClick", "metric.sales"], currency: "EUR" },
  filters: { "adProduct.value": ["SPONSORED_PRODUCTS"] },
  start: "2026-09-01",
  end: "2026-09-07",
};

Deno.test("run_report answers a report of fields with the rows of its market alone, and takes it up", async () => {
  await using world = await World.start({ quirks: { reportSeconds: 600 } });
  await using agent = await Agent.connect(world.context());
  match((await agent.call("run_report", { ...FIELDS, wait_seconds: 1 })).text, /still PENDING/);
  world.emulator.advance(600);
  const { data, isError, text } = await agent.call("run_report", { ...FIELDS, sort_by: "metric.sales" });
  equal(isError, false, text);
  equal(created(world), 1);
  ok(data.total > 3);
  ok(data.rows[0]["metric.sales"] >= data.rows[1]["metric.sales"]);
  ok(data.rows[0]["metric.salesConverted"] > 0);
  deepEqual([...new Set(data.rows.map((row: Record<string, unknown>) => row["budgetCurrency.value"]))], [
    "USD",
  ]);
  const notes = data.notes.join("\n");
  match(notes, /Asked for the rows of US alone/);
  match(notes, /costPerClick .*metric\.cpc/);
  const sp = await agent.call("run_report", {
    ...FIELDS,
    filters: { "adProduct.value": ["SPONSORED_BRANDS"] },
    wait_seconds: 1,
  });
  match(sp.text, /still PENDING/);
  equal(created(world), 2, "other filters are another report");
});

Deno.test("run_report leaves out the rows of values that a filter excludes", async () => {
  await using world = await World.start({ quirks: { reportSeconds: 0 } });
  await using agent = await Agent.connect(world.context());
  const products = async (filters: Record<string, string[]>): Promise<unknown[]> => {
    const report = { fields: ["adProduct.value", "metric.clicks"] };
    const { data, text } = await agent.call("run_report", { ...FIELDS, report, filters });
    ok(Array.isArray(data?.rows), text);
    return data.rows.map((row: Record<string, unknown>) => row["adProduct.value"]).sort();
  };
  deepEqual(await products({ "adProduct.value": ["SPONSORED_PRODUCTS"] }), ["SPONSORED_PRODUCTS"]);
  deepEqual(await products({ "adProduct.value!": ["SPONSORED_PRODUCTS"] }), [
    "SPONSORED_BRANDS",
    "SPONSORED_DISPLAY",
  ]);
});

Deno.test("run_report refuses reports of fields that do not fit, or see other profiles, before anything is sent", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const refused = async (args: Record<string, unknown>, why: RegExp): Promise<void> => {
    const { isError, text } = await agent.call("run_report", { ...FIELDS, ...args });
    equal(isError, true, text);
    match(text, why);
  };
  const { report } = FIELDS;
  await refused({ report: { fields: ["metric.clikcs"] } }, /did you mean metric.clicks/);
  await refused({ report: { fields: "metric.clicks" } }, /is not a list of names/);
  await refused(
    { report: { ...report, wholeAccount: true } },
    /Cannot use "wholeAccount" in a report of fields/,
  );
  await refused({ report: { ...report, profiles: ["1"] } }, /Cannot use "profiles"/);
  await refused({ report: { ...report, currency: 5 } }, /currency is not a text/);
  await refused({ filters: { "campaign.country": ["DE"] } }, /market says whose rows the report has/);
  await refused({ filters: { "campain.id": ["1"] } }, /did you mean campaign.id/);
  await refused({ columns: ["clicks"] }, /its fields are the columns/);
  await refused({ time_unit: "SUMMARY" }, /Cannot use time_unit/);
  await refused({ reporting: 3 }, /Cannot read fields from old reports/);
  await refused({ sort_by: "metric.clicks" }, /Cannot sort by "metric.clicks"/);
  equal(created(world), 0);
});

Deno.test("report_fields finds fields by words, and checks what goes together", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const search = await agent.call("report_fields", { words: "cost per click", limit: 5 });
  equal(search.data.rows[0].field, "metric.cpc");
  match(search.data.rows[0].requires, /budgetCurrency.value/);
  ok((await agent.call("report_fields", {})).data.total > 800);
  const check = await agent.call("report_fields", {
    fields: ["hour.value", "costPerClick", "metric.impressionShare", "campaign.id"],
    start: "2026-09-01",
    end: "2026-09-07",
  });
  deepEqual(check.data.rows[0], { field: "hour.value" });
  const notes = check.data.notes.join("\n");
  match(notes, /Does not fit: metric.impressionShare does not go with/);
  match(notes, /Does not fit: .*14 days/);
  match(notes, /costPerClick .*metric\.cpc/);
  match(notes, /budgetCurrency.value was added/);
  match(notes, /hour.value: 14 days are kept/);
  match((await agent.call("report_fields", { words: "clikcs" })).text, /Did you mean metric.clicks\?/);
  match((await agent.call("report_fields", { words: "x", fields: ["y"] })).text, /give words or fields/);
});

Deno.test("sync_reports stores days of the new reports that version 3 does not keep", async () => {
  await using world = await World.start({ quirks: { reportSeconds: 0 } });
  const store = new StoreAccess(`${world.folder}/ads.sqlite`);
  await using agent = await Agent.connect(world.context({}, { store }));
  const args = { markets: ["US"], reports: ["sp_campaigns"], entities: false };
  const days = { start: "2025-09-01", end: "2025-09-03" };
  const { isError, text } = await agent.call("sync_reports", { ...args, ...days, reporting: 1 });
  equal(isError, false, text);
  const { data } = await agent.call("query_reports", {
    sql:
      "SELECT reporting, min(date) AS first, max(date) AS last, count(*) AS days FROM days GROUP BY reporting",
  });
  deepEqual(data.rows, [{ reporting: 1, first: days.start, last: days.end, days: 3 }]);
  await store.close();
});

long();
Deno.test("sync_reports stores hours where it is asked to", async () => {
  await using world = await World.start({ quirks: { reportSeconds: 0 } });
  const store = new StoreAccess(`${world.folder}/ads.sqlite`);
  await using agent = await Agent.connect(world.context({}, { store }));
  const hours = async (): Promise<unknown> => {
    const sql = "SELECT count(DISTINCT hour) AS hours FROM sp_traffic_hourly WHERE date = '2026-09-28'";
    return (await agent.call("query_reports", { sql })).data.rows;
  };
  const args = { markets: ["US"], reports: ["sp_campaigns"], entities: false, start: "2026-09-28" };
  equal((await agent.call("sync_reports", args)).isError, false);
  deepEqual(await hours(), [{ hours: 0 }]);
  const { isError, text } = await agent.call("sync_reports", { ...args, hours: true });
  equal(isError, false, text);
  deepEqual(await hours(), [{ hours: 24 }]);
  await store.close();
});
