import { UnsupportedOperationError } from "../errors.ts";
import { sameValue } from "../internal/canonical_json.ts";
import { ChangePlan } from "../plans/change_plan.ts";
import type { Change } from "../plans/change.ts";
import type { Finding } from "../plans/finding.ts";
import type { ProfileScope } from "../transport/profile_scope.ts";
import type { Preflight } from "./preflight/preflight.ts";
import { runPreflight } from "./preflight/run_preflight.ts";
import { checkList } from "./check_list.ts";
import { BadItems } from "./fields/bad_items_error.ts";
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
import type { ResourceSpec } from "./resource_spec.ts";
import type { Fields } from "./wire/resource_wire.ts";

/** What a plan is labelled with, and what ends the reading that it takes. */
export interface PlanOptions {
  /** Why the plan is made; stays with it. */
  readonly note?: string | null | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
  /** Gets how many of the entities to update were read, each time more were. */
  readonly onRead?: ((count: number) => void) | undefined;
  /**
   * False to leave out what compares the changes with the platform's rules and judges them, because they become a part
   * of a larger plan. @default true
   */
  readonly check?: boolean | undefined;
}

/** Entities that are read at a time, so that those of a very long list are never all in memory. */
const READ_TOGETHER = 10_000;

/** Entities that a finding names; the others are counted. */
const MAX_NAMED = 10;

/** Where a plan is made: with the profile, its changes are checked against the platform's rules. */
export interface PlanPlace {
  /** The profile; without it nothing is checked. */
  readonly scope?: ProfileScope | undefined;
}

/** See {@linkcode Resource.planUpdate}. */
export async function planUpdate(
  resource: EntitySource,
  items: readonly unknown[],
  options: PlanOptions & PlanPlace & {
    /** The entities, where they were read before. */ entities?: ReadonlyMap<string, Fields>;
  },
): Promise<ChangePlan> {
  const { spec } = resource;
  checkList(items, "items to update");
  const ids = idsOfUpdates(spec, items);

  const changes: Change[] = [];
  const missing: string[] = [];
  const warnings: string[] = [];
  const ignored = new Set<string>();
  const findings: Finding[] = [];
  const unchanged: string[] = [];
  let found = options.entities ?? new Map<string, Fields>();
  let checked = 0;
  const check = async (): Promise<void> => {
    const part = changes.slice(checked);
    const { findings: ofPart } = await preflightOf(part, { resource, known: found, options });
    findings.push(
      ...ofPart.map((one) => one.change === undefined ? one : { ...one, change: one.change + checked }),
    );
    checked = changes.length;
  };
  for (const [index, input] of items.entries()) {
    if (options.entities === undefined && index % READ_TOGETHER === 0) {
      await check();
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
    const wanted = prepareUpdate(spec, input, { index, existing: now, mayBeEmpty: true });
    const before: Fields = {};
    const after: Fields = {};
    for (const field of spec.updatable) {
      if (wanted[field] === undefined) continue;
      const next = mergeFields(now[field], wanted[field]);
      if (next === undefined || sameValue(now[field], next)) continue;
      // What can be emptied can be emptied again, so that the change can be undone.
      if (now[field] !== undefined) before[field] = now[field];
      else if (spec.clearable?.includes(field)) before[field] = null;
      after[field] = next;
    }
    const label = spec.label(entity);
    if (Object.keys(after).length === 0) {
      unchanged.push(`${id} ${label}`.trim());
      continue;
    }
    if (isArchived(entity)) {
      warnings.push(`${spec.noun} ${id} ${label} is archived: the platform will refuse the change`);
    }
    changes.push({ kind: spec.kind, op: "update", id, before, after, label, ...campaignOf(entity) });
  }
  await check();
  warnings.push(...finerAmounts(changes, resource.profile.countryCode));
  const leftOut = ignoredText(spec, ignored);
  if (leftOut !== undefined) warnings.push(leftOut);
  return new ChangePlan({
    ...resource.profile,
    changes,
    missing,
    warnings,
    findings: [
      ...findings,
      ...leftOutFindings("NOTHING_TO_CHANGE", `These ${spec.plural} have nothing to change`, unchanged),
    ],
    note: options.note ?? null,
  });
}

/** See {@linkcode Resource.planCreate}. */
export async function planCreate(
  resource: EntitySource,
  items: readonly unknown[],
  options: PlanOptions & PlanPlace,
): Promise<ChangePlan> {
  const { spec } = resource;
  const wanted = prepareCreates(spec, items).map((after): Change => ({
    kind: spec.kind,
    op: "create",
    id: null,
    before: {},
    after,
    label: spec.label(after),
    ...campaignOf(after),
  }));
  const { changes, findings } = await preflightOf(wanted, { resource, options });
  const warnings = spec.wire.archive !== undefined || changes.length === 0
    ? []
    : [`A ${spec.noun} cannot be archived, so creating one cannot be undone`];
  warnings.push(...finerAmounts(changes, resource.profile.countryCode));
  return new ChangePlan({ ...resource.profile, changes, warnings, findings, note: options.note ?? null });
}

/** See {@linkcode Resource.planArchive}. */
export async function planArchive(
  resource: EntitySource,
  ids: readonly string[],
  options: PlanOptions & PlanPlace,
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
  const archivedBefore: string[] = [];
  for (const id of wanted) {
    const entity = found.get(id);
    if (entity === undefined) continue;
    const label = spec.label(entity);
    if (isArchived(entity)) {
      archivedBefore.push(`${id} ${label}`.trim());
      continue;
    }
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
  const { findings } = await preflightOf(changes, { resource, known: found, options });
  return new ChangePlan({
    ...resource.profile,
    changes,
    findings: [
      ...findings,
      ...leftOutFindings("ALREADY_ARCHIVED", `These ${spec.plural} are archived already`, archivedBefore),
    ],
    missing: wanted.filter((id) => !found.has(id)),
    warnings: changes.length === 0 ? [] : ["Archiving is permanent: this plan cannot be undone"],
    note: options.note ?? null,
  });
}

/** The changes that are worth sending, and what is wrong with them; all of them where there is no profile to ask. */
async function preflightOf(
  changes: readonly Change[],
  { resource, known, options: { scope, signal, check } }: {
    resource: EntitySource;
    known?: ReadonlyMap<string, Fields>;
    options: PlanOptions & PlanPlace;
  },
): Promise<Preflight> {
  if (scope === undefined || check === false) return { changes, findings: [], left: new Map() };
  return await runPreflight(changes, scope, {
    source: resource,
    signal,
    ...(known === undefined ? {} : { known }),
  });
}

/** What was left out of a plan, in one finding that names the first of them. */
function leftOutFindings(code: string, message: string, names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_NAMED).join(", ");
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return [{ code, level: "note", message: `${message}: ${shown}${more}` }];
}

/**
 * Ids of the entities to update. Every item is checked before anything is read; only the ids are kept, of which there may
 * be very many.
 *
 * @throws {BadItemsError} that names every malformed item.
 */
function idsOfUpdates(spec: ResourceSpec, items: readonly unknown[]): string[] {
  const bad = new BadItems();
  const seen = new Set<string>();
  const ids = items.flatMap((input, index): string[] => {
    const update = bad.attempt(index, () => prepareUpdate(spec, input, { index, mayBeEmpty: true }));
    if (update === undefined) return [];
    const id = String(update[spec.idField]);
    if (seen.has(id)) bad.add(index, `Cannot plan two changes of one ${spec.noun}: ${id} is given twice`);
    seen.add(id);
    return [id];
  });
  bad.refuse();
  return ids;
}

function campaignOf(entity: Fields): { campaignId: string } | Record<string, never> {
  const id = entity["campaignId"];
  return typeof id === "string" ? { campaignId: id } : {};
}
