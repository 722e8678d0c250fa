import { byName, byProduct, byTarget } from "../model/identity.ts";
import { keywordLabel, nameLabel, productLabel, targetLabel } from "../model/label.ts";
import { Resource } from "../resource/resource.ts";
import type { Kind } from "../model/resource_spec.ts";
import type {
  GlobalAdGroup,
  GlobalAdGroupUpdate,
  GlobalProductAd,
  GlobalProductAdUpdate,
  GlobalTarget,
  GlobalTargetUpdate,
  NewGlobalAdGroup,
  NewGlobalProductAd,
  NewGlobalTarget,
} from "./entities/global_ad_groups.ts";
import { GLOBAL_KIND, marketplacesField } from "./global_marketplaces.ts";
import { lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

export const spGlobalAdGroups: Kind<Resource<GlobalAdGroup, NewGlobalAdGroup, GlobalAdGroupUpdate>> = {
  kind: "sp.global_ad_groups",
  noun: "global ad group",
  plural: "global ad groups",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  ...GLOBAL_KIND,
  updatable: ["name", "state", "tags", "marketplaces"],
  filters: ["campaignIds", "name", "nameMatch", "extended"],
  label: nameLabel,
  computed: { "marketplaces.*": ["adGroupId"] },
  ...marketplacesField({
    noun: "global ad group",
    amount: "defaultBid",
    overrides: ["state", "name", "tags"],
  }),
  required: ["campaignId", "name", "state", "marketplaces"],
  identity: byName("campaignId"),
  parents: { campaignId: "sp.global_campaigns" },
  columns: ["adGroupId", "campaignId", "name", "state", "marketplaces"],
  moreFields: ["tags"],
  operations: {
    list: "v1-spglobal-ad-groups:SPGlobalQueryAdGroup",
    create: "v1-spglobal-ad-groups:SPGlobalCreateAdGroup",
    update: "v1-spglobal-ad-groups:SPGlobalUpdateAdGroup",
    delete: "v1-spglobal-ad-groups:SPGlobalDeleteAdGroup",
  },
  create: (scope) => new Resource(scope, spGlobalAdGroups),
  wire: lateUnified(() => import("../wire/unified/sp_global_unified.ts"), "spGlobalAdGroupsUnified"),
};

const AIMS = ["keywordText", "matchType", "expression"];

export const spGlobalTargets: Kind<Resource<GlobalTarget, NewGlobalTarget, GlobalTargetUpdate>> = {
  kind: "sp.global_targets",
  noun: "global target",
  plural: "global targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  ...GLOBAL_KIND,
  updatable: ["state", "tags", "marketplaces"],
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: (target) => target["keywordText"] === undefined ? targetLabel(target) : keywordLabel(target),
  computed: { "marketplaces.*": ["targetId"] },
  ...marketplacesField({
    noun: "global target",
    amount: "bid",
    overrides: ["state", "tags", ...AIMS],
    created: AIMS,
    takesList: true,
  }),
  required: ["campaignId", "negative", "state", "marketplaces"],
  choices: { matchType: ["BROAD", "EXACT", "PHRASE"] },
  identity: byTarget,
  parents: { campaignId: "sp.global_campaigns", adGroupId: "sp.global_ad_groups" },
  columns: [
    "targetId",
    "keywordText",
    "matchType",
    "expression",
    "negative",
    "state",
    "marketplaces",
    "campaignId",
    "adGroupId",
  ],
  moreFields: ["nativeLanguageKeyword", "nativeLanguageLocale", "tags"],
  operations: {
    list: "v1-spglobal-targets:SPGlobalQueryTarget",
    create: "v1-spglobal-targets:SPGlobalCreateTarget",
    update: "v1-spglobal-targets:SPGlobalUpdateTarget",
    delete: "v1-spglobal-targets:SPGlobalDeleteTarget",
  },
  create: (scope) => new Resource(scope, spGlobalTargets),
  wire: lateUnified(
    () => import("../wire/unified/sp_global_unified.ts"),
    "spGlobalTargetsUnified",
    SHARED_IDS,
  ),
};

const PRODUCTS = ["asin", "sku"];

export const spGlobalProductAds: Kind<
  Resource<GlobalProductAd, NewGlobalProductAd, GlobalProductAdUpdate>
> = {
  kind: "sp.global_product_ads",
  noun: "global product ad",
  plural: "global product ads",
  idField: "adId",
  idFields: ["adId", "campaignId", "adGroupId"],
  ...GLOBAL_KIND,
  updatable: ["state", "tags", "marketplaces"],
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: productLabel,
  computed: { "marketplaces.*": ["adId"] },
  ...marketplacesField({
    noun: "global product ad",
    overrides: ["state", "tags", ...PRODUCTS],
    created: PRODUCTS,
    takesList: true,
  }),
  required: ["adGroupId", "state", "marketplaces"],
  identity: byProduct,
  parents: { campaignId: "sp.global_campaigns", adGroupId: "sp.global_ad_groups" },
  columns: ["adId", "asin", "sku", "state", "marketplaces", "campaignId", "adGroupId"],
  moreFields: ["tags"],
  operations: {
    list: "v1-spglobal-ads:SPGlobalQueryAd",
    create: "v1-spglobal-ads:SPGlobalCreateAd",
    update: "v1-spglobal-ads:SPGlobalUpdateAd",
    delete: "v1-spglobal-ads:SPGlobalDeleteAd",
  },
  create: (scope) => new Resource(scope, spGlobalProductAds),
  wire: lateUnified(() => import("../wire/unified/sp_global_unified.ts"), "spGlobalProductAdsUnified"),
};
