import { canonicalKind, RESOURCE_KINDS } from "../../client/resource_kinds.ts";
import { ConfigurationError } from "../../errors.ts";

/** The names of the entities as the tools spell them. */
export const ENTITIES: readonly string[] = RESOURCE_KINDS.map((kind) => kind.replace(".", "_"));

/**
 * The kind that an entity name means: `sp_keywords`, `sp.keywords`, `SP-Keywords`, and `keywords` for short.
 *
 * @throws {ConfigurationError} that lists the names when there is none.
 */
export function entityKind(name: string): string {
  const kind = canonicalKind(name.trim());
  const found = [kind, `sp.${kind}`].find((candidate) => RESOURCE_KINDS.includes(candidate));
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `Cannot find an entity ${JSON.stringify(name)}. There is ${ENTITIES.join(", ")}`,
  );
}
