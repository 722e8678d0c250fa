import { BRANDS_EXPRESSION, DISPLAY_EXPRESSION, EXPRESSION } from "../entities/model/targeting_text.ts";
import { KINDS, type ResourceKind } from "../entities/kinds/kinds.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";

type Fields = Readonly<Record<string, unknown>>;

export type EntitiesByKind = ReadonlyMap<string, readonly Fields[]>;

const PRODUCTS: Readonly<
  Record<string, { readonly kinds: readonly ResourceKind[]; readonly write: (value: unknown) => string }>
> = {
  SPONSORED_PRODUCTS: { kinds: ["sp.keywords", "sp.targets"], write: EXPRESSION.write },
  SPONSORED_BRANDS: { kinds: ["sb.keywords", "sb.targets"], write: BRANDS_EXPRESSION.write },
  SPONSORED_DISPLAY: { kinds: ["sd.targets"], write: DISPLAY_EXPRESSION.write },
};
const KEYWORD_TYPES: ReadonlySet<string> = new Set(["BROAD", "PHRASE", "EXACT"]);

export function targetKinds(adProduct: string): readonly ResourceKind[] {
  return PRODUCTS[adProduct]?.kinds ?? [];
}

export async function listedTargets(
  scope: ProfileScope,
  adProduct: string,
  signal?: AbortSignal,
): Promise<EntitiesByKind> {
  const found = await Promise.all(
    targetKinds(adProduct).map(async (kind) => {
      const entities: readonly Fields[] = await KINDS[kind].create(scope).list({ states: null, signal });
      return [kind, entities] as const;
    }),
  );
  return new Map(found);
}

export class TargetIds {
  readonly #ids = new Map<string, { id: string; isArchived: boolean; isOnly: boolean }>();

  constructor(adProduct: string, entities: EntitiesByKind) {
    const write = PRODUCTS[adProduct]?.write ?? (() => "");
    for (const kind of targetKinds(adProduct)) {
      for (const entity of entities.get(kind) ?? []) this.#add(entity, write);
    }
  }

  /** Finds the id of an entity; `undefined` if no entity matches, or several do. */
  find(adGroupId: unknown, value: unknown, matchType: unknown): string | undefined {
    const found = this.#ids.get(keyOf(adGroupId, value, matchType));
    return found?.isOnly ? found.id : undefined;
  }

  #add(entity: Fields, write: (value: unknown) => string): void {
    const { adGroupId, keywordId, targetId, keywordText, matchType, state } = entity;
    const isKeyword = keywordId !== undefined;
    const key = isKeyword
      ? keyOf(adGroupId, keywordText, matchType)
      : keyOf(adGroupId, write(entity["expression"] ?? entity["expressions"]), undefined);
    const id = String(isKeyword ? keywordId : targetId);
    const isArchived = String(state).toUpperCase() === "ARCHIVED";
    const before = this.#ids.get(key);
    // What was archived and made again has one name: the one that lives is meant.
    if (before === undefined || before.isArchived && !isArchived) {
      this.#ids.set(key, { id, isArchived, isOnly: true });
    } else if (before.isArchived === isArchived) this.#ids.set(key, { ...before, isOnly: false });
  }
}

/**
 * Returns a key to match targets by. Match types other than those of keywords have several spellings, so only the
 * expression is compared, without quotes and hyphens.
 */
function keyOf(adGroupId: unknown, value: unknown, matchType: unknown): string {
  const type = String(matchType ?? "").toUpperCase();
  const text = String(value ?? "").toLowerCase().trim().replace(/\s+/g, " ");
  return KEYWORD_TYPES.has(type)
    ? `${adGroupId} ${type} ${text}`
    : `${adGroupId} ${text.replaceAll(/["-]/g, "")}`;
}
