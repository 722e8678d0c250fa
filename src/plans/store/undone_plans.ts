import { undoId } from "../change_plan/inverse.ts";
import type { ChangePlan } from "../change_plan/change_plan.ts";
import { type PlanStatus, stateWord, type StoredPlan } from "./plan_status.ts";
import { type LastWord, partsOf, type ReadablePlan, UndoFamilies } from "./undo_family.ts";

/**
 * Marks the plans that others put back, in whole or in part and under any id, by the undo that was saved with the
 * result. A plan whose undo was undone itself is applied again.
 *
 * @param lists Plans of each folder, with those that undo others.
 * @param options.isRehearsal True to ignore plans of other folders: one folder may be of the account, one of its copy.
 */
export async function withUndone(
  lists: readonly (readonly StoredPlan[])[],
  { isRehearsal = false }: { isRehearsal?: boolean } = {},
): Promise<StoredPlan[][]> {
  if (isRehearsal) return (await Promise.all(lists.map((list) => withUndone([list])))).flat();
  const all = lists.flat().filter(isReadable);
  const families = new UndoFamilies(all);
  const planOf = (id: string | null | undefined) => all.find((one) => one.id === id);
  const marked = async (one: StoredPlan): Promise<StoredPlan> => {
    if (!isReadable(one) || one.status.state !== "applied") return one;
    const { id, plan: { profileId }, status } = one;
    const undo = families.undoing(profileId, id).find((other) => other.id === undoId(id));
    const parts = undo?.plan.changes.flatMap(partsOf) ?? [];
    if (parts.length === 0) return one;
    const byPart = await families.lastWords(profileId, id);
    const words = parts.flatMap((part) => byPart.get(part) ?? []);
    const out = words.filter(({ isIn }) => isIn !== true);
    const { undone: _, ...applied } = status;
    const last = lastOf(out);
    const isWhole = out.length === parts.length && out.every(({ isIn }) => isIn === false);
    const undone = last && { at: last.at, by: last.by, ...(isWhole ? {} : { isPart: true as const }) };
    const isSpent = status.undone !== undefined && !status.undone.isPart && !isWhole;
    // What undoes it by now is what undoes the plan that made its changes again.
    const again = isSpent && (planOf(lastOf(words.filter(({ isIn }) => isIn === true))?.by) ??
      planOf(planOf(last?.by)?.plan.reverses));
    const next = again && again.status.state === "applied" ? again.status.rollbackPlanId : undefined;
    return {
      ...one,
      status: {
        ...applied,
        ...(isSpent ? { rollbackPlanId: next } : {}),
        ...(undone === undefined ? {} : { undone }),
      },
    };
  };
  return await Promise.all(lists.map((list) => Promise.all(list.map(marked))));
}

/**
 * Status of a plan as lists show it: what plans of other ids put back counts, and what was put back itself does not.
 *
 * @param id Id of a plan of the first of the folders.
 */
export async function listedStatus(
  id: string,
  [first, ...rest]: readonly [Listed, ...Listed[]],
): Promise<PlanStatus> {
  const status = await first.status(id);
  if (status.state !== "applied") return status;
  const isWanted = ({ id: own, reverses }: ChangePlan): boolean => own === id || reverses !== null;
  const lists = [first.list(isWanted), ...rest.map((folder) => folder.list(isWanted).catch(() => []))];
  const [own = []] = await withUndone(await Promise.all(lists));
  const found = own.find((one) => one.id === id);
  return found !== undefined && isReadable(found) ? found.status : status;
}

/**
 * Id of the plan to undo for the undo of a plan: its own, or that of the plan that made its changes again after they
 * were put back.
 *
 * @param status Status of the plan as lists show it.
 */
export async function planToUndo(
  id: string,
  status: PlanStatus,
  find: (id: string) => Promise<{ readonly plan: ChangePlan } | undefined>,
): Promise<string> {
  const undo = status.state === "applied" && stateWord(status) === "applied"
    ? status.rollbackPlanId
    : undefined;
  return (undo === undefined ? undefined : (await find(undo))?.plan.reverses) ?? id;
}

interface Listed {
  status(id: string): Promise<PlanStatus>;
  list(isWanted?: (plan: ChangePlan) => boolean): Promise<StoredPlan[]>;
}

function lastOf(words: readonly LastWord[]): LastWord | undefined {
  return words.reduce<LastWord | undefined>(
    (last, word) => last && last.at >= word.at ? last : word,
    undefined,
  );
}

function isReadable(one: StoredPlan): one is ReadablePlan {
  return "status" in one;
}
