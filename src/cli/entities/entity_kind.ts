import { canonicalKind, RESOURCE_KINDS } from "../../client/resource_kinds.ts";
import { UsageError } from "../core/cli_error.ts";
import { nearest } from "../../internal/nearest.ts";

/** The names that commands take for entities: `keywords` is Sponsored Products, `sb-keywords` Sponsored Brands. */
export const ENTITY_NAMES: readonly string[] = RESOURCE_KINDS.map(entityName);

/** The name that commands use for a kind: `negative-keywords` for `sp.negative_keywords`. */
export function entityName(kind: string): string {
  return kind.replace(/^sp\./, "").replace(".", "-").replaceAll("_", "-");
}

/**
 * The kind behind a name that was typed. `keywords`, `sp-keywords` and `sp.keywords` are the same.
 *
 * @throws {UsageError} with the nearest name, or all of them, when there is no such kind.
 */
export function entityKind(name: string): string {
  const kind = canonicalKind(name);
  for (const candidate of [kind, `sp.${kind}`]) if (RESOURCE_KINDS.includes(candidate)) return candidate;
  const near = nearest(name, ENTITY_NAMES);
  throw new UsageError(
    `Cannot find entities called "${name}". ` +
      (near === undefined ? `There is ${ENTITY_NAMES.join(", ")}` : `Did you mean "${near}"?`),
  );
}
