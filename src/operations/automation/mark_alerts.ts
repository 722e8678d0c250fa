import type { AlertMarkState } from "../../automation/watch/watch_state.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { readSpan } from "../../base/time/span.ts";
import { defineOperation } from "../model/operation.ts";

interface MarkContext {
  /** Path or address of the store. */
  readonly place: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Name of the person. */
  readonly by: string | undefined;
}

interface MarkedAlerts {
  readonly state: AlertMarkState;
  /** Ids that were found. */
  readonly marked: readonly string[];
  readonly missing: readonly string[];
}

const STATES = { seen: "seen", closed: "closed", new: "new", snooze: "snoozed" } as const;

export const markAlerts = defineOperation<MarkContext, MarkedAlerts>()({
  name: "auto mark",
  effect: "store",
  isForPeople: true,
  title: "Mark alerts",
  summary: "Mark alerts as seen, snoozed or closed, as the console's inbox does",
  details: "A snoozed alert is hidden and not delivered again until the snooze ends.",
  brief: "Marks alerts as seen, snoozes or closes them, or makes them new again",
  examples: [
    {
      input: { ids: ["0123456789ab"], closed: true, reason: "the weekend event" },
      about: "close an alert",
    },
    { input: { ids: ["0123456789ab"], snooze: "3d" }, about: "snooze it for three days" },
  ],
  library: 'await state.mark(ids, { state: "closed", by: "Ann", reason: "sold out" })',
  input: {
    ids: { type: "words", required: true, help: "ids from auto alerts" },
    seen: { type: "switch", help: "someone is looking into it" },
    closed: { type: "switch", help: "nothing left to do" },
    new: { type: "switch", help: "mark as new again" },
    snooze: { type: "span", maxDays: 90, help: "hide for this time: 4h, 3d" },
    reason: { type: "text", maxLength: 500, help: "reason, for others" },
  },
  check(input, { field }) {
    if (statesIn(input).length === 1) return;
    const [seen, closed, isNew, snooze] = Object.keys(STATES).map(field);
    throw new RangeError(`Cannot mark alerts: add one of ${seen}, ${closed}, ${isNew} and ${snooze}`);
  },
  async run({ place, now, by }, input): Promise<MarkedAlerts> {
    const { ids, snooze, reason } = input;
    const [state] = statesIn(input) as [AlertMarkState];
    const until = snooze === undefined ? undefined : now + 1000 * readSpan(snooze, "snooze");
    const { WatchState } = await import("../../automation/watch/watch_state.ts");
    const watch = await WatchState.open(place);
    const marked = await watch.mark(ids, { state, now, until, by, reason: reason?.trim() || undefined })
      .finally(() => watch.close());
    return { state, marked, missing: ids.filter((id) => !marked.includes(id)) };
  },
});

/** Says which alerts were not found. */
export function missingAlertsText({ missing }: Pick<MarkedAlerts, "missing">, place: string): string {
  const ids = missing.map((id) => `"${visibleText(id)}"`).join(", ");
  return `Cannot find alert ${ids} in ${place}. adsctl auto alerts lists them`;
}

function statesIn(input: { readonly [Name in keyof typeof STATES]?: unknown }): AlertMarkState[] {
  return Object.entries(STATES).flatMap(([name, state]) => input[name as keyof typeof STATES] ? [state] : []);
}
