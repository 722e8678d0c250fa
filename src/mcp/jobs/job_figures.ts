import type { FigureOptions } from "../../account/jobs/ensure_stored.ts";
import { experimentsIn, heldBy } from "../../plans/experiment/running_experiments.ts";
import type { PlanOptions } from "../../resources/plan_writes.ts";
import type { ToolCall } from "../tool.ts";

/** Seconds that days which are not stored are waited for; the call is answered before. */
const MAX_WAIT = 600;

/** Figures for a tool: from the server's store or one of its own; missing days are fetched first. */
export async function jobFigures(call: ToolCall): Promise<FigureOptions & { readonly signal: AbortSignal }> {
  const { context, signal } = call;
  const store = await context.figures.warehouse();
  let steps = 0;
  return {
    store,
    signal,
    onSync: (message) => void call.progress(++steps, message),
    sync: {
      timeout: MAX_WAIT,
      ...(context.settings.demo ? { poll: 1, maxPoll: 1 } : {}),
      onProgress: ({ report, start, end, kind }) =>
        void call.progress(++steps, `${report} ${start} to ${end}: ${kind}`),
    },
  };
}

/** Holds back part of a tool's plan, together with the held-back parts of other plans of the server. */
export async function heldParts(
  share: number | undefined,
  profileId: string,
  { context }: ToolCall,
): Promise<Pick<PlanOptions, "holdBack" | "heldElsewhere">> {
  const heldElsewhere = heldBy(await experimentsIn(context.plans.path, context.now()), profileId);
  return { holdBack: share === undefined ? undefined : { share }, heldElsewhere };
}
