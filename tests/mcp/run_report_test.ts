import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { reportColumns } from "../../src/interfaces/mcp/tools/run_report.ts";
import { REPORT_PRESETS, type ReportPresetName } from "../../src/client/reports/requests/presets.ts";
import { Agent } from "./support/agent.ts";
import { ReportWorld } from "./support/report_world.ts";

const question = { market: "US", report: "sp_campaigns", start: "2026-09-01", end: "2026-09-07" };

function campaigns(count: number) {
  return (report: { startDate: string }) =>
    Array.from(
      { length: count },
      (_, at) => ({ date: report.startDate, campaignId: String(at), cost: at % 7, clicks: at }),
    );
}

Deno.test("run_report waits, tells how far it is, and gives rows", async (t) => {
  await using world = new ReportWorld();
  world.host.rows = campaigns(300);
  const settings = { saveFolder: `${world.folder}/saved` };
  await using agent = await Agent.connect(world.context({ settings }));

  await t.step("with progress", async () => {
    const told: string[] = [];
    const result = await agent.client.callTool({ name: "run_report", arguments: question }, {
      onprogress: ({ message }) => told.push(message ?? ""),
    });
    const { rows, total, result_uri } = result.structuredContent as {
      rows: { cost: number }[];
      total: number;
      result_uri: string;
    };
    equal(rows.length, 50);
    equal(total, 300);
    equal(JSON.parse(await agent.read(result_uri)).length, 300);
    ok(told.some((line) => /^Asked for report /.test(line)));
    ok(told.some((line) => /^Report 1 of 1: PENDING for \d+ s$/.test(line)), told.join());
  });

  await t.step("sorted, so that what matters is in the answer", async () => {
    const { data } = await agent.call("run_report", { ...question, sort_by: "cost", limit: 3 });
    deepEqual(data.rows.map(({ cost }: { cost: number }) => cost), [6, 6, 6]);
    const asked = world.host.reports.length;
    const wrong = await agent.call("run_report", { ...question, start: "2026-09-02", sort_by: "price" });
    match(wrong.text, /Cannot sort by "price": expected one of .*campaignId, .*cost/);
    equal(world.host.reports.length, asked, "checked before anything is asked for");
  });

  await t.step("saved whole", async () => {
    const { data: { result_uri } } = await agent.call("run_report", { ...question, limit: 1 });
    const { data } = await agent.call("save_result", { result_uri, file: "campaigns.jsonl" });
    const lines = (await Deno.readTextFile(data.saved_to)).trimEnd().split("\n");
    equal(lines.length, 300);
  });

  await t.step("pages, orders and the same request again ask the platform for nothing", async () => {
    const asked = world.host.reports.length;
    const pages = await Promise.all(
      [0, 50, 299].map((offset) => agent.call("run_report", { ...question, offset })),
    );
    deepEqual(pages.map(({ data }) => data.rows.length), [50, 50, 1]);
    deepEqual(pages.map(({ data }) => data.total), [300, 300, 300]);
    match(pages[0]!.data.notes.join(), /^Read \d+ s ago$/);
    const byClicks = await agent.call("run_report", { ...question, sort_by: "clicks", limit: 1 });
    equal(byClicks.data.rows[0].clicks, 299);
    equal(world.host.reports.length, asked);
    await agent.call("run_report", { ...question, end: "2026-09-06" });
    equal(world.host.reports.length, asked + 1, "other days are another report");
  });

  await t.step("days may be counted back from today", async () => {
    await agent.call("run_report", { market: "US", report: "sp_campaigns", start: "-3", end: "-1" });
    const { startDate, endDate } = world.host.reports.at(-1)!;
    deepEqual([startDate, endDate], ["2026-09-27", "2026-09-29"]);
  });

  await t.step("a summary past 31 days says that its parts have totals of their own", async () => {
    const args = {
      market: "US",
      report: "sp_campaigns",
      start: "2026-08-01",
      end: "2026-09-20",
      time_unit: "SUMMARY",
    };
    const { data } = await agent.call("run_report", args);
    match(data.notes.join(), /each of 2 parts has its own totals/);
  });

  for (
    const [what, args, why] of [
      ["an unknown preset", { report: "sp_weather" }, /Expected one of campaigns, placement/],
      ["reversed days", { start: "2026-09-07", end: "2026-09-01" }, /the first day is after the last/],
      ["the future", { end: "2027-01-01" }, /in the future/],
      ["no day", { start: "tomorrow" }, /write a day/],
      ["an empty configuration", { report: {} }, /has no "adProduct"/],
    ] as const
  ) {
    await t.step(`refuses ${what}`, async () => {
      const asked = world.host.reports.length;
      const { isError, text } = await agent.call("run_report", { ...question, ...args });
      equal(isError, true);
      match(text, why);
      equal(world.host.reports.length, asked);
    });
  }
});

Deno.test("run_report asks for the usual columns, and computes and sorts by ACOS", async () => {
  await using world = new ReportWorld();
  world.host.rows = () =>
    [[10, 50], [30, 60], [5, 0]].map(([cost, sales14d], at) => ({
      campaignId: `${at}`,
      cost,
      sales14d,
    })) as never;
  await using agent = await Agent.connect(world.context());
  const { data } = await agent.call("run_report", { ...question, time_unit: "SUMMARY", sort_by: "acos" });
  deepEqual(data.rows.map(({ acos }: { acos: number }) => acos), [0.5, 0.2, null]);
  deepEqual(world.host.reports.at(-1)?.configuration.columns, [
    "startDate",
    "endDate",
    "campaignId",
    "campaignName",
    "impressions",
    "clicks",
    "cost",
    "purchases14d",
    "sales14d",
  ]);
  await agent.call("run_report", { ...question, columns: ["campaignId", "acos", "unitsSoldClicks14d"] });
  deepEqual(world.host.reports.at(-1)?.configuration.columns, [
    "date",
    "campaignId",
    "unitsSoldClicks14d",
    "cost",
    "sales14d",
  ]);
  await agent.call("run_report", { market: "US", report: "sp_campaigns", start: "last week" });
  const { startDate, endDate } = world.host.reports.at(-1)!;
  deepEqual([startDate, endDate], ["2026-09-21", "2026-09-27"]);
  const wrong = await agent.call("run_report", { ...question, columns: ["clicks"], sort_by: "acos" });
  match(wrong.text, /Cannot sort by "acos"/);
  for (const [name, { key }] of Object.entries(REPORT_PRESETS)) {
    const columns = reportColumns(name as ReportPresetName, undefined) ?? [];
    deepEqual(key.filter((column) => !columns.includes(column)), [], name);
    ok(columns.length <= 15, `${name}: ${columns.length} columns`);
  }
});

Deno.test("a report that is still pending when the client gives up is picked up by the next call", async (t) => {
  await t.step("after a cancellation, by another process", async () => {
    await using world = new ReportWorld();
    const gone = new AbortController();
    world.host.onWait = () => gone.abort();
    {
      await using agent = await Agent.connect(world.context());
      const lost = await agent.call("run_report", question, { signal: gone.signal }).catch(() => "gone");
      equal(lost, "gone");
    }
    world.host.onWait = () => {};
    world.host.reports[0]!.states = ["COMPLETED"];
    await using agent = await Agent.connect(world.context());
    equal((await agent.call("run_report", question)).data.total, 1);
    equal(world.host.asked("POST").length, 1);
    // It was read and kept; half an hour later its figures may have changed.
    await agent.call("run_report", question);
    equal(world.host.asked("POST").length, 1);
    world.host.now += 31 * 60_000;
    await agent.call("run_report", question);
    equal(world.host.asked("POST").length, 2);
  });

  await t.step("after the seconds it was to be waited for", async () => {
    await using world = new ReportWorld();
    world.host.states = ["PENDING"];
    await using agent = await Agent.connect(world.context());
    const { isError, text } = await agent.call("run_report", { ...question, wait_seconds: 20 });
    equal(isError, true);
    match(text, /still PENDING[^]*Call again to resume what is still being built/);
    world.host.reports[0]!.states = ["COMPLETED"];
    equal((await agent.call("run_report", question)).data.total, 1);
    equal(world.host.asked("POST").length, 1);
  });

  await t.step("but not one that failed, nor one that the platform has forgotten", async () => {
    await using world = new ReportWorld();
    world.host.states = ["FAILED"];
    await using agent = await Agent.connect(world.context());
    equal((await agent.call("run_report", question)).isError, true);
    world.host.states = ["PENDING"];
    equal((await agent.call("run_report", { ...question, wait_seconds: 5 })).isError, true);
    equal(world.host.asked("POST").length, 2);
    world.host.reports.length = 0;
    world.host.states = ["COMPLETED"];
    equal((await agent.call("run_report", question)).data.total, 1);
    equal(world.host.asked("POST").length, 3);
  });
});
