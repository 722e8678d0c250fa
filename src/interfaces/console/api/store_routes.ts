import { marketOf } from "../../../base/markets/markets.ts";
import { REPORT_PRESETS } from "../../../client/reports/requests/presets.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { storeQuery } from "../../../operations/reads/store_query.ts";
import { mostSpend } from "../../../store/figures/market_figures.ts";
import { runStoreQuery } from "../../../store/warehouse/query_in_subprocess.ts";
import { storeSchema } from "../../../store/warehouse/store_schema.ts";
import { ensureStore, hasStore, withStore } from "../http/open_store.ts";
import { describedRoute } from "../http/operation_route.ts";
import { refusingBadInput } from "../http/responses.ts";
import { type Route, textOf } from "../http/route.ts";

/** A page shows the first rows; as many as a workbook takes can be downloaded. */
const LIMIT = { rows: 2000, most: 50_000 };

const QUERY = describedRoute(storeQuery, "/api/store/query");

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
    ...QUERY,
    takes: { ...QUERY.takes, sql: `${storeQuery.input.sql.brief}; required` },
    about: "Runs one SQL statement that reads; the database refuses everything else",
    gives: "`columns`, `rows` as lists, `truncated`, `notes` on days that are missing or not final",
    run: async ({ context, body, signal }) => {
      ensureStore(context);
      textOf(body, "sql");
      const input = await refusingBadInput(() =>
        jsonInput(storeQuery, { ...body, as_of: body["as_of"] || undefined })
      );
      return await withStore(context, async (store) => {
        const found = await refusingBadInput(() =>
          storeQuery.run({
            store,
            now: context.now(),
            limit: LIMIT,
            query: (asked) =>
              runStoreQuery(context.program, context.storePlace, {
                query: { ...asked, asReader: false, signal },
                inProcess: () => store.query(asked.sql, asked.params, asked),
              }),
          }, input)
        );
        const { columns, rows, truncated } = found;
        return {
          columns,
          rows: rows.map((row) => columns.map((name) => row[name])),
          truncated,
          notes: storeQuery.lines?.(found) ?? [],
        };
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
