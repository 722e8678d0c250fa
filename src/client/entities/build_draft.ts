import { idOf, requiredId } from "../../base/json/id_of.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import type { Change, ChangeOperation, EntityFields, Evidence } from "../../plans/model/change.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { changeGraph } from "../../plans/model/change_ref.ts";
import { type PlanningOptions, reviewed } from "../../plans/change_plan/reviewed.ts";
import { AccountReading } from "../../plans/state/account_reading.ts";
import type { PlanReview } from "../../plans/review/review_plan.ts";
import type { JudgeablePlan } from "../../plans/model/write_policy.ts";
import type { HeldElsewhere } from "../../plans/model/experiment.ts";
import type { PriorState } from "../../plans/model/prior_state.ts";
import type { Preflight } from "./preflight/problem.ts";
import { planning, type PlanOptions, withMore } from "./resource/plan_writes.ts";

/** Name and dependencies of a drafted change, and the figures that justify it. */
export interface DraftOptions {
  /** Name of the change, by which other changes can refer to it. */
  readonly as?: string | undefined;
  /** Names of changes that must be applied first, in addition to those that the change's fields refer to. */
  readonly after?: readonly string[] | undefined;
  /**
   * Figures that justify the change, for readers of the plan.
   *
   * @default those of the last 30 days, where a store has them
   */
  readonly evidence?: Evidence | undefined;
}

/** Methods of a resource that a draft uses. */
export interface DraftResource {
  /** Name of the id field. */
  readonly idField: string;
  /** Plans creates: one change for each item that does not exist yet. */
  planCreate(items: readonly EntityFields[], options: PlanOptions): Promise<ChangePlan>;
  /** Plans updates; items that already match get no change. */
  planUpdate(items: readonly EntityFields[], options: PlanOptions): Promise<ChangePlan>;
  /** Plans archives; archiving cannot be undone. */
  planArchive(ids: readonly string[], options: PlanOptions): Promise<ChangePlan>;
}

/** Methods of a client that a draft uses. */
export interface DraftTarget {
  /** Id of the profile: digits, exact past 2^53. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Returns the resource of a kind. */
  resource(kind: string): DraftResource;
  /** Compares changes with the platform's rules and the account. Without it, only the items themselves are checked. */
  preflight?(changes: readonly Change[], options: PreflightOptions): Promise<Preflight>;
  /** Reviews a plan as a whole. */
  review?(plan: JudgeablePlan, options: PlanningOptions): Promise<PlanReview>;
  /** Returns entities held back by running experiments, which the plan leaves unchanged. */
  heldElsewhere?(): Promise<HeldElsewhere>;
}

/** Known account data and the order of checks for a preflight. */
export interface PreflightOptions {
  /**
   * Account data read earlier, to which newly read data is added.
   *
   * @internal
   */
  readonly account?: PriorState | undefined;
  /**
   * False to check the changes in the given order, without moving a change behind one that it depends on.
   *
   * @default true
   */
  readonly reorder?: boolean | undefined;
  /** Aborts reading the entities that the changes refer to. */
  readonly signal?: AbortSignal | undefined;
}

export interface Drafted {
  readonly kind: string;
  readonly op: ChangeOperation;
  readonly item: EntityFields;
  readonly options: DraftOptions;
}

export async function buildDraft(
  target: DraftTarget,
  draft: readonly Drafted[],
  options: PlanOptions,
): Promise<ChangePlan> {
  const { profileId, countryCode } = target;
  const asked = planning(options);
  const placed = draft.map((drafted, at) => ({ ...drafted, at }));
  const groups = Map.groupBy(placed, ({ op, kind }) => `${op} ${kind}`);
  const plans: ChangePlan[] = [];
  const account = new AccountReading();
  const changes = new Map<number, Change>();
  for (const group of groups.values()) {
    const { plan, found } = await planGroup(group, target, { ...options, account });
    plans.push(plan);
    for (const [at, change] of found) changes.set(at, change);
  }
  refuseRepeats(changes);
  const names = new Set([...changes.keys()].flatMap((at) => draft[at]?.options.as ?? []));
  const left = new Set(
    draft.flatMap(({ options: { as } }) => as === undefined || names.has(as) ? [] : [as]),
  );
  const ordered = [...changes].sort(([a], [b]) => a - b).map(([at, change]) => {
    const { as, after = [], evidence } = draft[at]?.options ?? {};
    const waits = after.filter((name) => !left.has(name));
    // The plan of a large draft keeps the changes that were made of it, and no copies.
    if (as === undefined && waits.length === 0 && evidence === undefined) return change;
    return {
      ...change,
      ...(as === undefined ? {} : { ref: as }),
      ...(waits.length === 0 ? {} : { dependsOn: waits }),
      ...(evidence === undefined ? {} : { evidence }),
    };
  });
  changeGraph(ordered);
  const { signal } = options;
  const isChecked = options.check !== false;
  const checked = isChecked ? await target.preflight?.(ordered, { signal, account }) : undefined;
  const fields = withMore({
    profileId,
    countryCode,
    changes: checked?.changes ?? ordered,
    findings: [...plans.flatMap(({ findings }) => findings), ...checked?.findings ?? []],
    missing: plans.flatMap(({ missing }) => missing),
    warnings: plans.flatMap(({ warnings }) => warnings),
    note: options.note ?? null,
  }, options.more);
  return await reviewed(fields, isChecked ? target : {}, { ...asked, account });
}

async function planGroup(
  drafted: readonly (Drafted & { readonly at: number })[],
  target: DraftTarget,
  options: PlanOptions,
): Promise<{ plan: ChangePlan; found: Map<number, Change> }> {
  const [first] = drafted;
  if (first === undefined) throw new RangeError("Cannot plan a group without changes");
  const resource = target.resource(first.kind);
  const items = drafted.map(({ item }) => item);
  const { signal, account } = options;
  const reading = { signal, account, check: target.preflight === undefined };
  if (first.op === "create") {
    const plan = await resource.planCreate(items, reading);
    return { plan, found: byOrder(drafted, plan.changes) };
  }
  const idField = first.op === "archive" ? "id" : resource.idField;
  const idAt = (item: EntityFields): string =>
    idOf(item, idField) ??
      requiredId(item, idField.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const plan = first.op === "update"
    ? await resource.planUpdate(items, reading)
    : await resource.planArchive(items.map(idAt), reading);
  const byId = new Map(plan.changes.map((change) => [change.id, change]));
  const found = drafted.flatMap(({ at, item }) => {
    const change = byId.get(idAt(item));
    return change === undefined ? [] : [[at, change] as const];
  });
  return { plan, found: new Map(found) };
}

/** Rejects several changes to the same entity, because they could be applied in either order. */
function refuseRepeats(changes: ReadonlyMap<number, Change>): void {
  const seen = new Set<string>();
  for (const { kind, id, label } of changes.values()) {
    if (id === null) continue;
    if (seen.has(`${kind} ${id}`)) {
      throw new TypeError(`Cannot plan two changes of one entity: ${kind} ${id} ${label} is given twice`);
    }
    seen.add(`${kind} ${id}`);
  }
}

/** Matches new entities by item order, because they have no id yet; some may be missing. */
function byOrder(
  drafted: readonly (Drafted & { readonly at: number })[],
  changes: readonly Change[],
): Map<number, Change> {
  const found = new Map<number, Change>();
  let next = 0;
  for (const { at, item } of drafted) {
    const change = changes[next];
    const isLeftOut = change === undefined ||
      (changes.length < drafted.length &&
        !Object.entries(item).every(([name, value]) =>
          !Object.hasOwn(change.after, name) || canonicalJson(change.after[name]) === canonicalJson(value)
        ));
    if (isLeftOut) continue;
    found.set(at, change);
    next++;
  }
  return found;
}
