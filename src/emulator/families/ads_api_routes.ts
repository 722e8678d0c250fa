import { isObject, type Json, type JsonObject, objectsIn } from "../core/json.ts";
import { inUnifiedWords } from "../http/refusal.ts";
import type { Route } from "../routing/route.ts";
import type { ProfileState } from "../state/profile_state.ts";
import { ACCOUNT_RECOMMENDATION_ROUTE } from "./account/account_recommendations.ts";
import { LABEL_ROUTES } from "./account/label_routes.ts";
import { EVENT_ROUTES } from "./long_jobs/upload_routes.ts";
import { REPORTING_1_ROUTES } from "./reporting1/routes.ts";
import { UNIFIED_AD_EXTENSIONS } from "./unified/ad_extensions.ts";
import { UNIFIED_AD_GROUPS } from "./unified/ad_groups.ts";
import { UNIFIED_ADS } from "./unified/ads.ts";
import { UNIFIED_CAMPAIGNS } from "./unified/campaigns.ts";
import { isOfAccount } from "./unified/global_copies.ts";
import { answerGlobal, hasGlobal } from "./unified/global_entities.ts";
import { queryEntities } from "./unified/query.ts";
import { UNIFIED_TARGETS } from "./unified/targets.ts";
import type { UnifiedKind } from "./unified/unified_kind.ts";
import { createEntities, deleteEntities, updateEntities } from "./unified/write.ts";

const OTHERS: Readonly<Record<string, string>> = {
  SPONSORED_TELEVISION: "st",
  PLATFORM_DSP: "dsp",
};

const TYPES = ["application/json"];

const SLUGS: Readonly<Record<string, string>> = {
  campaigns: "campaigns",
  adGroups: "ad-groups",
  ads: "ads",
  adExtensions: "ad-extensions",
  targets: "targets",
};

/** Shared paths appear in the journal and in fault rules under the family of all ad products. */
const UNIFIED_ROUTES: readonly Route[] = [
  UNIFIED_CAMPAIGNS,
  UNIFIED_AD_GROUPS,
  UNIFIED_ADS,
  UNIFIED_AD_EXTENSIONS,
  UNIFIED_TARGETS,
].flatMap(routesOf);

export const ADS_API_ROUTES: readonly Route[] = [
  ...REPORTING_1_ROUTES,
  ...LABEL_ROUTES,
  ACCOUNT_RECOMMENDATION_ROUTE,
  ...UNIFIED_ROUTES,
  ...EVENT_ROUTES,
];

function routesOf(kind: UnifiedKind): Route[] {
  const name = kind.singular[0]!.toUpperCase() + kind.singular.slice(1);
  const verbs = [
    ["Create", createEntities],
    ["Query", queryEntities],
    ["Update", updateEntities],
    ...(kind.archivable === false ? [] : [["Delete", deleteEntities] as const]),
  ] as const;
  return verbs.map(([verb, handle]) => ({
    operation: `v1-all-${SLUGS[kind.entity]}:${verb}${name}`,
    method: "POST",
    path: `/adsApi/v1/${verb.toLowerCase()}/${kind.entity}`,
    requestTypes: TYPES,
    responseTypes: TYPES,
    errors: "unified",
    takesAccount: hasGlobal(kind.entity),
    covers: (body, profile) => isServed(kind, body, profile),
    handle: (context) =>
      inUnifiedWords(() => {
        // Guides show requests with both headers, about the profile's own entities.
        const isGlobal = hasGlobal(kind.entity) && isOfAccount(context);
        return isGlobal ? answerGlobal(kind.entity, verb, context) : handle(kind, context);
      }),
  }));
}

function isServed(
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
