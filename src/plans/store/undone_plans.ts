import { undoId } from "../change_plan/inverse.ts";
import type { ChangePlan } from "../change_plan/change_plan.ts";
import type { Change } from "../model/change.ts";
import { PlanPlaces } from "./plan_places.ts";
import { type PlanStatus, stateWord, type StoredPlan } from "./plan_status.ts";
import { readRecord } from "./read_record.ts";
import { isPutBack } from "./undo_chain.ts";

type Readable = Extract<StoredPlan, { readonly status: unknown }>;
type Applied = Readable & { readonly status: { readonly state: "applied" } };

/**
 * Marks the plans that others put back whole, under ids of their own: by all of the undo that was saved with the result.
 * Plans that were put back in part stay applied.
 *
 * @param lists Plans of each folder, with those that undo others.
 * @param options.isRehearsal True to ignore plans of other folders: one folder may be of the account, one of its copy.
 */
export async function withUndone(
  lists: readonly (readonly StoredPlan[])[],
  { isRehearsal = false }: { isRehearsal?: boolean } = {},
): Promise<StoredPlan[][]> {
  if (isRehearsal) return (await Promise.all(lists.map((list) => withUndone([list])))).flat();
  const reversing = Map.groupBy(
    lists.flat().filter(isReadable).filter(({ plan }) => plan.reverses !== null),
    ({ plan }) => keyOf(plan.profileId, plan.reverses),
  );
  /** Plans that put one back, last first. An undo does not count once any of it was put back itself. */
  const undoing = async (one: Applied, above: readonly string[] = []): Promise<PutBack[]> => {
    const within = [...above, one.id];
    const others = (reversing.get(keyOf(one.plan.profileId, one.id)) ?? []).filter(isApplied)
      .filter(({ id, status }) => !within.includes(id) && status.undone === undefined);
    const found = await Promise.all(
      others.map(async (other) => (await undoing(other, within)).length > 0 ? [] : [await putBackBy(other)]),
    );
    return found.flat().filter(({ parts }) => parts.length > 0).sort((a, b) => a.at < b.at ? 1 : -1);
  };
  const marked = async (one: StoredPlan): Promise<StoredPlan> => {
    if (!isApplied(one) || stateWord(one.status) === "undone") return one;
    const others = reversing.get(keyOf(one.plan.profileId, one.id)) ?? [];
    const undo = others.find(({ id }) => id === undoId(one.id));
    const done = await undoing(one);
    const [last] = done;
    if (undo === undefined || last === undefined) return one;
    const parts = new Set(done.flatMap(({ parts }) => parts));
    if (!undo.plan.changes.flatMap(partsOf).every((part) => parts.has(part))) return one;
    return { ...one, status: { ...one.status, undone: { at: last.at, by: last.by } } };
  };
  return await Promise.all(lists.map((list) => Promise.all(list.map(marked))));
}

/**
 * Status of a plan as lists show it: undone also where plans of other ids put it back.
 *
 * @param id Id of a plan of the first of the folders.
 */
export async function listedStatus(
  id: string,
  [first, ...rest]: readonly [Listed, ...Listed[]],
): Promise<PlanStatus> {
  const status = await first.status(id);
  if (status.state !== "applied" || stateWord(status) === "undone") return status;
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

function isReadable(one: StoredPlan): one is Readable {
  return "status" in one;
}

function isApplied(one: StoredPlan): one is Applied {
  return isReadable(one) && one.status.state === "applied";
}

function keyOf(profileId: string, id: string | null): string {
  return `${profileId} ${id}`;
}

interface PutBack {
  readonly at: string;
  readonly by: string;
  readonly parts: readonly string[];
}

async function putBackBy({ id, path, plan, status }: Applied): Promise<PutBack> {
  const result = await readRecord(new PlanPlaces(PlanPlaces.folderOf(path)).result(id));
  const verdicts: unknown = result?.["changes"];
  const done = plan.changes.filter((_, at) => Array.isArray(verdicts) && isPutBack(verdicts[at]));
  return { at: status.at, by: id, parts: done.flatMap(partsOf) };
}

/** Names each field of an entity, because another plan may put back only some of them. */
function partsOf({ kind, op, id, after }: Change): string[] {
  return Object.keys(after).map((field) => JSON.stringify([kind, op, id ?? after, field]));
}
