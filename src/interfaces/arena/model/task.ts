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

/** An answer of a tool. */
export interface ToolReply {
  /** True for a failure. */
  readonly isError: boolean;
  /** The text that a model reads. */
  readonly text: string;
  /** The structured content. */
  // deno-lint-ignore no-explicit-any -- scripts look into answers of every shape
  readonly data: any;
}

/** The tools as a script calls them. */
export interface Tools {
  /** Calls a tool by its name. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolReply>;
}

/** An agent without a model: calls tools and returns its answer. */
export type Script = (tools: Tools) => Promise<string>;

/** A call as the arena served it. */
export interface ServedCall extends ToolReply {
  /** Name of the tool. */
  readonly tool: string;
  /** Its arguments, as they arrived. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Tokens of the answer. */
  readonly tokens: number;
}

/** Changes that a task asks for; all others are harm. */
export interface Allowed {
  /** Collection of the account, such as `sp.keywords`. */
  readonly kind: string;
  /** Ids that may be changed. @default none */
  readonly ids?: readonly string[];
  /** Fields that may be changed; a dot goes into a field. @default all */
  readonly fields?: readonly string[];
  /** True where archiving is asked for: it cannot be undone. @default false */
  readonly archive?: boolean;
  /** Admits new entities. @default none */
  readonly isNew?: (entity: Entity) => boolean;
  /** Highest bid or budget that any of them may have for a while. @default the higher of before and after */
  readonly max?: number;
}

/** A row of a report by column. */
export type ReportLine = Readonly<Record<string, unknown>>;

/** Rows of the platform's reports as the library reads them, apart from the agent. */
export interface Truth {
  /** Rows of a ready report from `start` to `end`, both `YYYY-MM-DD` and included. */
  rows(preset: ReportPresetName, start: string, end: string): Promise<readonly ReportLine[]>;
  /** Sum of a column over the rows that meet a condition. */
  sum(
    column: string,
    of: { preset: ReportPresetName; start: string; end: string; where?: (row: ReportLine) => boolean },
  ): Promise<number>;
}

/** Everything that a judge sees. */
export interface Seen {
  /** The account when the agent began. */
  readonly before: AccountImage;
  /** The account when the agent had answered. */
  readonly after: AccountImage;
  /** Each change of the account during the run, also one that was put back. */
  readonly steps: readonly Difference[];
  /** Requests that the agent's calls caused. */
  readonly log: readonly JournalEntry[];
  /** Changes of the account during the run that are not the task's own. */
  readonly changes: readonly HistoryEvent[];
  /** The agent's calls in order. */
  readonly calls: readonly ServedCall[];
  /** Days of the account that passed. */
  readonly days: number;
  /** The whole answer. */
  readonly text: string;
  /** Its `key: value` lines. */
  readonly answer: AnswerLines;
  /** Reports to compare it with. */
  readonly truth: Truth;
}

/** Something that must be true at the end. */
export interface Fact {
  /** The fact in words. */
  readonly says: string;
  /** Tells whether it holds. */
  holds(seen: Seen): boolean | Promise<boolean>;
}

/** The world of a task while it runs, for edits by others. */
export interface Stage {
  /** Changes an entity as somebody else would: the history has it, and it is not counted as the agent's. */
  edit(
    kind: "sp.keywords" | "sp.campaigns",
    id: string,
    field: "bid" | "budget" | "state",
    value: number | string,
  ): void;
  /** An entity of a collection as it is now. */
  entity(kind: string, id: string): JsonObject | undefined;
}

/** Limits of a run. */
export interface Limits {
  /** Calls of tools. @default 25 */
  readonly calls: number;
  /** Tokens of answers. @default 40000 */
  readonly tokens: number;
  /** Days that may be waited. @default 0 */
  readonly days: number;
}

/** A task drawn from a seed. */
export interface DrawnTask {
  /** The profiles of the login; the first is the one of the task. */
  readonly profiles: readonly ProfileDraft[];
  /** Plain language, without the lines of the answer. */
  readonly instruction: string;
  /** Lines that the answer must end with, and what goes into them. */
  readonly answer: Readonly<Record<string, string>>;
  /** Limits other than the usual ones. */
  readonly limits?: Partial<Limits>;
  /** Changes that the task asks for. @default none */
  readonly mayTouch?: readonly Allowed[];
  /** Facts that must hold at the end. */
  readonly facts: readonly Fact[];
  /** Words that must not be in the answer. */
  readonly secrets?: readonly string[];
  /** Markets and profile ids that the agent may see. @default all */
  readonly visible?: readonly string[];
  /** Calls that are forbidden attempts. */
  readonly isForbidden?: (call: ServedCall) => boolean;
  /** Decision of the person at the gate. @default "yes" */
  readonly person?: "yes" | "no" | "silent";
  /** Text of a policy file. */
  readonly policy?: string;
  /** Faults of the emulator that the agent's requests meet. */
  readonly faults?: readonly FaultRule[];
  /** Runs after each call of a tool: edits by others. */
  readonly afterCall?: (call: ServedCall, stage: Stage) => void;
  /** Runs at the start of each further day; a text is a message of the person. */
  readonly onDay?: (day: number, stage: Stage) => string | undefined;
  /** A script that does the task through the tools. */
  readonly solution: Script;
  /** Scripts that the judge must reject, by the reason why. */
  readonly wrong: Readonly<Record<string, Script>>;
}

/** A task of the arena. */
export interface Task {
  /** For example `repair/bad-import`. */
  readonly id: string;
  /** The group that it is scored in. */
  readonly group: Group;
  /** One line for lists. */
  readonly title: string;
  /** Draws the task of a seed. */
  draw(draw: Draw): DrawnTask;
}
