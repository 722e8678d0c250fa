import type { WeeksOfSchedule } from "../../automation/schedules/schedule_experiments.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import { ConfigurationError } from "../../errors.ts";
import { type BegunExperiment, experimentsIn } from "../../plans/store/running_experiments.ts";
import { defineOperation } from "../model/operation.ts";

export interface ExperimentsContext {
  /** Paths of plan folders. */
  readonly folders: readonly string[];
  /** Path of the schedule file that is used if it exists. */
  readonly usualSchedules: string;
  readonly now: number;
}

export interface FoundExperiments {
  /** Experiments of plans and rollouts, newest first. */
  readonly plans: readonly BegunExperiment[];
  readonly schedules: readonly WeeksOfSchedule[];
  /** Reason why there are no schedules. */
  readonly problem: string | null;
  /** Paths of records that were edited or are damaged. */
  readonly damaged: readonly string[];
}

export const planExperiments = defineOperation<ExperimentsContext, FoundExperiments>()({
  name: "plan experiments",
  effect: "read",
  isForPeople: true,
  title: "List experiments",
  summary: "List running experiments of plans, rollouts and schedules",
  details:
    "Covers applied plans in this folder, the tool server's folder, rollouts and the folders you name, and " +
    "the schedules of a file. During an experiment, later plans do not change what it holds back. Schedules " +
    "pause in weeks chosen at random.",
  brief: "Lists experiments of applied plans, rollouts and schedules, with their end dates",
  examples: [],
  library: 'await experimentsIn("plans")',
  input: {
    schedules: {
      type: "text",
      value: "file",
      help: "schedule file",
      otherwise: "schedules.yaml, if it exists",
    },
  },
  async run({ folders, usualSchedules, now }, { schedules: file }) {
    const damaged: string[] = [];
    const begun = await Promise.all(
      folders.map((folder) => experimentsIn(folder, now, (path) => damaged.push(path))),
    );
    const plans = begun.flat().sort((a, b) => a.appliedAt < b.appliedAt ? 1 : -1);
    try {
      const schedules = file === undefined && await readIfThere(usualSchedules) === undefined
        ? []
        : await weeksOf(file ?? usualSchedules, now);
      return { plans, damaged, schedules, problem: null };
    } catch (error) {
      if (file !== undefined || !(error instanceof ConfigurationError)) throw error;
      return { plans, damaged, schedules: [], problem: error.message };
    }
  },
});

async function weeksOf(path: string, now: number): Promise<WeeksOfSchedule[]> {
  const { loadSchedules, scheduleExperiments } = await import("../../automation/schedules/mod.ts");
  return scheduleExperiments((await loadSchedules(path)).schedules, now);
}
