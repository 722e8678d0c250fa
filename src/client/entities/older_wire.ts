import { catalog } from "../../platform/catalog/catalog.ts";
import { KINDS, type ResourceKind } from "./kinds/kinds.ts";
import type { ResourceSpec } from "./model/resource_spec.ts";

/** True for a kind that only the unified family has, so that it has no older wire. */
export function isUnifiedAlone({ wire }: ResourceSpec): boolean {
  return wire.name === "unified";
}

/** First published day on which the platform shuts off an operation of a kind; `null` if none is published. */
export async function olderWireEnd(kind: ResourceKind): Promise<string | null> {
  const { operations }: ResourceSpec = KINDS[kind];
  const ids = ["list", "create", "update", "delete"].flatMap((method) => operations[method] ?? []);
  const days: string[] = [];
  for (const id of ids) {
    const { deprecated } = await catalog.get(id);
    if (deprecated?.shutoff !== undefined && deprecated.shutoff !== null) days.push(deprecated.shutoff);
  }
  return days.sort()[0] ?? null;
}
