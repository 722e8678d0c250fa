import { UnsupportedOperationError } from "../errors.ts";
import { sameValue } from "../internal/canonical_json.ts";
import { ChangePlan } from "../plans/change_plan.ts";
import type { Change } from "../plans/change.ts";
import { checkList } from "./check_list.ts";
import {
  checkIds,
  ignoredFields,
  ignoredText,
  prepareCreates,
  prepareUpdate,
  withoutComputed,
} from "./fields/check_items.ts";
import { finerAmounts } from "./fields/finer_amounts.ts";
import { isArchived } from "./fields/is_archived.ts";
import { mergeFields } from "./fields/merge_fields.ts";
import type { EntitySource } from "./entity_source.ts";
import type { Fields } from "./wire/resource_wire.ts";

/** Options of a plan. */
export interface PlanOptions {
  /** Why the plan is made; stays with it. */
  readonly note?: string | null | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
  /** Gets how many of the entities to update were read, each time more were. */
  readonly onRead?: ((count: number) => void) | undefined;
}

/** Entities that are read at a time, so that those of a very long list are never all in memory. */
const READ_TOGETHER = 10_000;

/** See {@linkcode Resource.planUpdate}. */
export async function planUpdate(
  resource: EntitySource,
  items: readonly unknown[],
  options: PlanOptions & {
    /** The entities, where they were read before. */ entities?: ReadonlyMap<string, Fields>;
  },
): Promise<ChangePlan> {
  const { spec } = resource;
  checkList(items, "items to update");
  // Every item is checked before anything is read; only the ids are kept, of which there may be very many.
  const ids = items.map((input, index) => String(prepareUpdate(spec, input, { index })[spec.idField]));
  refuseRepeats(spec.noun, ids);

  const changes: Change[] = [];
  const missing: string[] = [];
  const warnings: string[] = [];
  const ignored = new Set<string>();
  let found = options.entities ?? new Map<string, Fields>();
  for (const [index, input] of items.entries()) {
    if (options.entities === undefined && index % READ_TOGETHER === 0) {
      const part = ids.slice(index, index + READ_TOGETHER);
      found = await resource.getMany(part, { signal: options.signal });
      options.onRead?.(index + part.length);
    }
    const id = ids[index]!;
    const entity = found.get(id);
    if (entity === undefined) {
      missing.push(id);
      continue;
    }
    const now = withoutComputed(spec, entity);
    for (const field of ignoredFields(spec, input, entity)) ignored.add(field);
    const wanted = prepareUpdate(spec, input, { index, existing: now });
    const before: Fields = {};
    const after: Fields = {};
    for (const field of spec.updatable) {
      if (wanted[field] === undefined) continue;
      const next = mergeFields(now[field], wanted[field]);
      if (next === undefined || sameValue(now[field], next)) continue;
      if (now[field] !== undefined) before[field] = now[field];
      after[field] = next;
    }
    if (Object.keys(after).length === 0) continue;
    const label = spec.label(entity);
    if (isArchived(entity)) {
      warnings.push(`${spec.noun} ${id} ${label} is archived: the platform will refuse the change`);
    }
    changes.push({ kind: spec.kind, op: "update", id, before, after, label, ...campaignOf(entity) });
  }
  warnings.push(...finerAmounts(changes, resource.profile.countryCode));
  const leftOut = ignoredText(spec, ignored);
  if (leftOut !== undefined) warnings.push(leftOut);
  return new ChangePlan({ ...resource.profile, changes, missing, warnings, note: options.note ?? null });
}

/** See {@linkcode Resource.planCreate}. */
// deno-lint-ignore require-await -- a malformed item rejects the promise instead of throwing past it
export async function planCreate(
  resource: EntitySource,
  items: readonly unknown[],
  options: PlanOptions,
): Promise<ChangePlan> {
  const { spec } = resource;
  const changes = prepareCreates(spec, items).map((after): Change => ({
    kind: spec.kind,
    op: "create",
    id: null,
    before: {},
    after,
    label: spec.label(after),
    ...campaignOf(after),
  }));
  const warnings = spec.wire.archive !== undefined || changes.length === 0
    ? []
    : [`A ${spec.noun} cannot be archived, so creating one cannot be undone`];
  warnings.push(...finerAmounts(changes, resource.profile.countryCode));
  return new ChangePlan({ ...resource.profile, changes, warnings, note: options.note ?? null });
}

/** See {@linkcode Resource.planArchive}. */
export async function planArchive(
  resource: EntitySource,
  ids: readonly string[],
  options: PlanOptions,
): Promise<ChangePlan> {
  const { spec } = resource;
  if (spec.wire.archive === undefined) {
    throw new UnsupportedOperationError(
      `Cannot archive a ${spec.noun}: the platform has no operation for it`,
    );
  }
  const wanted = checkIds(spec, ids);
  const found = await resource.getMany(wanted, { signal: options.signal });
  const archived = spec.stateCase === "upper" ? "ARCHIVED" : "archived";
  const changes: Change[] = [];
  for (const id of wanted) {
    const entity = found.get(id);
    if (entity === undefined || isArchived(entity)) continue;
    const label = spec.label(entity);
    const before = { state: entity["state"] };
    changes.push({
      kind: spec.kind,
      op: "archive",
      id,
      before,
      after: { state: archived },
      label,
      ...campaignOf(entity),
    });
  }
  return new ChangePlan({
    ...resource.profile,
    changes,
    missing: wanted.filter((id) => !found.has(id)),
    warnings: changes.length === 0 ? [] : ["Archiving is permanent: this plan cannot be undone"],
    note: options.note ?? null,
  });
}

function refuseRepeats(noun: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new TypeError(`Cannot plan two changes of one ${noun}: ${id} is given twice`);
    seen.add(id);
  }
}

function campaignOf(entity: Fields): { campaignId: string } | Record<string, never> {
  const id = entity["campaignId"];
  return typeof id === "string" ? { campaignId: id } : {};
}
