import { fileSystem } from "../../base/runtime/file_system.ts";
import { ApplyJournal } from "../apply/apply_journal.ts";
import type { Approval } from "../model/approval.ts";
import type { ChangePlan } from "../change_plan/change_plan.ts";
import { openAttempt } from "../apply/journal_reading.ts";
import { isApproval } from "../model/finding.ts";
import { PlanPlaces } from "./plan_places.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import type { PlanStore } from "./plan_store.ts";
import { queueOf, readRecord } from "./read_record.ts";

interface QueuedWork {
  readonly journal: string;
  readonly result: string;
  readonly rollback: { readonly id: string; readonly text: string } | undefined;
}

interface LeftPlan {
  readonly where: string;
  readonly attempt: string | undefined;
}

/**
 * Leaves a plan to a queue. From then on, applying the plan from the store fails: both ways create the journal, so
 * only one of them succeeds.
 *
 * @param where Location of the queue, without secrets.
 * @throws {PlanStateError} when the plan was applied, begun or rejected, or is on another queue.
 */
export async function leaveToQueue(store: PlanStore, plan: ChangePlan, where: string): Promise<void> {
  const before = await store.status(plan.id);
  if (before.state !== "open" && before.state !== "queued") await store.ensureOpen(plan.id);
  if (!await journalOf(store, plan.id).leaveToQueue(plan, where)) await store.ensureOpen(plan.id);
  // A person may have refused it in this moment.
  if (await readRecord(new PlanPlaces(store.path).refusal(plan.id)) === undefined) return;
  await takeBack(store, plan.id, { attempt: (await leftToQueue(store, plan.id))?.attempt });
  await store.ensureOpen(plan.id);
}

export async function leftToQueue(store: PlanStore, id: string): Promise<LeftPlan | undefined> {
  const open = openAttempt(await readIfThere(new PlanPlaces(store.path).journal(id)) ?? "");
  const where = open && queueOf(open.text);
  return where === undefined ? undefined : { where, attempt: open?.writer };
}

/**
 * No effect if the plan was taken back or queued again since.
 *
 * @param journal Text of the workers' journal; without one, nothing was done and the plan is open.
 */
export async function takeBack(
  store: PlanStore,
  id: string,
  { attempt, journal }: Pick<LeftPlan, "attempt"> & { readonly journal?: string | undefined },
): Promise<void> {
  await journalOf(store, id).takeBack(attempt, journal);
}

export async function takeFromQueue(store: PlanStore, id: string, work: QueuedWork): Promise<void> {
  const files = fileSystem();
  const places = new PlanPlaces(store.path);
  const { journal, result, rollback } = work;
  if (rollback !== undefined) {
    await files.writeText(places.rollback(rollback.id), rollback.text, { mode: 0o600 });
  }
  for (let left = await leftToQueue(store, id); left !== undefined; left = await leftToQueue(store, id)) {
    await takeBack(store, id, { ...left, journal });
  }
  await files.writeText(places.result(id), result, { mode: 0o600 });
}

export async function approvalBeside(store: PlanStore, id: string): Promise<Approval | undefined> {
  const approval = await readRecord(new PlanPlaces(store.path).approval(id));
  return isApproval(approval) ? approval : undefined;
}

function journalOf(store: PlanStore, id: string): ApplyJournal {
  return new ApplyJournal(new PlanPlaces(store.path).journal(id));
}
