import * as z from "zod";
import { dayOf } from "../../internal/calendar.ts";
import { REPORT_PRESET_NAMES } from "../../reports/presets.ts";
import { immatureNote } from "../../store/history/immature_note.ts";
import { ROW_ARGS, ROWS, takeRows } from "../results/rows.ts";
import { coverageRows } from "../store/coverage_rows.ts";
import type { StoreAccess } from "../store/store_access.ts";
import { type Tool, tool } from "../tool.ts";

const MAX_FOUND = 10_000;
const MAX_SAVED = 50_000;

/** SQL over the report store. */
export function queryReports(dialect: string): Tool {
  return tool({
    name: "query_reports",
    title: "Query stored reports",
    description:
      `Runs one read-only SQL statement (${dialect}) over the report store. Each stored report is a view of its preset's ` +
      "name (sp_placement, sp_targeting, sp_search_terms and so on) with country_code, profile_id, date and the " +
      "report's columns; a row a day. Entities: sp_keywords, sp_campaigns_entities and so on. Ready: performance, " +
      "search_term_performance, budget_pressure (impressions, clicks, cost, orders, sales, acos, roas, week, month, " +
      "currency). report_coverage says what is stored.",
    input: z.strictObject({
      sql: z.string().max(20_000),
      params: z.array(z.union([z.string(), z.number(), z.null()])).optional().describe("Values for ?"),
      as_of: z.string().optional().describe("Reports as they were known then: 2026-11-01T08:00:00Z"),
      ...ROW_ARGS,
    }),
    output: ROWS,
    hints: { readOnlyHint: true, openWorldHint: false },
    async run({ sql, params = [], as_of: asOf, limit, offset }, call) {
      const { settings } = call.context;
      const store = call.context.store!;
      const maxRows = settings.saveFolder === undefined || settings.readOnly ? MAX_FOUND : MAX_SAVED;
      const found = await store.query({ sql, params, maxRows, asOf, signal: call.signal });
      const notes = found.truncated
        ? [`Cut at ${maxRows} rows, and there are more: aggregate, or narrow it`]
        : [];
      const unknown = asOf === undefined ? undefined : await (await store.warehouse()).whyUnknownAt(asOf);
      if (unknown !== undefined) notes.push(unknown);
      notes.push(
        ...await immatureNote({ rows: found.rows, statement: { sql, params } }, await store.warehouse(), {
          today: dayOf(call.context.now()),
          asOf,
        }),
      );
      if (found.rows.length === 0) notes.push(...await neverStored(sql, store));
      const options = { noun: "rows", limit, offset, maxRead: maxRows, notes: () => notes };
      return await takeRows(found.rows, options, call);
    },
  });
}

/** Says which of the reports that a statement reads were never stored: no rows then means no data, not zero. */
async function neverStored(sql: string, store: StoreAccess): Promise<string[]> {
  const named = REPORT_PRESET_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(sql));
  if (named.length === 0) return [];
  const stored = new Set((await coverageRows(store)).map(({ report }) => report));
  const missing = named.filter((name) => !stored.has(name));
  return missing.length === 0
    ? []
    : [`Nothing of ${missing.join(", ")} was ever stored; sync_reports stores it`];
}
