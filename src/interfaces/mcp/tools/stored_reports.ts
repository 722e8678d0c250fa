import * as z from "zod";
import { dayOf } from "../../../base/time/calendar.ts";
import { readAsOf } from "../../../base/time/moment.ts";
import { toolName } from "../../../operations/model/operation.ts";
import { storeCoverage } from "../../../operations/reads/store_coverage.ts";
import { sync, syncPartKey } from "../../../operations/reads/sync.ts";
import { queryNotes } from "../../../store/figures/query_notes.ts";
import { firstWarnings, ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { coverageRows, syncAnswer, SYNCED } from "../tooling/coverage_rows.ts";
import { loginTool } from "../tooling/operation_tool.ts";
import { type Tool, tool, type ToolCall } from "../tooling/tool.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { isSettled } from "../../../store/sync/sync_options.ts";
import { COVERAGE } from "../tooling/resource_uris.ts";

const MAX_FOUND = 10_000;
const MAX_SAVED = 50_000;

export function queryReports(dialect: string): Tool {
  return tool({
    name: "query_reports",
    title: "Query stored reports",
    description: `Runs one read-only SQL statement (${dialect}) over the report store. ` +
      "Each report preset is a view (sp_placement, sp_targeting, sp_search_terms and so on) with country_code, " +
      "profile_id, date and the report's columns, one row per day. Entities: sp_keywords, sp_campaigns_entities " +
      "and so on. Common metrics: performance, search_term_performance, budget_pressure (impressions, clicks, " +
      "cost, orders, sales, acos, roas, week, month, currency). report_coverage shows what is stored.",
    input: z.strictObject({
      sql: z.string().max(20_000),
      params: z.array(z.union([z.string(), z.number(), z.null()])).optional().describe("Values for ?"),
      as_of: z.string().optional().describe(
        "Reports as known then: 2026-11-01 (its end), -7 or 2026-11-01T08:00:00Z",
      ),
      ...ROW_ARGS,
    }),
    output: ROWS,
    effect: "read",
    isLocal: true,
    sets: ["store"],
    async run({ sql, params = [], as_of: when, limit, offset }, call) {
      const { settings } = call.context;
      const asOf = when === undefined ? undefined : readAsOf(when, "as_of", { now: call.context.now() });
      const store = call.context.store!;
      const maxRows = settings.saveFolder === undefined || settings.readOnly ? MAX_FOUND : MAX_SAVED;
      const found = await store.query({ sql, params, maxRows, asOf, signal: call.signal });
      const notes = found.truncated
        ? [`Cut at ${maxRows} rows, and there are more: aggregate, or narrow it`]
        : [];
      const ran = { sql, params, asOf, today: dayOf(call.context.now()) };
      notes.push(...await store.use((opened) => queryNotes(found, ran, opened)));
      const options = { noun: "rows", limit, offset, maxRead: maxRows, notes: () => notes };
      return await takeRows(found.rows, options, call);
    },
  });
}

export const reportCoverage: Tool = tool({
  name: toolName(storeCoverage),
  title: storeCoverage.title,
  description: storeCoverage.brief,
  input: z.strictObject({ ...ROW_ARGS }),
  output: ROWS,
  effect: storeCoverage.effect,
  isLocal: true,
  sets: ["store"],
  async run({ limit, offset }, call) {
    const now = call.context.now();
    const result = await call.context.store!.use((store) => storeCoverage.run({ store, now }, {}));
    const notes = [...firstWarnings(storeCoverage.lines?.(result) ?? []), ...result.notes];
    const options = { noun: "stored reports", limit, offset, notes: () => notes };
    return await takeRows(coverageRows(result.coverage, now), options, call);
  },
});

const MARGIN = 5;

export const syncReports: Tool = loginTool(sync, {
  output: SYNCED,
  sets: ["store"],
  more: {
    markets: z.array(z.string()).min(1).describe('Country codes or profile ids, or ["ALL"]'),
    wait_seconds: z.int().min(1).max(3600).optional(),
  },
  maxSeconds: ({ wait_seconds: seconds = 0 }) => seconds + MARGIN,
  async answer(_ads, input, call, { markets, wait_seconds: wanted }) {
    const { context } = call;
    const seconds = wanted ?? Math.max(1, call.seconds - MARGIN);
    const warnings: string[] = [];
    const settled = new Set<string>();
    const planned = new Set<string>();
    const profiles = await profilesOf(markets, call);
    const running = context.store!.useOwn((store) =>
      sync.run({
        store,
        profiles,
        signal: AbortSignal.any([call.signal, context.stopping]),
        onWarning: (warning) => void warnings.push(warning),
        onProgress: (progress) => {
          const key = syncPartKey(progress);
          planned.add(key);
          if (isSettled(progress)) settled.add(key);
          const { countryCode, report, kind } = progress;
          void call.progress(settled.size, `${countryCode} ${report}: ${kind}`, planned.size);
        },
      }, { ...input, timeout: Math.min(input.timeout ?? Infinity, seconds / 60) })
    );
    const result = await context.finish(running);
    context.updated(COVERAGE);
    return syncAnswer(result, warnings);
  },
});

async function profilesOf(markets: readonly string[], call: ToolCall): Promise<ProfileClient[]> {
  const { context, signal } = call;
  const wanted = markets.some((market) => market.toUpperCase() === "ALL")
    ? (await context.profiles(signal)).map(({ profileId }) => profileId)
    : markets;
  return await Promise.all(wanted.map((market) => context.profile(market, signal)));
}
