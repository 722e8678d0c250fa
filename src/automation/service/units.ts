import { readGoalsText } from "../../account/goals/goals_file.ts";
import { counted } from "../../base/text/money_text.ts";
import { parsePacing } from "../pacing/pacing_file.ts";
import { parseSchedules } from "../schedules/load_schedules.ts";
import { READY_RULES } from "../watch/ready_rules.ts";
import { parseWatch, type WatchChannel } from "../watch/watch_file.ts";
import type { UnitName } from "./unit_files.ts";

const SCHEDULES_STARTER = `# Schedules: factors on base values for each hour of the week.
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

const PACING_STARTER = `# Pacing: an amount for a month or other dates, spent evenly.
# Check it with "adsctl auto check pacing", look at it with "adsctl auto show pacing".
version: 1
budgets:
  all:
    amount: 3000 # for each calendar month, in the profile's currency
    # currency: USD # refuses a profile of another currency
    # from: 2026-11-20 # dates other than months
    # to: 2026-12-02
    # select: { portfolios: ["Kitchen*"] } # also ids, names, labels (tags), products; otherwise the whole profile
    weekdays: learned # or a share for each day: { sat: 0.7, sun: 0.7 }
    max_step: 20% # largest change of a daily budget per day
    # floor: 5 # lowest daily budget; ceiling is the highest
    # ceiling: 200
    over: alert # lower: lowers daily budgets; pause: also pauses campaigns when the amount is spent
    alerts: [70, 90, 100] # percent of the amount
# channels: # as in watch.yaml; default: standard output
#   team: { kind: slack, url_env: TEAM_URL }
`;

export interface UnitContents {
  readonly holds: string;
  readonly channels: readonly WatchChannel[];
}

interface Unit {
  readonly starter?: string;
  /** @throws {ConfigurationError} listing every problem as `file:line: message`. */
  readonly read: (text: string, source: string) => UnitContents | Promise<UnitContents>;
}

export const UNITS: Readonly<Record<UnitName, Unit>> = {
  schedules: {
    starter: SCHEDULES_STARTER,
    read: (text, source) => {
      const { schedules } = parseSchedules(text, source);
      const names = schedules.map(({ name }) => name).join(", ");
      return { holds: `${counted(schedules.length, "schedule")} (${names})`, channels: [] };
    },
  },
  pacing: {
    starter: PACING_STARTER,
    read: (text, source) => {
      const { budgets, channels } = parsePacing(text, source);
      const names = budgets.map(({ name, over }) => `${name}: ${over}`).join(", ");
      return { holds: `${counted(budgets.length, "amount")} (${names})`, channels };
    },
  },
  goals: {
    read: async (text, source) => {
      const { goals } = await readGoalsText(text, source);
      const names = goals.map(({ name, aim }) => `${name}: ${aim}`).join(", ");
      return { holds: `${counted(goals.length, "goal")} (${names})`, channels: [] };
    },
  },
  watch: {
    starter: READY_RULES,
    read: (text, source) => {
      const { rules, channels } = parseWatch(text, source);
      return { holds: `${counted(rules.length, "rule")}, ${counted(channels.length, "channel")}`, channels };
    },
  },
};
