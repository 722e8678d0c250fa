/** Areas that may use the words and apply no plans, single writes of entities, and those that have policies already. */
const ELSEWHERE =
  /^tests\/(?:policy|emulator|entities|structure|scripts|docs|simulation|store|transport|reliability|arena|mcp|console)\//;
/** Files of these areas run where they have an account. */
const AREA = /^tests\/(?:plans|history|worker|schedules|watch|pacing)\//;
const HAS_ACCOUNT = /\/(?:emulated|emulator\/mod|\w+_world|\w+_scene)\.ts"/;
/** Calls and words of `adsctl` that resume, undo, roll out, work, tick, pace or propose. */
const WRITES =
  /\b(?:resumePlan|rollbackPlan|planRollout|Rollout|tickSchedules|runPacing|runWorker)\b|\.(?:resume|rollback|undo)\(|"(?:resume|undo|rollout|worker|tick|pace|propose)"/;

/**
 * True of test files whose everyday tests run once more with a policy: those that apply, resume, undo or roll out plans,
 * work a queue, tick schedules, pace budgets or propose plans by a watch.
 */
export function writesUnderPolicy(file: string, text: string): boolean {
  return !ELSEWHERE.test(file) && (WRITES.test(text) || (AREA.test(file) && HAS_ACCOUNT.test(text)));
}
