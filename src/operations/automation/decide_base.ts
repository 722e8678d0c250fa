import type { KeptBase } from "../../automation/schedules/schedule_state.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { defineOperation } from "../model/operation.ts";

interface BaseContext {
  readonly profile: ProfileClient;
  /** Path or address of the store. */
  readonly place: string;
}

/** Decides about a value that others changed while a schedule moves it. */
export const decideScheduleBase = defineOperation<BaseContext, readonly KeptBase[]>()({
  name: "auto base",
  effect: "store",
  // Agents must not decide about what people changed.
  isForPeople: true,
  title: "Set the base of a schedule",
  summary: "Resolve a change by someone else, or set the base of a schedule",
  details: "Without --set or --adopt, keeps the base, and the next run writes the scheduled value.",
  brief: "Decides about a value that others changed; the next run applies the decision",
  examples: [{ input: { id: "203850071499491", set: 0.8 }, about: "set the base to 0.80" }],
  library: 'await decideBase(profile, { state: "ads.sqlite", id, base: 0.8 })',
  input: {
    id: {
      type: "text",
      required: true,
      value: "id",
      help: "id of the keyword, target, ad group or campaign",
    },
    set: { type: "amount", help: "base amount" },
    adopt: { type: "switch", help: "use the live value, divided by the factor, as the base" },
    schedule: { type: "text", value: "name", help: "only the base of this schedule" },
  },
  check({ set, adopt }, { field }) {
    if (set !== undefined && adopt) {
      throw new RangeError(`Cannot use ${field("set")} with ${field("adopt")}: choose one of them`);
    }
  },
  async run({ profile, place }, { id, set: base, adopt, schedule }): Promise<readonly KeptBase[]> {
    const { decideBase } = await import("../../automation/schedules/tick_schedules.ts");
    const decided = await decideBase(profile, { state: place, id, base, adopt, schedule });
    if (decided.length > 0) return decided;
    const none = schedule === undefined ? "No schedule" : `No schedule "${schedule}"`;
    throw new RangeError(`${none} of this profile moves ${id}. See: adsctl auto status schedules`);
  },
  lines: (decided) =>
    decided.map(({ label, base }) => `${label}: base ${base}, scheduled again from the next run`),
});
