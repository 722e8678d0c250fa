import assert from "node:assert/strict";
import { test } from "node:test";
import { reportLayout } from "../../../src/store/model/report_layout.ts";
import { sqlDialect } from "../../../src/store/tables/sql_dialect.ts";
import type { SessionViews } from "../../../src/store/model/store_view.ts";
import { sessionViews } from "../../../src/store/views/store_views.ts";

const LAYOUTS = (["sp_placement", "sp_campaigns", "sb_campaigns", "sd_campaigns", "sp_targeting"] as const)
  .map(reportLayout);
const CONVERSION = { currency: "USD", rates: [] };

function names(statement: string, session: SessionViews): string[] {
  return sessionViews(statement, { layouts: LAYOUTS, dialect: sqlDialect("SQLite"), session })
    .map(({ name }) => name);
}

test("a query sees other views only where it asks for a moment or a currency, and only those that it reads", () => {
  assert.deepEqual(names("SELECT * FROM sp_placement, performance", {}), []);
  assert.deepEqual(names("SELECT * FROM sp_placement", { conversion: CONVERSION }), []);
  assert.deepEqual(names("SELECT * FROM PERFORMANCE", { conversion: CONVERSION }), ["performance"]);
  assert.deepEqual(names("SELECT * FROM sp_placement JOIN days", { asOf: 0 }), ["days", "sp_placement"]);
  assert.deepEqual(names("SELECT * FROM sp_keywords", { asOf: 1 }), ["sp_keywords"]);
  assert.deepEqual(names("SELECT 1", { asOf: 1, conversion: CONVERSION }), []);
});

test("views that others read come before them", () => {
  const read = names("SELECT * FROM budget_pressure", { asOf: 1 });
  assert.deepEqual(read, [
    "days",
    "sp_placement",
    "sp_campaigns",
    "sb_campaigns",
    "sd_campaigns",
    "budget_pressure",
  ]);
  assert.deepEqual(names("SELECT * FROM immature", { asOf: 1 }), ["days", "immature"]);
});
