import { test } from "node:test";
import { doesNotMatch, match } from "../../support/assert.ts";
import { currencySql, sqlDialect } from "../../../src/store/tables/sql_dialect.ts";

test("PostgreSQL: a number in JSON is taken only where it is one, and anything else as its text", () => {
  const { json } = sqlDialect("PostgreSQL");
  match(json("e.data", "budget.budget", "number"), /json_typeof\(.*\) = 'number' .* AS double precision/);
  for (const type of ["text", "boolean"] as const) {
    doesNotMatch(json("e.data", "state", type), /json_typeof|double precision/);
    match(json("e.data", "budget.budgetType", type), /^e\.data #>> '\{budget,budgetType\}'$/);
  }
});

test("every marketplace has a currency", () => {
  const sql = currencySql("country_code");
  for (const pair of ["'US' THEN 'USD'", "'UK' THEN 'GBP'", "'JP' THEN 'JPY'"]) match(sql, new RegExp(pair));
  doesNotMatch(sql, /THEN '(?![A-Z]{3}')/);
});
