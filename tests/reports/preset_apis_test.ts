import assert from "node:assert/strict";
import fc from "fast-check";
import { comparePresets, type ReportDifference } from "../../src/client/reports/compare_presets.ts";
import { presetSources } from "../../src/client/reports/preset_sources.ts";
import { TargetIds } from "../../src/client/reports/target_ids.ts";
import {
  REPORT_PRESET_NAMES,
  REPORT_PRESETS,
  type ReportPresetName,
} from "../../src/client/reports/requests/presets.ts";
import type { ReportKind } from "../../src/client/reports/requests/report_requests.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { reportTests } from "./report_ground.ts";
import { long } from "../support/long.ts";

const DAYS = ["2026-09-20", "2026-09-22"] as const;

/** Differences that lie in the nature of the new reports: themes of Sponsored Brands are no keywords and no targets. */
const BY_NATURE: Partial<Record<ReportPresetName, RegExp>> = {
  sb_targeting: /^(?:keywordId|targetingId)$/,
  sb_search_terms: /^keywordId$/,
};

const EMPTY_FOR_SELLERS = ["purchases14d", "sales14d", "unitsSoldClicks14d"];

const sellerTest = reportTests("US");

long();
sellerTest("each ready report is the same by both reporting APIs", async ({ client }) => {
  for (const report of REPORT_PRESET_NAMES) {
    const { differences, rows, columns, left } = await client.reports.compare(report, ...DAYS);
    const nature = BY_NATURE[report];
    const other = differences.filter(({ column, reporting1 }) =>
      !nature?.test(column) || reporting1 !== null
    );
    assert.deepEqual(other, [], report);
    if (report !== "sb_purchased_products") assert.equal(rows.reporting1, rows.reporting3, report);
    assert(rows.reporting1 > 0, report);
    const { columns: all } = REPORT_PRESETS[report];
    const missing = all.filter((column) => !columns.includes(column));
    assert.deepEqual(missing.filter((column) => !left.some((line) => line.includes(column))), [], report);
  }
});

sellerTest(
  "rows of the new reports have the columns and types of version 3",
  async ({ client, emulator }) => {
    const warnings: string[] = [];
    const kinds: string[] = [];
    const one = await client.reports.run("sp_targeting", ...DAYS, {
      reporting: 1,
      onWarning: (message) => {
        assert.equal(emulator.requests().filter(({ path }) => path.endsWith("create/reports")).length, 0);
        warnings.push(message);
      },
      onProgress: ({ kind, request }) => kinds.push(`${kind} ${request.startDate} ${request.endDate}`),
    });
    const three = await client.reports.run("sp_targeting", ...DAYS);
    const key = ({ date, keywordId }: ReportRow): string => `${date} ${keywordId}`;
    const byKey = new Map(three.map((row): [string, ReportRow] => [key(row), row]));
    for (const row of one) {
      const old = byKey.get(key(row))!;
      // The window that is counted comes last where version 3 does not have it.
      assert.deepEqual(Object.keys(row), [...Object.keys(old), "unitsSoldClicks7d"]);
      for (const column of Object.keys(old)) {
        if (row[column] !== null) assert.equal(row[column], old[column]);
      }
      for (const column of EMPTY_FOR_SELLERS) assert.equal(row[column], null);
      assert.equal(row["sales7d"], old["sales7d"]);
    }
    assert.match(warnings.join("\n"), /keywordBid, adKeywordStatus, .* are empty: no field/);
    assert.match(
      warnings.join("\n"),
      /purchases14d, sales14d, .* count purchases of this account for 7 days/,
    );
    assert.equal(kinds[0], `requested ${DAYS[0]} ${DAYS[1]}`);
    assert.equal(kinds.at(-1), `done ${DAYS[0]} ${DAYS[1]}`);
  },
);

sellerTest("the window that the new reports count comes beside the empty one", async ({ client }) => {
  const rows = await client.reports.run("sp_purchased_products", ...DAYS, { reporting: 1 });
  const old = await client.reports.run("sp_targeting", ...DAYS, { columns: ["purchases7d"] });
  const sum = (list: readonly ReportRow[]): number =>
    list.reduce((all, row) => all + Number(row["purchases7d"]), 0);
  assert(rows.every(({ purchases14d }) => purchases14d === null));
  assert(sum(rows) > 0 && sum(rows) <= 2 * sum(old));
});

sellerTest("totals, columns, filters and 15 months are asked for in fields", async ({ client }) => {
  const totals = await client.reports.run("sp_campaigns", ...DAYS, {
    reporting: 1,
    timeUnit: "SUMMARY",
    columns: ["clicks"],
    filters: { campaignStatus: "ENABLED" },
  });
  const old = await client.reports.run("sp_campaigns", ...DAYS, {
    timeUnit: "SUMMARY",
    columns: ["clicks"],
    filters: { campaignStatus: "ENABLED" },
  });
  const sorted = (rows: readonly ReportRow[]): unknown[] => rows.map(({ clicks }) => Number(clicks)).sort();
  assert.deepEqual(sorted(totals), sorted(old), "rows stay apart although no id is shown");
  assert.deepEqual(Object.keys(totals[0]!), ["startDate", "endDate", "clicks"]);
  const long = await client.reports.run("sp_campaigns", "2025-07-01", "2025-07-02", { reporting: 1 });
  assert(long.length > 0, "14 months ago");
});

sellerTest("the ids come from entities that are given, and rows without one are kept", async ({ client }) => {
  const warnings: string[] = [];
  const [first] = await client.sp.keywords.list();
  const rows = await client.reports.run("sp_targeting", ...DAYS, {
    reporting: 1,
    entities: new Map([["sp.keywords", [first!]]]),
    onWarning: (message) => warnings.push(message),
  });
  const all = await client.reports.run("sp_targeting", ...DAYS);
  assert.equal(rows.length, all.length);
  const ids = new Set(rows.map(({ keywordId }) => keywordId));
  assert([...ids].every((id) => id === null || id === first!.keywordId));
  const without = rows.filter(({ keywordId }) => keywordId === null).length;
  assert(warnings.some((text) => text.startsWith(`${without} of ${rows.length} rows are of keywords`)));
});

sellerTest(
  "what the new reports cannot answer is refused before anything is sent",
  async ({ client, emulator }) => {
    const before = emulator.requests().length;
    const refused = async (
      report: ReportKind,
      options: object,
      error: RegExp,
      start: string = DAYS[0],
    ): Promise<void> => {
      const run = client.reports.run(report, start, DAYS[1], {
        ...options,
        reporting: 1,
      });
      await assert.rejects(run, error);
    };
    await refused(
      "sp_campaigns",
      { columns: ["clickz"] },
      /column "clickz" of sp_campaigns: did you mean clicks\?/,
    );
    await refused("sp_campaigns", { columns: ["sales14d"] }, /sales14d is empty: .* 7 days/);
    await refused(
      "sp_campaigns",
      { filters: { keywordBid: "1" } },
      /Cannot filter sp_campaigns by "keywordBid"/,
    );
    await refused("sp_campaigns", { format: "XLSX" }, /as XLSX/);
    await refused("sp_campaigns", { name: "mine" }, /"mine": new reports have no names/);
    await refused("sp_campaigns", { check: false }, /unchecked/);
    await refused(
      "sp_campaigns",
      {},
      /before what the platform keeps by date.value: 15 months/,
      "2025-01-01",
    );
    await refused("sp_nothing", {}, /Cannot find a report "sp_nothing"/);
    const configuration = { adProduct: "SPONSORED_PRODUCTS", reportTypeId: "spCampaigns" };
    await refused(
      { ...configuration, groupBy: ["campaign"], columns: ["clicks"] },
      {},
      /it has no short name/,
    );
    assert.equal(emulator.requests().length, before);
  },
);

Deno.test("a vendor's figures are those of 14 days", async () => {
  const shape = { adProduct: "SPONSORED_PRODUCTS", columns: ["sales7d", "sales14d"], key: ["campaignId"] };
  const filled = async (accountType: string): Promise<string[]> =>
    (await presetSources({ ...shape, accountType })).flatMap(({ column, field }) =>
      field === undefined ? [] : [column]
    );
  assert.deepEqual(await filled("vendor"), ["sales14d"]);
  assert.deepEqual(await filled("seller"), ["sales7d"]);
});

Deno.test("a keyword is found by ad group, text and match type, in any state, unless two have them", () => {
  const keyword = (keywordId: string, state: string, more = {}): Record<string, unknown> => ({
    keywordId,
    adGroupId: "1",
    keywordText: "Camp Stove",
    matchType: "EXACT",
    state,
    ...more,
  });
  const find = (...list: Record<string, unknown>[]): string | undefined =>
    new TargetIds("SPONSORED_PRODUCTS", new Map([["sp.keywords", list]])).find("1", "camp stove", "exact");
  assert.equal(find(keyword("5", "ENABLED")), "5");
  assert.equal(find(keyword("5", "ARCHIVED")), "5");
  assert.equal(find(keyword("5", "ARCHIVED"), keyword("6", "PAUSED"), keyword("7", "ARCHIVED")), "6");
  assert.equal(find(keyword("5", "ARCHIVED"), keyword("6", "ARCHIVED")), undefined);
  assert.equal(find(keyword("5", "ENABLED", { matchType: "BROAD" })), undefined);
  assert.equal(find(keyword("5", "ENABLED", { adGroupId: "2" })), undefined);
  const target = {
    targetId: "8",
    adGroupId: "1",
    state: "ENABLED",
    expression: [{ type: "ASIN_SAME_AS", value: "B0" }],
  };
  const ids = new TargetIds("SPONSORED_PRODUCTS", new Map([["sp.targets", [target]]]));
  assert.equal(ids.find("1", 'asin="b0"', "TARGETING_EXPRESSION"), "8");
});

async function* streamed(rows: readonly ReportRow[]): AsyncGenerator<ReportRow> {
  yield* rows;
}

Deno.test("rows in another order are the same, and each changed figure is one difference", async () => {
  const sources = [{ column: "campaignId", field: "campaign.id" }, {
    column: "clicks",
    field: "metric.clicks",
  }];
  const compared = async (a: ReportRow[], b: ReportRow[]): Promise<readonly ReportDifference[]> =>
    (await comparePresets({ report: "sp_campaigns", sources }, {
      reporting3: streamed(a),
      reporting1: streamed(b),
    }, { isDaily: true })).differences;
  const list = fc.uniqueArray(fc.record({ campaignId: fc.nat().map(String), clicks: fc.nat(999) }), {
    minLength: 1,
    selector: ({ campaignId }) => campaignId,
  });
  await fc.assert(fc.asyncProperty(list, fc.nat(), async (some, pick) => {
    const rows = some.map((row): ReportRow => ({ date: "2026-11-01", ...row }));
    assert.deepEqual(await compared(rows, rows.toReversed()), []);
    const at = pick % rows.length;
    const changed = rows.map((row, index) =>
      index === at ? { ...row, clicks: Number(row["clicks"]) + 1 } : row
    );
    const [difference, ...none] = await compared(rows, changed);
    assert.deepEqual(none, []);
    assert.equal(difference?.column, "clicks");
    assert.equal(difference?.key["campaignId"], rows[at]!["campaignId"]);
    assert.equal((await compared(rows, rows.toSpliced(at, 1)))[0]?.column, "rows");
  }));
});
