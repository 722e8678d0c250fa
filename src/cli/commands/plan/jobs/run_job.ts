import { countReasons, type JobResult, type LeftOut } from "../../../../account/jobs/job_result.ts";
import type { FigureOptions } from "../../../../account/jobs/ensure_stored.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { visibleText } from "../../../../internal/visible_text.ts";
import { refusingBadInput } from "../../../core/errors/cli_error.ts";
import type { CliContext } from "../../../core/context.ts";
import { withProfile } from "../../../core/with_profile.ts";
import { withStore } from "../../../core/with_store.ts";
import { wantsData } from "../../../output/wants_data.ts";
import { SyncProgressLines } from "../../sync/sync_progress_lines.ts";
import { finishPlan } from "../finish_plan.ts";
import type { JobOptions } from "./job_options.ts";

/** Entities that are named for each reason; `--json` has all. */
const MAX_NAMED = 3;

/** Runs a weekly job with the store that the options name, and saves and shows its plan. */
export async function runJob<Result extends JobResult>(
  options: JobOptions,
  context: CliContext,
  job: {
    /** Makes the plan. */
    readonly run: (
      client: ProfileClient,
      figures: FigureOptions & { readonly signal: AbortSignal },
    ) => Promise<Result>;
    /** Further lines for people, printed last. */
    readonly lines?: (result: Result) => readonly string[];
    /** Further fields of `--json`. */
    readonly data?: (result: Result) => Readonly<Record<string, unknown>>;
  },
): Promise<number> {
  const { io, globals, interruption: { signal } } = context;
  const say = (line: string): void => {
    if (!globals.quiet) void io.stderr.write(`${line}\n`);
  };
  return await withProfile(
    options,
    context,
    async (client) =>
      await withStore({ ...options, create: options.sync }, context, async (store) => {
        const progress = new SyncProgressLines(context);
        const sync = options.sync && {
          ...(globals.demo ? { poll: 1, maxPoll: 1 } : {}),
          onProgress: (step: Parameters<SyncProgressLines["tell"]>[0]) => progress.tell(step),
          onWarning: (message: string) => say(`warning: ${message}`),
        };
        const result = await refusingBadInput(() =>
          job.run(client, { store, sync, signal, onSync: (message) => say(message) })
        ).finally(() => progress.end());
        const { plan, leftOut, considered, figures } = result;
        if (!wantsData(context)) { for (const line of summary(result)) say(line); }
        const code = await finishPlan(plan, {
          client,
          out: options.out,
          context,
          data: {
            considered,
            figures: figures === undefined
              ? null
              : { reports: figures.reports, first_day: figures.firstDay, last_day: figures.lastDay },
            left_out_counts: Object.fromEntries(countReasons(leftOut)),
            left_out: leftOut.map(leftOutData),
            ...job.data?.(result),
          },
        });
        if (!wantsData(context)) { for (const line of job.lines?.(result) ?? []) say(line); }
        return code;
      }),
  );
}

function summary({ plan, considered, leftOut, figures }: JobResult): string[] {
  const judged = figures === undefined
    ? []
    : [`Figures: ${figures.reports.join(", ")}, ${figures.firstDay} to ${figures.lastDay}`];
  const lines = [`Looked at ${considered}: ${plan.changes.length} changes, ${leftOut.length} left out`];
  const groups = [...Map.groupBy(leftOut, ({ reason }) => reason).values()].sort((a, b) =>
    b.length - a.length
  );
  for (const group of groups) {
    const [first] = group;
    const names = first?.reason === "no_match"
      ? ""
      : `, for example ${group.slice(0, MAX_NAMED).map(({ label }) => visibleText(label)).join(", ")}`;
    lines.push(`  ${group.length}  ${visibleText(first?.message ?? "")}${names}`);
  }
  return [...judged, ...lines, ""];
}

function leftOutData({ campaignId, adGroupId, ...rest }: LeftOut): Record<string, unknown> {
  return { ...rest, campaign_id: campaignId ?? null, ad_group_id: adGroupId ?? null };
}
