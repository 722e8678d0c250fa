/** Areas that may use the words and apply no plans, single writes of entities, and those that have policies already. */
const ELSEWHERE =
  /^tests\/(?:policy|emulator|entities|structure|scripts|docs|simulation|store|transport|reliability|arena|mcp|console)\//;
/** Files of these areas run where they have an account. */
const AREA = /^tests\/(?:plans|history|worker|schedules|watch|pacing)\//;
const HAS_ACCOUNT = /\/(?:emulated|emulator\/mod|\w+_world|\w+_scene)\.ts"/;
/** Calls and words of `adsctl` that resume, undo, roll out, work, tick, pace or propose. */
const WRITES =
  /\b(?:resumePlan|rollbackPlan|planRollout|Rollout|tickSchedules|runPacing|runWorker)\b|\.(?:resume|rollback|undo)\(|"(?:resume|undo|rollout|worker|tick|pace|propose)"/;

/** Figures of the store: the plans are reviewed and applied as those of `tests/account/jobs/plan_bids_test.ts`. */
const AS_ELSEWHERE = [
  "tests/account/jobs/cooling_test.ts",
  "tests/account/jobs/evidence_test.ts",
  "tests/goals/plan_goals_test.ts",
];
/** Their tests ask the policy nothing, so that they run as they do without one: a run of the long lane finds these. */
const ASK_NOTHING = [
  "tests/account/rollout_experiment_test.ts",
  "tests/client/plan_assets_test.ts",
  "tests/clean_room/clean_room_test.ts",
  "tests/cli/lazy_group_test.ts",
  "tests/cli/options_everywhere_test.ts",
  "tests/cli/queue_test.ts",
  "tests/cli/renamed_commands_test.ts",
  "tests/cli/suggestions_test.ts",
  "tests/plans/approve_test.ts",
  "tests/plans/experiment/running_experiments_test.ts",
  "tests/plans/plan_store_test.ts",
  "tests/plans/prepare_sending_test.ts",
  "tests/plans/rollback_test.ts",
  "tests/plans/settle_test.ts",
  "tests/plans/store/applied_changes_test.ts",
  "tests/plans/store/discarded_journal_test.ts",
  "tests/plans/store/queued_plan_test.ts",
  "tests/plans/store/save_replacement_test.ts",
  "tests/plans/store/statuses_test.ts",
  "tests/plans/store/undoing_test.ts",
  "tests/schedules/load_schedules_test.ts",
  "tests/watch/dead_rules_test.ts",
  "tests/watch/live_facts_test.ts",
  "tests/watch/missing_days_test.ts",
];

/** Test files that write, and of which no test runs another way under a policy. */
export const NOT_AGAIN: ReadonlySet<string> = new Set([...ASK_NOTHING, ...AS_ELSEWHERE]);

/**
 * True of test files whose everyday tests run once more with a policy: those that apply, resume, undo or roll out plans,
 * work a queue, tick schedules, pace budgets or propose plans by a watch.
 */
export function writesUnderPolicy(file: string, text: string): boolean {
  return !ELSEWHERE.test(file) && !NOT_AGAIN.has(file) &&
    (WRITES.test(text) || (AREA.test(file) && HAS_ACCOUNT.test(text)));
}
