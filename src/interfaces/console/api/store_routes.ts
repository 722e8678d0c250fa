import { dayOf } from "../../../base/time/calendar.ts";
import { readAsOf, readDayRange } from "../../../base/time/moment.ts";
import { marketOf } from "../../../base/markets/markets.ts";
import { REPORT_PRESETS } from "../../../client/reports/requests/presets.ts";
import { storeSchema } from "../../../store/warehouse/store_schema.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import { type Route, textOf } from "../http/route.ts";
import { ensureStore, hasStore, withStore } from "../http/open_store.ts";
import { mostSpend } from "../../../store/figures/market_figures.ts";
import { fillMacros, storedProfiles } from "../../../store/figures/query_macros.ts";
import { queryNotes } from "../../../store/figures/query_notes.ts";
import { runStoreQuery } from "../../../store/warehouse/query_in_subprocess.ts";

const MAX_ROWS = 50_000;

export const STORE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/store",
    about: "Describes the store: tables that you can query, and stored days",
    gives:
      "`exists`, `tables` with their columns, `coverage` by profile and report with gaps, `currencies` of countries, the profile of `most_spend` in the last 30 days",
    run: async ({ context }) => {
      const tables = storeSchema().map((table) => ({
        ...table,
        key: Object.entries(REPORT_PRESETS).find(([name]) => name === table.name)?.[1].key ?? [],
      }));
      if (!hasStore(context)) {
        return { exists: false, tables, coverage: [], currencies: {}, most_spend: null };
      }
      const { coverage, most } = await withStore(context, async (store) => ({
        coverage: await store.coverage(),
        most: await mostSpend(store, context.now()),
      }));
      const countries = new Set(coverage.map(({ countryCode }) => countryCode));
      const currencies = Object.fromEntries([...countries].map((code) => [code, marketOf(code)?.currency]));
      return { exists: true, tables, coverage, currencies, most_spend: most };
    },
  },
  {
    method: "POST",
    path: "/api/store/query",
    about: "Runs one SQL statement that reads; the database refuses everything else",
    takes: {
      sql:
        "the statement; can use {start}, {end} (the last 30 days), {today}, {profiles} and days such as :YYYYMMDD-7",
      max_rows: "maximum number of rows (default: 2000)",
      as_of: "time at which the figures were known: ISO 8601, a day (its end), or days ago such as -7",
    },
    gives: "`columns`, `rows` as lists, `truncated`, `notes` on days that are missing or not final",
    run: async ({ context, body, signal }) => {
      const { max_rows: maxRows = 2000, as_of: asOf } = body;
      if (typeof maxRows !== "number" || !Number.isInteger(maxRows) || maxRows < 1 || maxRows > MAX_ROWS) {
        throw new ApiProblem(
          400,
          "BAD_REQUEST",
          `Cannot return this many rows: "max_rows" is not from 1 to ${MAX_ROWS}`,
        );
      }
      ensureStore(context);
      const now = context.now();
      const today = dayOf(now);
      const written = textOf(body, "sql");
      const when = typeof asOf === "string" && asOf !== "" ? asOf : undefined;
      const known = when === undefined
        ? undefined
        : await refusingBadInput(() => readAsOf(when, '"as_of"', { now }));
      return await withStore(context, async (store) => {
        const profiles = /\{profiles\}/.test(written) ? await storedProfiles(store) : [];
        const range = readDayRange({ start: "30 days" }, today);
        const query = {
          sql: await refusingBadInput(() => fillMacros(written, "sql", { range, today, profiles })),
          params: [],
          maxRows,
          asOf: known,
          asReader: false,
          signal,
        };
        const found = await runStoreQuery(context.program, context.storePlace, {
          query,
          inProcess: () => store.query(query.sql, [], query),
        });
        const notes = await queryNotes(found, { ...query, today }, store);
        const { columns, rows, truncated } = found;
        return { columns, rows: rows.map((row) => columns.map((name) => row[name])), truncated, notes };
      });
    },
  },
  {
    method: "GET",
    path: "/api/store/maturity",
    about: "Shows which share of the final figures was known at each age of a day",
    gives: "`maturity` by report, country, metric and age",
    run: async ({ context }) => ({ maturity: await withStore(context, (store) => store.maturity()) }),
  },
];
