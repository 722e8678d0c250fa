import type { CallToolResult } from "@modelcontextprotocol/server";
import type { TaskState } from "./task_state.ts";

/** Field of a result's `_meta`: the task that the client gets in its place. */
export const TASK = "platform-ads/task";

/** The answer to a call whose work goes on as a task. */
export interface CreatedTask extends TaskState {
  readonly resultType: "task";
}

/** The result that stands for a task until it is sent. */
export function taskAnswer(task: CreatedTask): CallToolResult {
  return {
    content: [{ type: "text", text: `The work goes on as task ${task.taskId}` }],
    isError: true,
    _meta: { [TASK]: task },
  };
}

/** True for a task as {@linkcode taskAnswer} carries it. */
export function isCreatedTask(value: unknown): value is CreatedTask {
  return typeof value === "object" && value !== null && "resultType" in value && value.resultType === "task";
}
