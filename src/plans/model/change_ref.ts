import type { Change, EntityFields } from "./change.ts";
import type { ChangeResult } from "./change_result.ts";

interface SendingGroup {
  readonly kind: string;
  readonly op: Change["op"];
  readonly places: readonly number[];
}

/**
 * Orders by dependency level, then by operation and kind as they first appear among all changes, so that dropping a
 * change does not move the others.
 */
export function sendingOrder(
  changes: readonly Change[],
  { levels }: Pick<ChangeGraph, "levels">,
): readonly (readonly SendingGroup[])[] {
  const byLevel: Map<string, { kind: string; op: Change["op"]; places: number[] }>[] = [];
  changes.forEach(({ kind, op }, at) => {
    const groups = byLevel[levels[at] ?? 0] ??= new Map();
    const group = groups.get(`${op} ${kind}`);
    if (group === undefined) groups.set(`${op} ${kind}`, { kind, op, places: [at] });
    else group.places.push(at);
  });
  return Array.from(byLevel, (groups) => [...groups?.values() ?? []]);
}

/** Placeholder for the id of an entity that another change of the plan creates. */
export interface ChangeRef {
  /** Name of the change. */
  readonly ref: string;
}

export function isChangeRef(value: unknown): value is ChangeRef {
  return typeof value === "object" && value !== null && "ref" in value && typeof value.ref === "string" &&
    Object.keys(value).length === 1;
}

export function refsIn(value: unknown): string[] {
  const refs: string[] = [];
  collectRefs(value, refs);
  return refs;
}

function collectRefs(value: unknown, refs: string[]): void {
  if (typeof value !== "object" || value === null) return;
  if (isChangeRef(value)) refs.push(value.ref);
  else for (const part of Object.values(value)) collectRefs(part, refs);
}

export function withRefs(fields: EntityFields, put: (ref: string) => unknown): EntityFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, replaced(value, put)]));
}

export function idsByRef(results: Iterable<Pick<ChangeResult, "change" | "id">>): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { change, id } of results) {
    if (change.ref !== undefined && id !== undefined) ids.set(change.ref, id);
  }
  return ids;
}

export function withIds(change: Change, ids: ReadonlyMap<string, string>): Change {
  if (ids.size === 0) return change;
  const dependsOn = change.dependsOn?.filter((name) => !ids.has(name)) ?? [];
  const { dependsOn: _, ...rest } = change;
  return {
    ...rest,
    after: withRefs(change.after, (ref) => ids.get(ref) ?? { ref }),
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
  };
}

function replaced(value: unknown, put: (ref: string) => unknown): unknown {
  if (isChangeRef(value)) return put(value.ref);
  if (Array.isArray(value)) return value.map((part) => replaced(part, put));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, put)]));
}

export interface ChangeGraph {
  readonly needs: readonly (readonly number[])[];
  /** By position: 0 without dependencies, otherwise one more than the highest level it depends on. */
  readonly levels: readonly number[];
  readonly positions: ReadonlyMap<string, number>;
}

/** @throws {TypeError} for an empty, repeated or unknown name, a reference to the wrong kind, or a cycle. */
export function changeGraph(changes: readonly Change[]): ChangeGraph {
  const positions = new Map<string, number>();
  changes.forEach(({ ref }, at) => {
    if (ref === undefined) return;
    if (ref === "") {
      throw new TypeError(`Cannot use "" as the name of change ${at}: give at least one character`);
    }
    if (positions.has(ref)) throw new TypeError(`Cannot plan two changes named "${ref}"`);
    positions.set(ref, at);
  });
  const needs = changes.map((change, at) => {
    refuseForeignRefs(changes, { change, at, positions });
    const refs = refsIn(change.after);
    // Most changes of most plans.
    if (refs.length === 0 && change.dependsOn === undefined) return NONE;
    const names = new Set([...refs, ...change.dependsOn ?? []]);
    return [...names].map((name) => {
      const found = positions.get(name);
      if (found !== undefined) return found;
      throw new TypeError(`Cannot plan change ${at}: it refers to "${name}", and no change has this name`);
    });
  });
  return { needs, levels: levelsOf(needs, changes), positions };
}

const NONE: readonly number[] = [];

const REFERRED = [
  ["campaignId", ".campaigns"],
  ["adGroupId", ".ad_groups"],
  ["portfolioId", "portfolios"],
] as const;

function refuseForeignRefs(
  changes: readonly Change[],
  { change: { kind, op, after }, at, positions }: {
    change: Change;
    at: number;
    positions: ReadonlyMap<string, number>;
  },
): void {
  for (const [field, wanted] of REFERRED) {
    const value = after[field];
    if (!isChangeRef(value)) continue;
    const found = changes[positions.get(value.ref) ?? -1];
    const expected = wanted.startsWith(".") && op !== "call" ? `${kind.split(".")[0]}${wanted}` : wanted;
    if (found === undefined || found.kind.endsWith(expected)) continue;
    throw new TypeError(
      `Cannot plan change ${at}: its ${field} refers to "${value.ref}", which is of kind ${found.kind}. ` +
        `Refer to one of ${expected}`,
    );
  }
}

function levelsOf(needs: readonly (readonly number[])[], changes: readonly Change[]): number[] {
  const levels = needs.map(() => 0);
  const open = needs.map(({ length }) => length);
  const waiting = new Map<number, number[]>();
  needs.forEach((before, at) => {
    for (const need of before) {
      const others = waiting.get(need);
      if (others === undefined) waiting.set(need, [at]);
      else others.push(at);
    }
  });
  const ready = open.flatMap((count, at) => count === 0 ? [at] : []);
  for (const done of ready) {
    for (const at of waiting.get(done) ?? []) {
      levels[at] = Math.max(levels[at] ?? 0, (levels[done] ?? 0) + 1);
      open[at] = (open[at] ?? 1) - 1;
      if (open[at] === 0) ready.push(at);
    }
  }
  if (ready.length === changes.length) return levels;
  const stuck = changes.flatMap(({ ref }, at) => open[at] === 0 || ref === undefined ? [] : [`"${ref}"`]);
  throw new TypeError(`Cannot plan changes that depend on each other: ${stuck.join(", ")}`);
}
