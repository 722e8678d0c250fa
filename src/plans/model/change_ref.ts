import type { Change, EntityFields } from "./change.ts";
import type { ChangeResult } from "./change_result.ts";

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
