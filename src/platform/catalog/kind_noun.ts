import { KIND_NOUNS } from "../../../catalog/resource_kinds.ts";

export const KIND_NAMES: readonly string[] = Object.keys(KIND_NOUNS);

export function kindNoun(kind: string): string {
  return Object.hasOwn(KIND_NOUNS, kind) ? KIND_NOUNS[kind] ?? kind : kind;
}
