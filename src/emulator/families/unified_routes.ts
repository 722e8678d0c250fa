import { inUnifiedWords } from "../http/refusal.ts";
import type { Route } from "../routing/route.ts";
import { UNIFIED_AD_EXTENSIONS } from "./unified/ad_extensions.ts";
import { UNIFIED_AD_GROUPS } from "./unified/ad_groups.ts";
import { answerGlobal, hasGlobal } from "./unified/global_entities.ts";
import { isOfAccount } from "./unified/global_copies.ts";
import { UNIFIED_ADS } from "./unified/ads.ts";
import { UNIFIED_CAMPAIGNS } from "./unified/campaigns.ts";
import { queryEntities } from "./unified/query.ts";
import { UNIFIED_TARGETS } from "./unified/targets.ts";
import type { UnifiedKind } from "./unified/unified_kind.ts";
import { isServed } from "./unified/is_served.ts";
import { createEntities, deleteEntities, updateEntities } from "./unified/write.ts";

const TYPES = ["application/json"];
const SLUGS: Readonly<Record<string, string>> = {
  campaigns: "campaigns",
  adGroups: "ad-groups",
  ads: "ads",
  adExtensions: "ad-extensions",
  targets: "targets",
};

/** Shared paths appear in the journal and in fault rules under the family of all ad products. */
export const UNIFIED_ROUTES: readonly Route[] = [
  UNIFIED_CAMPAIGNS,
  UNIFIED_AD_GROUPS,
  UNIFIED_ADS,
  UNIFIED_AD_EXTENSIONS,
  UNIFIED_TARGETS,
].flatMap(routesOf);

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
