import assert from "node:assert/strict";
import { test } from "node:test";
import { namedReport } from "../../../src/client/reports/requests/named_report.ts";
import { REPORT_PRESET_NAMES } from "../../../src/client/reports/requests/presets.ts";
import { reportTypes } from "../../../src/client/reports/requests/report_types.ts";
import { layoutOf, reportLayout } from "../../../src/store/model/report_layout.ts";
import { storeSchema } from "../../../src/store/warehouse/store_schema.ts";
import { renamedStatement, viewColumn } from "../../../src/store/views/view_columns.ts";

test("columns of views are the platform's fields in snake_case", () => {
  const names = {
    keywordId: "keyword_id",
    keywordText: "keyword",
    sales14d: "sales_14d",
    eCPAddToCart: "ecp_add_to_cart",
    newToBrandECPDetailPageView: "new_to_brand_ecp_detail_page_view",
    video5SecondViews: "video_5_second_views",
    "3PFees": "3p_fees",
    date: "date",
  };
  for (const [field, column] of Object.entries(names)) assert.equal(viewColumn(field), column);
});

test("every view of every report and kind has columns in snake_case, no two alike", async () => {
  const words: string[] = [...REPORT_PRESET_NAMES];
  for (const { reportTypeId, groups } of (await reportTypes()).values()) {
    words.push(...[...groups.keys()].map((group) => `${reportTypeId}:${group}`));
  }
  const layouts = await Promise.all(words.map(async (word) => layoutOf(await namedReport(word))));
  // Tables of records of the stream are the platform's own.
  for (const { name, columns } of storeSchema(layouts).filter((table) => !table.name.startsWith("stream_"))) {
    const found = columns.map((column) => column.name);
    assert.deepEqual(found.filter((column) => !/^[a-z0-9_]+$/.test(column)), [], name);
    assert.equal(new Set(found).size, found.length, name);
  }
});

test("old names of columns are understood outside of texts and comments, and results keep them", () => {
  const layouts = [reportLayout("sp_targeting")];
  const found = (sql: string) => renamedStatement(sql, layouts);
  const old = found(
    `SELECT "keywordId", k.matchType, '"keywordId"', sum(sales14d) AS s /* keywordId */ FROM sp_targeting -- adGroupId`,
  );
  assert.equal(
    old.sql,
    `SELECT "keyword_id", k.match_type, '"keywordId"', sum(sales_14d) AS s /* keywordId */ FROM sp_targeting -- adGroupId`,
  );
  assert.deepEqual(Object.fromEntries(old.fields), {
    keyword_id: "keywordId",
    match_type: "matchType",
    sales_14d: "sales14d",
  });
  assert.deepEqual([...found('SELECT keyword_id, "keywordId" FROM sp_targeting').fields], []);
  for (
    const sql of ["SELECT keyword_id FROM sp_targeting", "SELECT $a$ keywordId $a$", "SELECT 1 /* keywordId"]
  ) {
    assert.deepEqual([found(sql).sql, found(sql).fields.size], [sql, 0]);
  }
});
