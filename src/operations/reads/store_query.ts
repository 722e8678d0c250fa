import { dayOf } from "../../base/time/calendar.ts";
import { readAsOf, readDayRange } from "../../base/time/moment.ts";
import { immatureNote } from "../../store/figures/immature_note.ts";
import type { FoundRows, StoreQuery } from "../../store/model/query_question.ts";
import type { Conversion } from "../../store/model/store_view.ts";
import { checkConversion } from "../../store/views/check_rates.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { InputOf } from "../model/field.ts";
import { defineOperation, JSON_SPELLING, type Spelling } from "../model/operation.ts";

export interface QueryContext {
  readonly store: Warehouse;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Rows without `max_rows`, and the most that may be asked for, which depend on where the rows go. */
  readonly limit: { readonly rows: number; readonly most: number };
  /** Runs the statement, such as in a process that can be stopped. @default the store itself */
  readonly query?: ((query: Omit<StoreQuery, "signal">) => Promise<FoundRows>) | undefined;
  /** Path of the statement's file, for messages. */
  readonly source?: string | undefined;
}

export interface QueriedRows extends FoundRows {
  /** Why nothing was known at the time that was asked for. */
  readonly unknown: string | undefined;
  /** Sales still to come, days that are not stored, and fields without effect. */
  readonly notes: readonly string[];
}

type Input = InputOf<typeof storeQuery.input>;

/** Fields without effect in a statement that has none of their macros. */
const MACROS = { start: ["start", "end"], end: ["end"], profiles: ["profiles"] } as const;

export const storeQuery = defineOperation<QueryContext, QueriedRows>()({
  name: "query",
  effect: "read",
  tool: "query_reports",
  title: "Query stored reports",
  summary: "Run a read-only SQL query, typed or from a file",
  details:
    "Each report and each kind of entity is a view (sp_placement, sp_keywords) with country_code, profile_id, " +
    "date and snake_case columns. performance, search_term_performance and budget_pressure add common " +
    "metrics; mart_campaign_day and other marts have warehouse columns. Views ending in _history hold every " +
    "version, with known_from and known_to. adsctl store schema lists them all. The statement can use {start}, " +
    "{end}, {today}, {profiles} and days such as :YYYYMMDD-7 or :YYYY-MM-DD-7. The database rejects writes.",
  brief: "Runs one read-only SQL statement on the report store. " +
    "Each report preset is a view (sp_placement, sp_search_terms and so on) with country_code, " +
    "profile_id, date and the report's columns, one row per day. Entities: sp_keywords, sp_campaigns_entities " +
    "and so on. Common metrics: performance, search_term_performance, budget_pressure (impressions, clicks, " +
    "cost, orders, sales, acos, roas, week, month, currency). report_coverage shows what is stored.",
  examples: [
    {
      input: { sql: "SELECT date, sum(cost) AS cost FROM sp_placement GROUP BY date ORDER BY date" },
      about: "sum spend by day",
    },
    {
      input: {
        sql: "SELECT * FROM sp_search_terms WHERE country_code = ? AND clicks > 20",
        params: ["US"],
      },
      about: "bind a value",
    },
    {
      input: { sql: "SELECT sum(sales_14d) AS sales FROM sp_campaigns", as_of: "2026-11-01T08:00Z" },
      about: "query data as known at an earlier time",
    },
  ],
  library: 'const { rows } = await store.query("SELECT count(*) AS n FROM sp_placement")',
  input: {
    sql: {
      type: "text",
      value: "sql",
      required: true,
      help: "SQL statement, a .sql file, @file, or - for standard input",
      brief: "Macros: {start}, {end}, {profiles}",
    },
    params: {
      type: "parameters",
      help: "value for the next placeholder",
      brief: "Values for ?",
    },
    start: {
      type: "day",
      orPeriod: true,
      isRare: true,
      help: "value of {start}: a day, -7, or a period such as 'last week'",
      otherwise: "30 days",
      brief: "{start}: YYYY-MM-DD, -N or last week; default 30 days",
    },
    end: {
      type: "day",
      orPeriod: true,
      isRare: true,
      help: "value of {end}",
      otherwise: "yesterday",
      brief: "{end}; default -1",
    },
    profiles: {
      type: "words",
      option: "profiles",
      isRare: true,
      help: "value of {profiles}: country codes or ids",
      otherwise: "all stored",
      brief: "{profiles}: country codes or ids; default all stored",
    },
    as_of: {
      type: "moment",
      value: "time",
      help: "reports as known at this time: 2026-11-01 (its end), 2026-11-01T08:00Z, or -7 (days ago)",
      brief: "Reports as known then: 2026-11-01 (its end), -7 or 2026-11-01T08:00:00Z",
    },
    max_rows: {
      type: "whole",
      min: 1,
      isRare: true,
      help: "maximum rows",
      otherwise: "all in a command, or 10000 on a terminal; 10000 in a tool; 2000 in a page",
      brief: "To cut after fewer",
    },
    currency: {
      type: "text",
      value: "code",
      isRare: true,
      help: "convert amounts in performance, search_term_performance and budget_pressure",
      brief: "Converts amounts of common metrics to it, with rates",
    },
    rates: {
      type: "table",
      columns: {
        currency: { type: "text", required: true },
        rate: { type: "amount", required: true },
        from: { type: "text" },
      },
      maxRows: 1000,
      isRare: true,
      help: "conversion rates: currency, rate (value of one unit) and, if rates change, from",
      brief: "Value of one unit of each other currency; from: first day",
    },
  },
  check(input, spelling): void {
    conversionOf(input, spelling);
  },
  async run({ store, now, limit, query, source = "sql" }, input): Promise<QueriedRows> {
    const { sql: written, params = [], start = "30 days", end, profiles: named, as_of: when } = input;
    // A tool server starts without them.
    const { fillMacros, storedProfiles } = await import("../../store/figures/query_macros.ts");
    const { missingDaysNote } = await import("../../store/figures/missing_days_note.ts");
    const today = dayOf(now);
    const range = readDayRange({ start, end }, today);
    const { max_rows: maxRows = limit.rows } = input;
    if (maxRows > limit.most) {
      throw new RangeError(`Cannot return ${maxRows} rows: max_rows is at most ${limit.most} here`);
    }
    const profiles = written.includes("{profiles}") ? await storedProfiles(store, named) : [];
    const sql = fillMacros(written, source, { range, today, profiles });
    const asOf = when === undefined ? undefined : readAsOf(when, "as_of", { now });
    const asked = { sql, params, maxRows, asOf, conversion: conversionOf(input) };
    const found = await (query?.(asked) ?? store.query(sql, params, asked));
    const statement = { sql, params };
    return {
      columns: found.columns,
      rows: found.rows,
      truncated: found.truncated,
      unknown: asOf === undefined ? undefined : await store.whyUnknownAt(asOf),
      notes: [
        ...withoutEffect(input),
        ...await immatureNote({ rows: found.rows, statement }, store, { today, asOf }),
        ...asOf === undefined ? await missingDaysNote(statement, store) : [],
      ],
    };
  },
  lines: ({ unknown, notes }) => unknown === undefined ? notes : [unknown, ...notes],
});

function withoutEffect(input: Input): string[] {
  return (["start", "end", "profiles"] as const).flatMap((name) => {
    const macros = MACROS[name];
    if (input[name] === undefined || macros.some((macro) => input.sql.includes(`{${macro}}`))) return [];
    return [`${name} has no effect: the statement has no {${macros.join("} or {")}}`];
  });
}

/** @throws {RangeError | TypeError} when one of both fields is missing, or a rate cannot be used. */
function conversionOf(
  { currency, rates }: Pick<Input, "currency" | "rates">,
  { field }: Spelling = JSON_SPELLING,
): Conversion | undefined {
  if (currency === undefined && rates === undefined) return undefined;
  if (currency === undefined) {
    throw new RangeError(`Cannot use ${field("rates")} without ${field("currency")}: name the currency`);
  }
  if (rates === undefined) {
    throw new RangeError(`Cannot convert to ${currency} without rates: add ${field("rates")}`);
  }
  const conversion = {
    currency: currency.trim().toUpperCase(),
    rates: rates.map(({ currency: code, rate, from }) => ({
      currency: code.trim().toUpperCase(),
      rate,
      from,
    })),
  };
  checkConversion(conversion);
  return conversion;
}
