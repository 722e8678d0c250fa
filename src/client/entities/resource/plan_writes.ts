import { sameValue } from "../../../base/json/canonical_json.ts";
import { decimalsOf } from "../../../base/markets/markets.ts";
import { UnsupportedOperationError } from "../../../errors.ts";
import type { PlanningOptions } from "../../../plans/change_plan/reviewed.ts";
import type { LastChanges } from "../../../plans/model/amount_changes.ts";
import type { Change } from "../../../plans/model/change.ts";
import { changeRows } from "../../../plans/model/differences.ts";
import type { HeldElsewhere, HoldBack } from "../../../plans/model/experiment.ts";
import type { Finding } from "../../../plans/model/finding.ts";
import { GatheredChanges } from "../../../plans/model/gathered_changes.ts";
import type { ChangePlanFields } from "../../../plans/model/plan_data.ts";
import type { FiguresSource } from "../../../plans/review/figures_source.ts";
import type { AccountReading } from "../../../plans/state/account_reading.ts";
import { MONEY_FIELDS } from "../../../plans/state/amounts.ts";
import { mergeFields } from "../../../plans/state/merge_fields.ts";
import { withArticle } from "../../../platform/catalog/kind_names.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import {
  BadItems,
  checkIds,
  ignoredFields,
  ignoredText,
  keptText,
  keptValues,
  prepareCreates,
  UpdateChecks,
  withoutComputed,
} from "../model/check_items.ts";
import { checkList } from "../model/check_options.ts";
import { isArchived } from "../model/identity.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";
import type { Preflight } from "../preflight/problem.ts";
import type { EntitySource } from "./find_equal.ts";

/** Note, holdback and abort signal of a plan. */
export interface PlanOptions {
  /** Reason for the plan, stored with it. */
  readonly note?: string | null | undefined;
  /** Aborts reading the current values of the changed entities. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Collects account data read for the review of the plan.
   *
   * @internal
   */
  readonly account?: AccountReading | undefined;
  /**
   * The entities of an update by id, if all of them have just been read.
   *
   * @internal
   */
  readonly entities?: ReadonlyMap<string, Fields> | undefined;
  /**
   * Source of figures for weights and evidence. @default the figures of the client
   *
   * @internal
   */
  readonly figures?: FiguresSource | undefined;
  /**
   * Additional information for readers of the plan.
   *
   * @internal
   */
  readonly more?: Pick<ChangePlanFields, "missing" | "warnings" | "findings"> | undefined;
  /** Holds back a random part of the plan for comparison, drawn by a seed. @default nothing is held back */
  readonly holdBack?: HoldBack | undefined;
  /** Units held back by experiments of other plans; changes to these units are left out. */
  readonly heldElsewhere?: HeldElsewhere | undefined;
  /**
   * Earlier changes in the account, used to estimate the spend of entities. @default they are read
   *
   * @internal
   */
  readonly changes?: LastChanges | undefined;
  /** Called with the number of entities read so far, whenever it grows. */
  readonly onRead?: ((count: number) => void) | undefined;
  /** False to skip preflight and review of changes that become part of a larger plan. @default true */
  readonly check?: boolean | undefined;
}

/** @throws {TypeError} when part of an unreviewed plan is to be held back. */
export function planning(options: PlanOptions): PlanningOptions {
  const { signal, figures, holdBack, heldElsewhere, changes, check } = options;
  if (check === false && holdBack !== undefined) {
    throw new TypeError("Cannot hold back a part of a plan with check: false, which leaves out its figures");
  }
  return { signal, figures, holdBack, heldElsewhere, changes };
}

export function withMore(fields: ChangePlanFields, more: PlanOptions["more"] = {}): ChangePlanFields {
  const { missing = [], warnings = [], findings = [] } = fields;
  return {
    ...fields,
    missing: [...missing, ...more.missing ?? []],
    warnings: [...new Set([...warnings, ...more.warnings ?? []])],
    findings: [...findings, ...more.findings ?? []],
  };
}

/** Number of entities read per request, so that long lists are never entirely in memory. */
const READ_TOGETHER = 1000;

/** Maximum number of entities to keep; above it, entities are read again in parts. */
const MAX_KEPT = 20_000;
const MAX_NAMED = 10;

export interface PlanPlace {
  readonly scope?: ProfileScope | undefined;
}

export async function planUpdate(
  resource: EntitySource,
  items: readonly unknown[],
  options: PlanOptions & PlanPlace,
): Promise<ChangePlanFields> {
  const { spec } = resource;
  checkList(items, "items to update");
  const checks = new UpdateChecks(spec);
  const ids = idsOfUpdates(spec, items, checks);

  const gathered = new GatheredChanges();
  const missing: string[] = [];
  const warnings: string[] = [];
  const ignored = new Set<string>();
  const kept = new Set<string>();
  const findings: Finding[] = [];
  const unchanged: string[] = [];
  let found = options.entities ?? new Map<string, Fields>();
  let part: Change[] = [];
  const endPart = async (): Promise<void> => {
    const before = gathered.length;
    keep(resource, found, options);
    const { changes: checked, findings: ofPart } = await preflightOf(part, { resource, options });
    for (const one of ofPart) {
      findings.push(one.change === undefined ? one : { ...one, change: one.change + before });
    }
    for (const change of checked) gathered.add(change);
    part = [];
  };
  const reading = options.entities === undefined ? readAhead(resource, ids, options) : undefined;
  for (const [index, id] of ids.entries()) {
    const input = items[index];
    if (reading !== undefined && index % READ_TOGETHER === 0) {
      await endPart();
      found = (await reading.next()).value ?? found;
      options.onRead?.(Math.min(ids.length, index + READ_TOGETHER));
    }
    const entity = found.get(id);
    if (entity === undefined) {
      missing.push(id);
      continue;
    }
    const now = withoutComputed(spec, entity);
    for (const field of ignoredFields(spec, input, entity)) ignored.add(field);
    for (const path of keptValues(spec, input, entity)) kept.add(path);
    const { fields: wanted } = checks.prepare(input, { index, existing: now, mayBeEmpty: true });
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
    part.push({ kind: spec.kind, op: "update", id, before, after, label, ...campaignOf(entity) });
  }
  await endPart();
  const changes = gathered.list();
  warnings.push(...finerAmounts(changes, resource.profile.countryCode));
  warnings.push(...[ignoredText(spec, ignored), keptText(spec, kept)].filter((text) => text !== undefined));
  return {
    ...resource.profile,
    changes,
    missing,
    warnings,
    findings: [
      ...findings,
      ...leftOutFindings("NOTHING_TO_CHANGE", `These ${spec.plural} have nothing to change`, unchanged),
    ],
    note: options.note ?? null,
  };
}

export async function planCreate(
  resource: EntitySource,
  items: readonly unknown[],
  options: PlanOptions & PlanPlace,
): Promise<ChangePlanFields> {
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
  const warnings = spec.wire.archivable !== false || changes.length === 0
    ? []
    : [`${withArticle(spec.noun, { capital: true })} cannot be archived, so creating one cannot be undone`];
  warnings.push(...finerAmounts(changes, resource.profile.countryCode));
  return { ...resource.profile, changes, warnings, findings, note: options.note ?? null };
}

export async function planArchive(
  resource: EntitySource,
  ids: readonly string[],
  options: PlanOptions & PlanPlace,
): Promise<ChangePlanFields> {
  const { spec } = resource;
  if (spec.wire.archivable === false) {
    throw new UnsupportedOperationError(
      `Cannot archive ${withArticle(spec.noun)}: the platform has no operation for it`,
    );
  }
  const wanted = checkIds(spec, ids);
  const found = await resource.getMany(wanted, { signal: options.signal });
  keep(resource, found, options);
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
  const { findings } = await preflightOf(changes, { resource, options });
  return {
    ...resource.profile,
    changes,
    findings: [
      ...findings,
      ...leftOutFindings("ALREADY_ARCHIVED", `These ${spec.plural} are archived already`, archivedBefore),
    ],
    missing: wanted.filter((id) => !found.has(id)),
    warnings: [],
    note: options.note ?? null,
  };
}

function keep(
  { spec }: EntitySource,
  found: ReadonlyMap<string, Fields>,
  { account }: Pick<PlanOptions, "account">,
): void {
  account?.forget(spec.kind, MAX_KEPT);
  account?.keep(spec.kind, found);
}

async function preflightOf(
  changes: readonly Change[],
  { resource: { spec }, options }: { resource: EntitySource; options: PlanOptions & PlanPlace },
): Promise<Preflight> {
  const { scope, signal, check, account } = options;
  if (scope === undefined || check === false) return { changes, findings: [], left: new Map() };
  const { runPreflight } = await import("../preflight/run_preflight.ts");
  return await runPreflight(changes, scope, { spec, account, signal });
}

function leftOutFindings(code: string, message: string, names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_NAMED).join(", ");
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return [{ code, level: "note", message: `${message}: ${shown}${more}` }];
}

/** Reads entities in chunks; each chunk is requested while the previous one is compared. */
async function* readAhead(
  resource: EntitySource,
  ids: readonly string[],
  { signal }: Pick<PlanOptions, "signal">,
): AsyncGenerator<ReadonlyMap<string, Fields>, undefined> {
  const read = (from: number): Promise<ReadonlyMap<string, Fields>> => {
    const found = resource.getMany(ids.slice(from, from + READ_TOGETHER), { signal });
    // Reported where it is waited for.
    found.catch(() => {});
    return found;
  };
  let next = read(0);
  for (let from = READ_TOGETHER; from < ids.length; from += READ_TOGETHER) {
    const found = await next;
    next = read(from);
    yield found;
  }
  yield await next;
}

function idsOfUpdates(spec: ResourceSpec, items: readonly unknown[], checks: UpdateChecks): string[] {
  const bad = new BadItems();
  const ids = new Set<string>();
  for (const [index, input] of items.entries()) {
    const update = bad.attempt(index, () => checks.prepare(input, { index, mayBeEmpty: true }));
    if (update === undefined) continue;
    const { id } = update;
    if (ids.has(id)) bad.add(index, `Cannot plan two changes of one ${spec.noun}: ${id} is given twice`);
    ids.add(id);
  }
  bad.refuse();
  return [...ids];
}

function campaignOf(entity: Fields): { campaignId: string } | Record<string, never> {
  const id = entity["campaignId"];
  return typeof id === "string" ? { campaignId: id } : {};
}

/**
 * Reports amounts with more decimals than the currency, such as a computed bid of 1.155. The documentation does not
 * say whether these are rounded or rejected.
 */
function finerAmounts(changes: readonly Change[], countryCode: string): string[] {
  const decimals = decimalsOf(countryCode);
  const isFiner = (value: unknown): value is number =>
    typeof value === "number" && value !== Number(value.toFixed(decimals));
  let count = 0;
  let first = "";
  for (const change of changes) {
    if (!hasNumber(change.after, isFiner)) continue;
    for (const { kind, id, label, field, after } of changeRows([change])) {
      if (!MONEY_FIELDS.has(field) || !isFiner(after)) continue;
      if (count === 0) first = `${field} ${after} of ${kind} ${id || label}`;
      count += 1;
    }
  }
  if (count === 0) return [];
  return [
    `${count === 1 ? "1 amount has" : `${count} amounts have`} more than ${decimals} decimals, ` +
    `such as the ${first}: the platform may round or refuse them`,
  ];
}

function hasNumber(value: unknown, isWanted: (value: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return isWanted(value);
  for (const part of Object.values(value)) if (hasNumber(part, isWanted)) return true;
  return false;
}
