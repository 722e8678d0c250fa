import * as z from "zod";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { SyncProgress } from "../../store/sync/sync_options.ts";
import { COVERAGE } from "../resources.ts";
import { syncAnswer, SYNCED } from "../store/sync_answer.ts";
import { type Tool, tool, type ToolCall } from "../tool.ts";

/** Seconds between the end of a wait and the answer. */
const MARGIN = 5;

/** Brings the report store up to date. */
export const syncReports: Tool = tool({
  name: "sync_reports",
  title: "Bring stored reports up to date",
  description:
    "Pulls into the report store what is missing or may have been restated. Takes minutes; progress is sent, and what is " +
    "not finished is resumed by the next call.",
  input: z.strictObject({
    markets: z.array(z.string()).min(1).describe('Country codes or profile ids, or ["ALL"]'),
    reports: z.array(z.string()).optional().describe(
      "Presets; default sp_placement, sp_targeting, sp_search_terms",
    ),
    entities: z.boolean().default(true).describe("Store campaigns, keywords and so on too"),
    start: z.string().optional().describe("YYYY-MM-DD"),
    end: z.string().optional(),
    accept_shrink: z.boolean().optional().describe(
      "Store reports with far less than what is stored; ask the person first",
    ),
    wait_seconds: z.int().min(1).max(3600).optional(),
  }),
  output: SYNCED,
  hints: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  maxSeconds: ({ wait_seconds: seconds = 0 }) => seconds + MARGIN,
  async run(
    { markets, reports, entities, start, end, accept_shrink: acceptShrink, wait_seconds: wanted },
    call,
  ) {
    const profiles = await profilesOf(markets, call);
    const warehouse = await call.context.store!.warehouse();
    const timeout = wanted ?? Math.max(1, call.seconds - MARGIN);
    const warnings: string[] = [];
    const settled = new Set<string>();
    const planned = new Set<string>();
    const result = await call.context.finish(warehouse.sync(profiles, {
      reports,
      entities,
      start,
      end,
      acceptShrink,
      timeout,
      signal: AbortSignal.any([call.signal, call.context.stopping]),
      onWarning: (warning) => void warnings.push(warning),
      onProgress: (progress) => {
        planned.add(keyOf(progress));
        if (["stored", "held", "failed", "left"].includes(progress.kind)) settled.add(keyOf(progress));
        const { countryCode, report, kind } = progress;
        void call.progress(settled.size, `${countryCode} ${report}: ${kind}`, planned.size);
      },
    }));
    call.context.updated(COVERAGE);
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

function keyOf({ profileId, report, start, end }: SyncProgress): string {
  return [profileId, report, start, end].join(" ");
}
