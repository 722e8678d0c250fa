import { COOLING } from "../../../account/jobs/cooling.ts";
import {
  type JobPlanOptions,
  type JobResult,
  type LeftOut,
  unsoldText,
} from "../../../account/jobs/job_result.ts";
import { leftOutData } from "../../../account/jobs/left_out_data.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import type { PlanAnswer } from "./plan_answer.ts";
import { showPlan } from "./plan_tool.ts";
import type { ToolAnswer, ToolCall } from "../tooling/tool.ts";
import { managedIn } from "../../../automation/pacing/managed_ids.ts";
import type { FigureOptions } from "../../../account/jobs/ensure_stored.ts";

const COMMON: ReadonlySet<string> = new Set([
  "no_match",
  "unknown_figure",
  "not_running",
  "paused",
  "same_bid",
]);

const MAX_MORE = 10;

export async function jobAnswer(
  { plan, considered, leftOut, figures }: JobResult,
  call: ToolCall,
  more: { readonly data: Readonly<Record<string, unknown>>; readonly lines: readonly string[] },
): Promise<ToolAnswer<PlanAnswer>> {
  const answer = await showPlan(plan, call);
  const groups = [...Map.groupBy(leftOut, ({ reason, message }) => reason === COOLING ? message : reason)];
  const reasons = groups.map(([reason, own]) => `${own.length} ${reason}${adviceOf(reason, own)}`).join("; ");
  const judged = figures === undefined
    ? ""
    : ` by ${figures.reports.join(", ")} of ${figures.firstDay} to ${figures.lastDay}`;
  const unsold = unsoldText({ plan, leftOut });
  const cost = unsold === undefined ? "" : `; ${unsold}: orders30d == 0 finds them`;
  const line = `Looked at ${considered}${judged}; left out: ${reasons === "" ? "none" : reasons}${cost}`;
  const kept = leftOut.filter(({ reason }) => !COMMON.has(reason)).slice(0, MAX_MORE);
  const named = kept.map((one) => `Left out: ${one.label}${placeOf(one)}: ${one.message}`);
  return {
    ...answer,
    data: {
      ...answer.data,
      considered,
      ...leftOutData(leftOut, kept),
      ...shortened(more.data),
    },
    text: [
      line,
      ...named.map(visibleText),
      ...more.lines.filter((text) => text !== "").slice(0, MAX_MORE),
      answer.text,
    ].join("\n"),
  };
}

function placeOf({ id, campaignId, adGroupId }: LeftOut): string {
  const ids = [
    ...(id === null ? [] : [id]),
    ...(campaignId === undefined ? [] : [`campaign ${campaignId}`]),
    ...(adGroupId === undefined ? [] : [`ad group ${adGroupId}`]),
  ];
  return ids.length === 0 ? "" : ` (${ids.join(", ")})`;
}

function adviceOf(reason: string, leftOut: readonly LeftOut[]): string {
  const [message, ...others] = new Set(leftOut.map(({ message }) => message));
  return message === undefined || others.length > 0 || message === reason ? "" : ` (${message})`;
}

/** Shortens lists at every depth to {@linkcode MAX_MORE} rows. */
function shortened(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.slice(0, MAX_MORE).map(short)
      : typeof value === "object" && value !== null
      ? shortened(fieldsOf(value))
      : value;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, short(value)]));
}

/** Maximum seconds to fetch missing days; the call is answered earlier. */
const MAX_WAIT = 600;

type JobFigures =
  & FigureOptions
  & Pick<JobPlanOptions, "scheduled" | "paced" | "plans">
  & { readonly signal: AbortSignal };

/** Missing days are fetched and stored first. */
export async function withFigures<T>(
  call: ToolCall,
  run: (figures: JobFigures) => Promise<T>,
): Promise<T> {
  const { figures, plans } = call.context;
  let steps = 0;
  return await figures.useOwn((store) =>
    run({
      store,
      signal: call.signal,
      ...managedIn(figures.place),
      plans: () => Promise.resolve([plans]),
      onSync: (message) => void call.progress(++steps, message),
      sync: {
        timeout: MAX_WAIT,
        onProgress: ({ report, start, end, kind }) =>
          void call.progress(++steps, `${report} ${start} to ${end}: ${kind}`),
      },
    })
  );
}
