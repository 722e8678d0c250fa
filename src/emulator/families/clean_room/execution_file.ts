import { isObject, type JsonObject } from "../../core/json.ts";
import type { FileSource } from "../../state/file_store.ts";
import type { ProfileState } from "../../state/profile_state.ts";

export interface ExecutionRecord {
  readonly workflowExecutionId: string;
  readonly workflowId: string;
  readonly workflow: JsonObject;
  readonly parameterValues: JsonObject;
  readonly request: JsonObject;
  readonly start: number;
  readonly end: number;
  readonly dryRun: boolean;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly fault?: string;
  readonly cancelledAt?: number;
  readonly outcome?: { readonly status: "SUCCEEDED" | "FAILED"; readonly reason?: string };
}

export function executionsOf(profile: ProfileState): ExecutionRecord[] {
  return profile.collection("clean_room.executions").all().map(asExecution);
}

export function asExecution(entity: JsonObject): ExecutionRecord {
  return entity as unknown as ExecutionRecord;
}

export function executionFile(
  profile: ProfileState,
  id: string,
  { seed, now }: { seed: string; now: number },
): FileSource | undefined {
  const found = profile.collection("clean_room.executions").get(id);
  if (found === undefined) return undefined;
  const execution = asExecution(found);
  if (execution.outcome?.status !== "SUCCEEDED" || execution.dryRun || now < execution.endsAt) {
    return undefined;
  }
  return resultOf(profile, execution, seed);
}

/** Returns the result of an execution, which is computed on first read. */
export function resultOf(profile: ProfileState, execution: ExecutionRecord, seed: string): FileSource {
  const { workflow, parameterValues, start, end, endsAt, dryRun } = execution;
  const rows = async () => {
    const { resultFile, runQuery } = await import("./run_query.ts");
    const request = { profile, seed, workflow, parameterValues, dryRun, asOf: endsAt };
    return [resultFile(await runQuery({ ...request, window: { start, end } }), workflow)];
  };
  return { format: "TEXT", rows };
}

export function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
