import * as z from "zod";
import type { InputOf } from "../../../operations/model/field.ts";
import { storeCoverage } from "../../../operations/reads/store_coverage.ts";
import { type QueriedRows, storeQuery } from "../../../operations/reads/store_query.ts";
import { sync, syncPartKey } from "../../../operations/reads/sync.ts";
import type { FoundRows } from "../../../store/model/query_question.ts";
import type { StoreAccess } from "../context/store_access.ts";
import { firstWarnings, ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { coverageRows, syncAnswer, SYNCED } from "../tooling/coverage_rows.ts";
import { loginTool, storeTool } from "../tooling/operation_tool.ts";
import type { Tool, ToolCall } from "../tooling/tool.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { isSettled } from "../../../store/sync/sync_options.ts";
import { COVERAGE } from "../tooling/resource_uris.ts";

export const MAX_FOUND = 10_000;
const MAX_SAVED = 50_000;

export function queryReports(dialect: string): Tool {
  return storeTool(storeQuery, {
    output: ROWS,
    sets: ["store"],
    more: ROW_ARGS,
    note: `SQL: ${dialect}.`,
    async answer(store, input, call, { limit, offset }) {
      const { settings } = call.context;
      const most = settings.saveFolder === undefined || settings.readOnly ? MAX_FOUND : MAX_SAVED;
      const { rows, notes } = await queried(input, { store, most }, call);
      return await takeRows(rows, { noun: "rows", limit, offset, maxRead: most, notes: () => notes }, call);
    },
  });
}

/** Queries a store in a process that can be stopped. Rows are kept in memory, so their number is limited. */
export async function queried(
  input: InputOf<typeof storeQuery.input>,
  { store: access, most }: { readonly store: StoreAccess; readonly most: number },
  { context, signal }: ToolCall,
): Promise<Pick<QueriedRows, "rows" | "notes">> {
  const found = await access.use((store) =>
    storeQuery.run({
      store,
      now: context.now(),
      limit: { rows: most, most },
      query: (query) => access.query({ ...query, signal }),
    }, input)
  );
  return { rows: found.rows, notes: [...cutNotes(found), ...storeQuery.lines?.(found) ?? []] };
}

export function cutNotes({ rows, truncated }: FoundRows): string[] {
  return truncated ? [`Cut at ${rows.length} rows, and there are more: aggregate, or narrow it`] : [];
}

export const reportCoverage: Tool = storeTool(storeCoverage, {
  output: ROWS,
  sets: ["store"],
  more: ROW_ARGS,
  async answer(access, _input, call, { limit, offset }) {
    const now = call.context.now();
    const result = await access.use((store) => storeCoverage.run({ store, now }, {}));
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
