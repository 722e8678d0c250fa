import assert from "node:assert/strict";
import { test } from "node:test";
import { columnType } from "../../src/client/reports/file/report_row.ts";
import { namedReport } from "../../src/client/reports/requests/named_report.ts";
import { columnsOf, reportTypes } from "../../src/client/reports/requests/report_types.ts";
import { reportLimits } from "../../src/client/reports/requests/report_requests.ts";
import type { ProfileClient } from "../../mod.ts";
import type { TypedReportRow } from "../../src/client/reports/mod.ts";
import { emulated } from "../support/emulated.ts";
import { long } from "../support/long.ts";

/** Compiles where both types are the same. */
function isSame<A, B>(_same: [A] extends [B] ? [B] extends [A] ? true : false : false): void {}

/** Checked by the compiler, never run. */
export async function rowsHaveTheTypesOfTheirColumns(us: ProfileClient): Promise<void> {
  const days = await us.reports.run(
    { type: "spCampaigns", groupBy: ["campaign"], columns: ["campaignId", "campaignName", "clicks", "cost"] },
    "2026-10-01",
    "2026-10-07",
  );
  type Day = typeof days[number];
  isSame<Day["campaignId"], string | null>(true);
  isSame<Day["cost"], number | null>(true);
  isSame<Day["date"], string>(true);
  // @ts-expect-error -- a column that was not asked for
  days[0]?.sales14d;

  const totals = await us.reports.run(
    { type: "stCampaigns", groupBy: ["adGroup"], columns: ["adGroupId", "reach"], timeUnit: "SUMMARY" },
    "2026-10-01",
    "2026-10-07",
  );
  isSame<keyof typeof totals[number], "adGroupId" | "reach" | "startDate" | "endDate">(true);

  for await (
    const row of us.reports.stream(
      { type: "dspTech", groupBy: ["order", "deviceType"], columns: ["orderId", "deviceName", "totalCost"] },
      "2026-10-01",
      "2026-10-07",
    )
  ) isSame<typeof row["totalCost"], number | null>(true);

  // @ts-expect-error -- a type that is not published
  await us.reports.run({ type: "spCampaign", groupBy: ["campaign"], columns: ["clicks"] }, "", "");
  // @ts-expect-error -- a grouping that the type does not have
  await us.reports.run({ type: "spCampaigns", groupBy: ["asin"], columns: ["clicks"] }, "", "");
  // @ts-expect-error -- a column of another grouping
  await us.reports.run({ type: "spCampaigns", groupBy: ["campaign"], columns: ["adGroupId"] }, "", "");
  isSame<TypedReportRow<"clicks">, { clicks: number | null; date: string }>(true);
}

test("what is known of a type before its columns are loaded is what is published", async () => {
  for (const { reportTypeId, adProduct, maxDays, timeUnits, base } of (await reportTypes()).values()) {
    assert.deepEqual(reportLimits(reportTypeId), {
      adProduct,
      maxDays,
      isDaily: timeUnits.includes("DAILY"),
      hasRange: base.includes("startDate") && base.includes("endDate"),
    });
  }
  assert.equal(reportLimits("constructor"), undefined);
});

test("a typed report gives the rows of its configuration, with the published types", async () => {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  const [start, end] = ["2026-09-20", "2026-09-26"] as const;
  const rows = await world.us.reports.run(
    { type: "spTargeting", groupBy: ["targeting"], columns: ["keywordId", "matchType", "clicks", "cost"] },
    start,
    end,
  );
  assert(rows.length > 0);
  assert.deepEqual(
    rows,
    await world.us.reports.run(
      {
        adProduct: "SPONSORED_PRODUCTS",
        reportTypeId: "spTargeting",
        groupBy: ["targeting"],
        columns: ["keywordId", "matchType", "clicks", "cost"],
      },
      start,
      end,
    ),
  );
  assert.equal(typeof rows[0]?.clicks, "number");
  await assert.rejects(
    async () =>
      await world.us.reports.run(
        { type: "spTargetin" as "spTargeting", groupBy: ["targeting"], columns: ["clicks"] },
        start,
        end,
      ),
    /Cannot find a type of report "spTargetin"\. Did you mean "spTargeting"\?/,
  );
});

test("a range that one report of its type may span is one request", async () => {
  await using world = await emulated();
  const { requests } = world.us.reports.requests(
    { type: "spGrossAndInvalids", groupBy: ["campaign"], columns: ["clicks"] },
    { start: "2026-06-01", end: "2026-08-31" },
  );
  assert.equal(requests.length, 1);
});

long();
test("every value of every type has the type that its column is published with", async () => {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  for (const { reportTypeId: type, groups } of (await reportTypes()).values()) {
    for (const group of groups.keys()) {
      const rows = await world.us.reports.run(
        await namedReport(`${type}:${group}`),
        "2026-09-27",
        "2026-09-28",
      );
      assert(rows.length > 0, `${type}:${group}`);
      for (const [name, value] of Object.entries(rows[0]!)) {
        if (value === null) continue;
        const expected = /^(?:text|date)$/.test(columnType(name) ?? "text") ? "string" : "number";
        assert.equal(typeof value, expected, `${type}:${group} ${name} ${value}`);
      }
    }
  }
});

test("a SUMMARY of the nine DSP types asks for no columns of days, and its rows have the range all the same", async () => {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  const types = [...(await reportTypes()).values()].filter(({ adProduct }) =>
    adProduct === "DEMAND_SIDE_PLATFORM"
  );
  assert.equal(types.length, 9);
  const [start, end] = ["2026-09-20", "2026-09-26"];
  for (const type of types) {
    const [group] = type.groups.keys();
    const columns = columnsOf(type, [group!]).filter((name) => name !== "date").slice(0, 5);
    const configuration = {
      adProduct: type.adProduct,
      reportTypeId: type.reportTypeId,
      groupBy: [group!],
      columns,
      timeUnit: "SUMMARY" as const,
    };
    const { requests } = world.us.reports.requests(configuration, { start, end });
    assert.deepEqual(requests[0]!.configuration.columns, columns, type.reportTypeId);
    const rows = await world.us.reports.run(configuration, start, end);
    assert.ok(rows.length > 0, type.reportTypeId);
    assert.deepEqual([rows[0]!["startDate"], rows[0]!["endDate"]], [start, end]);
    const asked = { ...configuration, columns: ["startDate", ...columns] };
    await assert.rejects(world.us.reports.run(asked, start, end), /it has no column "startDate"/);
    const unchecked = world.us.reports.run(asked, start, end, { check: false });
    await assert.rejects(unchecked, { name: "BadRequestError", message: /startDate/ });
  }
});

test("columns that the platform refuses although they are published are neither listed nor sent", async () => {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  const [start, end] = ["2026-09-20", "2026-09-26"];
  const refused: [string, string, string[]][] = [
    ["sbSearchTerm", "searchTerm", ["detailPageViews", "kindleEditionNormalizedPagesRead14d"]],
    ["sbTargeting", "targeting", ["kindleEditionNormalizedPagesRoyalties14d"]],
  ];
  for (const [reportTypeId, group, columns] of refused) {
    const type = (await reportTypes()).get(reportTypeId)!;
    for (const column of columns) {
      assert.ok(!columnsOf(type).includes(column) && !columnsOf(type, [group]).includes(column));
      const configuration = {
        adProduct: type.adProduct,
        reportTypeId,
        groupBy: [group],
        columns: ["campaignId", column],
      };
      world.asked();
      const run = world.us.reports.run(configuration, start, end);
      await assert.rejects(run, new RegExp(`the platform refuses its column "${column}"`));
      assert.deepEqual(world.asked(), []);
      const unchecked = world.us.reports.run(configuration, start, end, { check: false });
      await assert.rejects(unchecked, { name: "BadRequestError", message: new RegExp(column) });
    }
  }
});
