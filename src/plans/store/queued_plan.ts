import { fileSystem } from "../../runtime/file_system.ts";
import { ApplyJournal } from "../apply/apply_journal.ts";
import type { Approval } from "../approval.ts";
import type { ChangePlan } from "../change_plan.ts";
import { isApproval } from "../override.ts";
import { PlanPlaces } from "./plan_places.ts";
import type { PlanStore } from "./plan_store.ts";
import { readRecord } from "./read_record.ts";

/** Results of the workers of a queue for a plan, as texts of files. */
interface QueuedWork {
  /** Text of the journal. */
  readonly journal: string;
  /** Text of the result file. */
  readonly result: string;
  /** The plan that undoes what was accepted; `undefined` when there is nothing to undo. */
  readonly rollback: { readonly id: string; readonly text: string } | undefined;
}

/**
 * Leaves a plan of a store to the workers of a queue: applying it from the store is refused from now on. Of this and an
 * application of the store one succeeds, for both make the journal.
 *
 * @param where Location of the queue, without secrets.
 * @throws {PlanStateError} when the plan was applied, begun or refused, or is on another queue.
 */
export async function leaveToQueue(store: PlanStore, plan: ChangePlan, where: string): Promise<void> {
  const before = await store.status(plan.id);
  if (before.state !== "open" && before.state !== "queued") await store.ensureOpen(plan.id);
  const isNew = await new ApplyJournal(new PlanPlaces(store.path).journal(plan.id)).leaveToQueue(plan, where);
  const status = await store.status(plan.id);
  if (isNew || status.state === "queued" && status.where === where) return;
  await store.ensureOpen(plan.id);
}

/** Takes what the workers of a queue did of a plan into the store that it was saved in. */
export async function takeFromQueue(store: PlanStore, id: string, work: QueuedWork): Promise<void> {
  const files = fileSystem();
  const places = new PlanPlaces(store.path);
  const { journal, result, rollback } = work;
  if (rollback !== undefined) {
    await files.writeText(places.rollback(rollback.id), rollback.text, { mode: 0o600 });
  }
  await files.writeText(places.journal(id), journal, { mode: 0o600 });
  await files.writeText(places.result(id), result, { mode: 0o600 });
}

/** The signed approval that is kept beside a plan, unchecked; `undefined` without one. */
export async function approvalBeside(store: PlanStore, id: string): Promise<Approval | undefined> {
  const approval = await readRecord(new PlanPlaces(store.path).approval(id));
  return isApproval(approval) ? approval : undefined;
}
