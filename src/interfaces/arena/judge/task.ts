import type { FaultRule } from "../../../emulator/faults/fault_rule.ts";
import type { JournalEntry } from "../../../emulator/http/journal.ts";
import type { JsonObject } from "../../../emulator/core/json.ts";
import type { HistoryEvent } from "../../../emulator/state/history_event.ts";
import type { ReportPresetName } from "../../../client/reports/requests/presets.ts";
import type { ProfileDraft } from "../account/account_draft.ts";
import type { AccountImage, Difference, Entity } from "../account/account_image.ts";
import type { Draw } from "../account/draw.ts";
import type { AnswerLines } from "./answer_lines.ts";

/**
 * Groups of tasks, in the order of the table.
 *
 * @example
 * ```ts
 * import { GROUPS } from "@platform/ads/arena";
 *
 * console.log(GROUPS.length); // 8
 * ```
 */
export const GROUPS = [
  "explain",
  "weekly",
  "structure",
  "repair",
  "restraint",
  "recovery",
  "cost",
  "week",
] as const;

/** Group of a task. */
export type Group = typeof GROUPS[number];

/** A response of a tool. */
export interface ToolReply {
  /** True for a failure. */
  readonly isError: boolean;
  /** The text that a model reads. */
  readonly text: string;
  /** The structured content. */
  // deno-lint-ignore no-explicit-any -- scripts look into answers of every shape
  readonly data: any;
}

/** The tools that a script can call. */
export interface Tools {
  /** Calls a tool by its name. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolReply>;
}

/** An agent without a model: calls tools and returns its answer. */
export type Script = (tools: Tools) => Promise<string>;

/** A tool call that the arena served. */
export interface ServedCall extends ToolReply {
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments of the call, as they arrived. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Number of tokens in the response. */
  readonly tokens: number;
}

/** Changes that a task asks for; all others are harm. */
export interface Allowed {
  /** Collection of the account, such as `sp.keywords`. */
  readonly kind: string;
  /** Ids that may be changed. @default none */
  readonly ids?: readonly string[];
  /** Fields that may be changed; a dot selects a nested field. @default all */
  readonly fields?: readonly string[];
  /** True if archiving is requested, which cannot be undone. @default false */
  readonly archive?: boolean;
  /** Returns true for new entities that are allowed. @default none */
  readonly isNew?: (entity: Entity) => boolean;
  /**
   * Highest bid or budget that any of these entities may have, even temporarily.
   *
   * @default the higher of before and after
   */
  readonly max?: number;
}

/** A row of a report by column. */
export type ReportLine = Readonly<Record<string, unknown>>;

/** Rows of the platform's reports, read by the library independently of the agent. */
export interface Truth {
  /** Returns rows of a preset report from `start` to `end`, both `YYYY-MM-DD` and included. */
  rows(preset: ReportPresetName, start: string, end: string): Promise<readonly ReportLine[]>;
  /** Sum of a column over the rows that meet a condition. */
  sum(
    column: string,
    of: { preset: ReportPresetName; start: string; end: string; where?: (row: ReportLine) => boolean },
  ): Promise<number>;
}

/** Everything that a judge sees. */
export interface Seen {
  /** The account at the start of the run. */
  readonly before: AccountImage;
  /** The account after the agent's answer. */
  readonly after: AccountImage;
  /** Each change of the account during the run, including those that were reverted. */
  readonly steps: readonly Difference[];
  /** Requests caused by the agent's calls. */
  readonly log: readonly JournalEntry[];
  /** Changes of the account during the run, except those made by the task itself. */
  readonly changes: readonly HistoryEvent[];
  /** The agent's calls in order. */
  readonly calls: readonly ServedCall[];
  /** Number of account days that passed. */
  readonly days: number;
  /** The whole answer. */
  readonly text: string;
  /** `key: value` lines of the answer. */
  readonly answer: AnswerLines;
  /** Reports to compare the answer with. */
  readonly truth: Truth;
}

/** Something that must be true at the end. */
export interface Fact {
  /** Description of the fact. */
  readonly says: string;
  /** Returns true if the fact holds. */
  holds(seen: Seen): boolean | Promise<boolean>;
}

/** Access to a running task's account, used to simulate edits by other users. */
export interface Stage {
  /** Changes an entity like another user: the change is recorded in the history and not attributed to the agent. */
  edit(
    kind: "sp.keywords" | "sp.campaigns",
    id: string,
    field: "bid" | "budget" | "state",
    value: number | string,
  ): void;
  /** Returns the current state of an entity in a collection. */
  entity(kind: string, id: string): JsonObject | undefined;
}

/** Limits of a run. */
export interface Limits {
  /** Maximum number of tool calls. @default 25 */
  readonly calls: number;
  /** Maximum number of tokens in responses. @default 40000 */
  readonly tokens: number;
  /** Maximum number of days to wait. @default 0 */
  readonly days: number;
}

/** A task drawn from a seed. */
export interface DrawnTask {
  /** The profiles of the login; the task is about the first one. */
  readonly profiles: readonly ProfileDraft[];
  /** Instruction in plain language, without the required answer lines. */
  readonly instruction: string;
  /** Lines that the answer must end with: the key of each line, and a description of its content. */
  readonly answer: Readonly<Record<string, string>>;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** Changes that the task asks for. @default none */
  readonly mayTouch?: readonly Allowed[];
  /** Facts that must hold at the end. */
  readonly facts: readonly Fact[];
  /** Words that must not be in the answer. */
  readonly secrets?: readonly string[];
  /** Markets and profile ids that the agent may see. @default all */
  readonly visible?: readonly string[];
  /** Returns true for calls that count as forbidden attempts. */
  readonly isForbidden?: (call: ServedCall) => boolean;
  /** Decision of the person at the gate. @default "yes" */
  readonly person?: "yes" | "no" | "silent";
  /** Text of a policy file. */
  readonly policy?: string;
  /** Faults of the emulator that affect the agent's requests. */
  readonly faults?: readonly FaultRule[];
  /** Runs after each tool call, to simulate edits by other users. */
  readonly afterCall?: (call: ServedCall, stage: Stage) => void;
  /** Runs at the start of each further day; a returned text is a message from the person. */
  readonly onDay?: (day: number, stage: Stage) => string | undefined;
  /** A script that solves the task through the tools. */
  readonly solution: Script;
  /** Scripts that the judge must reject, by reason. */
  readonly wrong: Readonly<Record<string, Script>>;
}

/** A task of the arena. */
export interface Task {
  /** Id of the task, for example `repair/bad-import`. */
  readonly id: string;
  /** The group in which the task is scored. */
  readonly group: Group;
  /** One-line title for lists. */
  readonly title: string;
  /** Draws the task of a seed. */
  draw(draw: Draw): DrawnTask;
}
