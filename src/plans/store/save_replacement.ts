import { fileSystem } from "../../base/runtime/file_system.ts";
import type { ChangePlan } from "../change_plan/change_plan.ts";
import { PlanStateError } from "../model/plan_errors.ts";
import { PlanPlaces } from "./plan_places.ts";
import type { PlanStore } from "./plan_store.ts";
import { readRecord } from "./read_record.ts";

/**
 * Saves a plan that replaces an open one of the same store, and closes the old one. One file does both: the new plan
 * counts as closed until the refusal of the old one names it. A crash at any point leaves exactly one of them open.
 *
 * @throws {PlanStateError} when the old plan was begun or refused meanwhile. Nothing is saved then.
 */
export async function saveReplacement(
  store: PlanStore,
  old: Pick<ChangePlan, "id">,
  made: ChangePlan,
): Promise<void> {
  const files = fileSystem();
  const places = new PlanPlaces(store.path);
  const link = JSON.stringify({ plan_id: made.id, replaces: old.id, made_at: made.createdAt }) + "\n";
  await files.writeText(places.replaces(made.id), link, { mode: 0o600 });
  const path = await store.save(made);
  await store.refuse(old, { replacedBy: made.id });
  const status = await store.status(old.id);
  if (status.state === "refused" && status.replacedBy === made.id) {
    return await files.remove(places.draft(old.id));
  }
  // The application that began meanwhile, or another refusal, decides.
  const refusal = await readRecord(places.refusal(old.id));
  if (refusal?.["replaced_by"] === made.id) await files.remove(places.refusal(old.id));
  await files.remove(path);
  await files.remove(places.replaces(made.id));
  throw new PlanStateError(
    `Cannot replace plan ${old.id}: it is ${status.state}. Nothing was saved`,
    "applied",
  );
}
