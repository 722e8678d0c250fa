import * as z from "zod";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { SyncProgress } from "../../store/sync/sync_options.ts";
import type { SyncOutcome } from "../../store/sync/sync_result.ts";
import { MOST_ROWS } from "../results/rows.ts";
import { type Row, textTable } from "../results/text_table.ts";
import { type Tool, tool, type ToolCall } from "../tool.ts";

const WAIT = 300;

/** Brings the report store up to date. */
export const syncReports: Tool = tool({
  name: "sync_reports",
  title: "Bring stored reports up to date",
  description:
    "Pulls into the report store what is missing or may have been restated. Takes minutes; progress is sent, and what is " +
    "not finished is taken up by the next call.",
  input: z.strictObject({
    markets: z.array(z.string()).min(1).describe('Country codes or profile ids, or ["ALL"]'),
    reports: z.array(z.string()).optional().describe(
      "Presets; default sp_placement, sp_targeting, sp_search_terms",
    ),
    start: z.string().optional().describe("YYYY-MM-DD"),
    end: z.string().optional(),
    wait_seconds: z.int().min(1).max(3600).default(WAIT),
  }),
  output: z.object({
    ok: z.boolean(),
    rows_stored: z.int(),
    outcomes: z.array(z.record(z.string(), z.unknown())),
    warnings: z.array(z.string()).optional(),
  }),
  hints: { readOnlyHint: false, destructiveHint: false },
  async run({ markets, reports, start, end, wait_seconds: timeout }, call) {
    const profiles = await profilesOf(markets, call);
    const warehouse = await call.context.store!.warehouse();
    const warnings: string[] = [];
    const settled = new Set<string>();
    const planned = new Set<string>();
    const result = await call.context.finish(warehouse.sync(profiles, {
      reports,
      start,
      end,
      timeout,
      signal: AbortSignal.any([call.signal, call.context.stopping]),
      onWarning: (warning) => void warnings.push(warning),
      onProgress: (progress) => {
        planned.add(keyOf(progress));
        if (["stored", "failed", "left"].includes(progress.kind)) settled.add(keyOf(progress));
        const { countryCode, report, kind } = progress;
        void call.progress(settled.size, `${countryCode} ${report}: ${kind}`, planned.size);
      },
    }));
    const outcomes = result.outcomes.slice(0, MOST_ROWS).map(outcomeRow);
    const text = [result.summary(), ...warnings].join("\n");
    return {
      data: {
        ok: result.ok,
        rows_stored: result.rows,
        outcomes,
        ...(warnings.length === 0 ? {} : { warnings }),
      },
      text: outcomes.length === 0 ? text : `${text}\n\n${textTable(outcomes)}`,
      failed: result.outcomes.length > 0 && result.failures.length === result.outcomes.length,
    };
  },
});

async function profilesOf(markets: readonly string[], call: ToolCall): Promise<ProfileClient[]> {
  const ads = await call.context.ads();
  if (markets.some((market) => market.toUpperCase() === "ALL")) {
    const all = await ads.profiles({ signal: call.signal });
    return await Promise.all(all.map(({ profileId }) => ads.profile(profileId)));
  }
  return await Promise.all(markets.map((market) => call.context.profile(market, call.signal)));
}

function keyOf({ profileId, report, start, end }: SyncProgress): string {
  return [profileId, report, start, end].join(" ");
}

function outcomeRow({ countryCode, profileId, report, start, end, state, rows, error }: SyncOutcome): Row {
  return {
    country: countryCode,
    profile_id: profileId,
    report,
    start,
    end,
    state,
    rows,
    ...(error === undefined ? {} : { why: error.message }),
  };
}
