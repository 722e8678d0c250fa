import { counted } from "../../../base/text/money_text.ts";
import type { Unit } from "./unit.ts";

const STARTER = `# Schedules: factors on base values for each hour of the week.
# Check it with "adsctl auto check schedules", look at it with "adsctl auto show schedules".
version: 1
schedules:
  nights:
    select: { names: ["*"], products: [sp] } # campaigns; also ids, labels (tags), when (a condition)
    move: bid # bid, budget, placement_top, placement_product, placement_rest or state
    # zone: America/New_York # default: the profile's time zone
    on: worker # by adsctl auto run schedules; or platform: as platform rules, which need no process
    # expires: 1d # after a day without a run, the next run restores the bases and stops
    foreign_edits: keep # keep and report changes by others; or adopt, insist
    min: 0.02 # lowest bid
    grid:
      # Other hours have factor 1. 00-06 ends at 06:00.
      - { hours: "00-06", factor: 0.5 }
`;

/** Moves bids, budgets and placements by the hour. */
export const schedules = {
  usual: { at: "every 15m" },
  file: {
    name: "schedules.yaml",
    what: "schedule file",
    key: "schedules",
    library: 'await loadSchedules("schedules.yaml")',
    starter: () => STARTER,
    next: ["Read it, then run", "show"],
    read: async (text, source) => {
      const { parseSchedules } = await import("../../schedules/load_schedules.ts");
      const { schedules } = parseSchedules(text, source);
      const names = schedules.map(({ name }) => name).join(", ");
      return { holds: `${counted(schedules.length, "schedule")} (${names})`, channels: [] };
    },
  },
  run: async ({ profile, timer, signal }, { place, plans }) => {
    const { loadSchedules } = await import("../../schedules/load_schedules.ts");
    const { tickSchedules } = await import("../../schedules/tick_schedules.ts");
    const { schedules } = await loadSchedules(timer.file!);
    const { result, kept, refused, busy, expired = [] } = await tickSchedules(profile, {
      schedules,
      state: place,
      plans,
      signal,
    });
    if (busy) return "Skipped: another program was running the schedules";
    const left = [...kept, ...refused];
    const over = expired.length === 0 ? "" : `; ${expired.join(", ")} expired, bases are put back`;
    const why = left.length === 0 ? "" : `; ${left.length} left alone: ${left[0]!.why}`;
    if (result?.ok === false) throw new Error(`${result.summary().split("\n")[0]}${why}`);
    return `${
      result === undefined ? "Nothing to move" : counted(result.changes.length, "change")
    }${over}${why}`;
  },
} satisfies Unit;
