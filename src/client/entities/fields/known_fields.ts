import type { ResourceSpec } from "../model/resource_spec.ts";

export function knownFields(spec: ResourceSpec): string[] {
  return [...spec.columns, ...spec.moreFields ?? [], ...spec.extendedFields ?? []];
}
