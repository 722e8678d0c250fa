import { readGoalsText } from "../../account/goals/goals_file.ts";
import { counted } from "../../base/text/money_text.ts";
import { parsePacing } from "../pacing/pacing_file.ts";
import { PACING_STARTER } from "../pacing/pacing_starter.ts";
import { parseSchedules } from "../schedules/load_schedules.ts";
import { SCHEDULES_STARTER } from "../schedules/schedules_starter.ts";
import { READY_RULES } from "../watch/ready_rules.ts";
import { parseWatch, type WatchChannel } from "../watch/watch_file.ts";
import type { UnitName } from "./unit_files.ts";

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
