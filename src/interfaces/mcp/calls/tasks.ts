import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { CallAnswer, CallWork } from "./pending_calls.ts";

const MAX_TASKS = 64;
/** Milliseconds that a task and its result are kept, counted from its start. */
const TTL = 60 * 60 * 1000;
const POLL_INTERVAL = 2_000;

interface Task {
  readonly id: string;
  readonly owner: string;
  readonly work: CallWork;
  readonly createdAt: number;
  updatedAt: number;
  message: string | undefined;
  isCancelled: boolean;
  answer: CallAnswer | undefined;
}

export class TaskList {
  readonly #now: () => number;
  readonly #tasks = new Map<string, Task>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#tasks.size;
  }

  /**
   * Returns `undefined` when too many tasks are running.
   *
   * @param owner Key of the caller.
   */
  add(work: CallWork, owner: string): CreatedTask | undefined {
    this.#dropOld();
    if (this.#tasks.size >= MAX_TASKS) {
      const done = [...this.#tasks.values()].find(({ answer }) => answer !== undefined);
      if (done === undefined) return undefined;
      this.#tasks.delete(done.id);
    }
    const now = this.#now();
    const task: Task = {
      id: crypto.randomUUID(),
      owner,
      work,
      createdAt: now,
      updatedAt: now,
      message: undefined,
      isCancelled: false,
      answer: undefined,
    };
    this.#tasks.set(task.id, task);
    work.report = (_done, message) => {
      task.message = message;
      task.updatedAt = this.#now();
      return Promise.resolve();
    };
    void work.answer.then((answer) => {
      task.answer = answer;
      task.updatedAt = this.#now();
    });
    return { resultType: "task", ...stateOf(task) };
  }

  /** `undefined` for an unknown id or a task of another caller. */
  get(id: string, owner: string): TaskState & { readonly result?: CallToolResult } | undefined {
    const task = this.#own(id, owner);
    if (task === undefined) return undefined;
    const { answer, isCancelled } = task;
    const state = stateOf(task);
    return answer === undefined || isCancelled || !("content" in answer)
      ? state
      : { ...state, result: answer as CallToolResult };
  }

  cancel(id: string, owner: string): boolean {
    const task = this.#own(id, owner);
    if (task === undefined) return false;
    if (task.answer === undefined && !task.isCancelled) {
      task.isCancelled = true;
      task.updatedAt = this.#now();
      task.work.stop();
    }
    return true;
  }

  stop(): void {
    for (const { work } of this.#tasks.values()) work.stop();
    this.#tasks.clear();
  }

  #own(id: string, owner: string): Task | undefined {
    this.#dropOld();
    const task = this.#tasks.get(id);
    return task?.owner === owner ? task : undefined;
  }

  #dropOld(): void {
    for (const { id, createdAt, work } of [...this.#tasks.values()]) {
      if (this.#now() - createdAt <= TTL) continue;
      work.stop();
      this.#tasks.delete(id);
    }
  }
}

function stateOf({ id, createdAt, updatedAt, message, isCancelled, answer }: Task): TaskState {
  return {
    taskId: id,
    status: isCancelled ? "cancelled" : answer === undefined ? "working" : "completed",
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: TTL,
    pollIntervalMs: POLL_INTERVAL,
    ...(message === undefined ? {} : { statusMessage: message }),
  };
}

export const TASK = "platform-ads/task";

interface CreatedTask extends TaskState {
  readonly resultType: "task";
}

export function taskAnswer(task: CreatedTask): CallToolResult {
  return {
    content: [{ type: "text", text: `Continuing as task ${task.taskId}` }],
    isError: true,
    _meta: { [TASK]: task },
  };
}

export function isCreatedTask(value: unknown): value is CreatedTask {
  return typeof value === "object" && value !== null && "resultType" in value && value.resultType === "task";
}

interface TaskState extends Record<string, unknown> {
  readonly taskId: string;
  readonly status: "working" | "completed" | "cancelled";
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly statusMessage?: string;
}

export const TASKS = "io.modelcontextprotocol/tasks";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

export function knowsTasks({ mcpReq }: Pick<ServerContext, "mcpReq">): boolean {
  const declared: unknown = Reflect.get(mcpReq.envelope ?? {}, CAPABILITIES);
  if (typeof declared !== "object" || declared === null || !("extensions" in declared)) return false;
  const { extensions } = declared;
  return typeof extensions === "object" && extensions !== null && TASKS in extensions;
}
