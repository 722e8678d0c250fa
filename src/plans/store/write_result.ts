import { fileSystem } from "../../base/runtime/file_system.ts";
import type { ChangePlan, PlanResult } from "../change_plan/change_plan.ts";
import { experimentPath, experimentRecord } from "./experiment_record.ts";
import type { PlanPlaces } from "./plan_places.ts";
import { readRecord } from "./read_record.ts";

/** An applied plan, and the location of its result. */
export interface AppliedPlan {
  /** A verdict for every change. */
  readonly result: PlanResult;
  /** Path of the result file; `undefined` if it was not written. */
  readonly resultPath: string | undefined;
  /**
   * Plan that undoes the accepted changes; `undefined` if there is nothing to undo, or if another process took over the
   * plan and writes the result.
   */
  readonly rollback: ChangePlan | undefined;
  /** Path of the rollback plan's file; `undefined` if there is no such plan, or if it could not be written. */
  readonly rollbackPath: string | undefined;
  /** Warnings about changes that the rollback plan does not undo. */
  readonly rollbackWarnings: readonly string[];
  /** Errors while saving the results; empty if all were saved. */
  readonly notWritten: readonly Error[];
}

interface WriteOptions {
  readonly now: () => number;
  readonly keepsTime?: boolean;
}

/**
 * Never throws, because a result must be reported even if it cannot be saved. Writes nothing after another process has
 * taken over, and keeps approver and overridden findings of an earlier result.
 */
export async function writeResult(
  result: PlanResult,
  places: PlanPlaces,
  { now, keepsTime = false }: WriteOptions,
): Promise<AppliedPlan> {
  const notWritten = [...result.notWritten];
  if (result.takenOver) {
    const nothing = { resultPath: undefined, rollback: undefined, rollbackPath: undefined };
    return { result, ...nothing, rollbackWarnings: [], notWritten };
  }
  const written = async (path: string, text: string): Promise<string | undefined> => {
    try {
      await fileSystem().writeText(path, text, { mode: 0o600 });
      return path;
    } catch (error) {
      notWritten.push(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  };
  const before = await readRecord(places.result(result.plan.id)).catch(() => undefined) ?? {};
  const { rollback, rollbackWarnings, text } = resultText(result, now, { before, keepsTime });
  const rollbackPath = rollback && await written(places.rollback(rollback.id), rollback.toJson());
  const resultPath = await written(places.result(result.plan.id), text(rollbackPath));
  const { plan } = result;
  const isBegun = plan.experiment !== null && result.changes.some(({ outcome }) => outcome === "done");
  if (isBegun) {
    await written(experimentPath(places, plan.id), experimentRecord(plan, new Date(now()).toISOString()));
  }
  return { result, resultPath, rollback, rollbackPath, rollbackWarnings, notWritten };
}

interface ResultText {
  readonly rollback: ChangePlan | undefined;
  readonly rollbackWarnings: readonly string[];
  readonly text: (rollbackPath: string | undefined) => string;
}

export function endedPlan(result: PlanResult, places: PlanPlaces): AppliedPlan {
  const undo = result.rollbackPlan();
  return {
    result,
    resultPath: places.result(result.plan.id),
    rollback: undo.changes.length > 0 ? undo : undefined,
    rollbackPath: undefined,
    rollbackWarnings: undo.warnings,
    notWritten: [],
  };
}

export function resultText(
  result: PlanResult,
  now: () => number,
  { before = {}, keepsTime = false }: {
    readonly before?: Readonly<Record<string, unknown>>;
    readonly keepsTime?: boolean;
  } = {},
): ResultText {
  const undo = result.rollbackPlan();
  const rollback = undo.changes.length > 0 ? undo : undefined;
  const data = result.toData();
  const written = {
    ...data,
    approved_by: data["approved_by"] ?? before["approved_by"] ?? null,
    override: data["override"] ?? before["override"] ?? null,
    applied_at: keepsTime && typeof before["applied_at"] === "string"
      ? before["applied_at"]
      : new Date(now()).toISOString(),
    rollback_plan_id: rollback?.id ?? null,
    rollback_warnings: undo.warnings,
  };
  return {
    rollback,
    rollbackWarnings: undo.warnings,
    text: (rollbackPath) =>
      JSON.stringify({ ...written, rollback_file: rollbackPath ?? null }, null, 2) + "\n",
  };
}
