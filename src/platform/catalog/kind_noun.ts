import { KIND_NOUNS } from "../../../catalog/resource_kinds.ts";

/** Names of all kinds as plans write them, from the generated list, which loads fast. */
export const KIND_NAMES: readonly string[] = Object.keys(KIND_NOUNS);

/** Noun for one entity of a kind: `negative keyword` for `sp.negative_keywords`. */
export function kindNoun(kind: string): string {
  return Object.hasOwn(KIND_NOUNS, kind) ? KIND_NOUNS[kind] ?? kind : kind;
}
