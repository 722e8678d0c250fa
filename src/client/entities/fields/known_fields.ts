import type { ResourceSpec } from "../model/resource_spec.ts";

/** Every known field of a kind as a path, those of a table first, in the order of a CSV file. */
export function knownFields(spec: ResourceSpec): string[] {
  return [...spec.columns, ...spec.moreFields ?? [], ...spec.extendedFields ?? []];
}
