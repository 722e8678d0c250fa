import { undoId } from "../change_plan/inverse.ts";
import type { ChangePlan } from "../change_plan/change_plan.ts";
import type { PlanStatus, StoredPlan } from "./plan_status.ts";
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
  const families = new UndoFamilies(lists.flat().filter(isReadable));
  const marked = async (one: StoredPlan): Promise<StoredPlan> => {
    if (!isReadable(one) || one.status.state !== "applied") return one;
    const { id, plan: { profileId }, status } = one;
    const undo = families.undoing(profileId, id).find((other) => other.id === undoId(id));
    const parts = undo?.plan.changes.flatMap(partsOf) ?? [];
    if (parts.length === 0) return one;
    const words = await families.lastWords(profileId, id);
    const out = parts.flatMap((part) => words.get(part) ?? []).filter(({ isIn }) => isIn !== true);
    const { undone: _, ...applied } = status;
    const [first, ...others] = out;
    if (first === undefined) {
      const isSpent = status.undone !== undefined && status.undone.isPart !== true;
      if (!isSpent) return { ...one, status: applied };
      const again = parts.flatMap((part) => words.get(part) ?? [])
        .reduce<LastWord | undefined>((last, word) => last && last.at >= word.at ? last : word, undefined);
      const by = lists.flat().filter(isReadable).find((other) => other.id === again?.by);
      const rollbackPlanId = by?.status.state === "applied" ? by.status.rollbackPlanId : undefined;
      return { ...one, status: { ...applied, rollbackPlanId } };
    }
    const { at, by } = others.reduce((last, word) => word.at > last.at ? word : last, first);
    const isWhole = out.length === parts.length && out.every(({ isIn }) => isIn === false);
    return { ...one, status: { ...applied, undone: { at, by, ...(isWhole ? {} : { isPart: true }) } } };
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

interface Listed {
  status(id: string): Promise<PlanStatus>;
  list(isWanted?: (plan: ChangePlan) => boolean): Promise<StoredPlan[]>;
}

function isReadable(one: StoredPlan): one is ReadablePlan {
  return "status" in one;
}
