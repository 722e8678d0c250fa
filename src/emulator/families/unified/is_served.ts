import { isObject, type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { UnifiedKind } from "./unified_kind.ts";

const OTHERS: Readonly<Record<string, string>> = {
  SPONSORED_TELEVISION: "st",
  PLATFORM_DSP: "dsp",
};
const SLUGS: Readonly<Record<string, string>> = { adGroups: "ad-groups", adExtensions: "ad-extensions" };

export function isServed(
  kind: UnifiedKind,
  body: Json | undefined,
  profile: ProfileState | undefined,
): boolean {
  if (!isObject(body)) return true;
  const { adProductFilter, ...lists } = body;
  const asked = isObject(adProductFilter) && Array.isArray(adProductFilter.include)
    ? adProductFilter.include
    : [];
  const items = Object.values(lists).flatMap((list) => objectsIn(list) ?? []);
  const named = [...asked, ...items.map(({ adProduct }) => adProduct)].filter((name) => name !== undefined);
  if (named.length > 0) return !named.some((name) => Object.hasOwn(OTHERS, String(name)));
  const ids = [...items.map((item) => item[`${kind.singular}Id`]), ...includedIds(body)].map(String);
  return !ids.some((id) => isGeneral(kind, id, profile));
}

function includedIds(body: JsonObject): Json[] {
  return Object.values(body).flatMap((filter) =>
    isObject(filter) && Array.isArray(filter.include) ? filter.include : []
  );
}

function isGeneral({ entity }: UnifiedKind, id: string, profile: ProfileState | undefined): boolean {
  return Object.values(OTHERS).some((product) => {
    const name = `general v1-${product}-${SLUGS[entity] ?? entity} /adsApi/v1/${entity}`;
    return profile?.collection(name).get(id) !== undefined;
  });
}
