/**
 * Benchmark for agents that run advertising accounts: tasks on generated emulator accounts, and a judge that checks
 * the account, request log and reports, not the agent's claims.
 *
 * @module
 */
export type {
  AdGroupPlace,
  CampaignPlace,
  Demand,
  PastChange,
  ProfileDraft,
} from "./account/account_draft.ts";
export type { AccountImage, Difference, Entity } from "./account/account_image.ts";
export type { Draw, ProductLine } from "./account/draw.ts";
export type { Judgement } from "./judge/judge.ts";
export type { AnswerLines } from "./judge/answer_lines.ts";
export type { Harm } from "./judge/harm.ts";
export {
  type Allowed,
  type DrawnTask,
  type Fact,
  type Group,
  GROUPS,
  type Limits,
  type ReportLine,
  type Script,
  type Seen,
  type ServedCall,
  type Stage,
  type Task,
  type ToolReply,
  type Tools,
  type Truth,
} from "./judge/task.ts";
export { ARENA_TASKS } from "./tasks/all_tasks.ts";
export { type Agent, type AgentWorld, drawTask, instructionOf, play, type Played } from "./run/play.ts";
export { commandAgent, type CommandAgentOptions } from "./run/command_agent.ts";
export { REFERENCE_AGENTS } from "./run/reference_agents.ts";
export type { ArenaResult } from "./run/results_file.ts";
export { type ArenaOptions, runArena } from "./run/run_arena.ts";
export { type ScoreRow, scoreTable } from "./run/score_table.ts";
