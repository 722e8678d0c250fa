import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { CamelCase } from "../model/item_input.ts";
import type { Kind } from "../model/resource_spec.ts";
import { kindNamed, type KindNameStyle } from "../../../platform/catalog/kind_names.ts";
import { sbAdExtensions, spAdExtensions } from "./ad_extensions_spec.ts";
import { portfolios } from "./portfolios_spec.ts";
import {
  sbAdGroups,
  sbAds,
  sbCampaigns,
  sbKeywords,
  sbNegativeKeywords,
  sbNegativeTargets,
  sbTargets,
} from "./sb_kinds.ts";
import { sdAdGroups, sdCampaigns, sdNegativeTargets, sdProductAds, sdTargets } from "./sd_kinds.ts";
import {
  spAdGroups,
  spCampaignNegativeKeywords,
  spCampaignNegativeTargets,
  spCampaigns,
  spKeywords,
  spNegativeKeywords,
  spNegativeTargets,
  spProductAds,
  spTargets,
} from "./sp_kinds.ts";
import { spGlobalAdGroups, spGlobalCampaigns, spGlobalProductAds, spGlobalTargets } from "./global_kinds.ts";

/**
 * Every kind of entity with its properties, by its name in plans. The single list of kinds that everything else derives
 * from.
 *
 * @example
 * ```ts
 * import { KINDS, RESOURCE_KINDS } from "@platform/ads";
 *
 * for (const kind of RESOURCE_KINDS) console.log(kind, KINDS[kind].noun, KINDS[kind].idField);
 * console.log(KINDS["sp.keywords"].updatable); // [ "state", "bid", "tags" ]
 * ```
 */
export const KINDS = {
  /** Campaigns, with budget usage, budget recommendations and rules. */
  "sp.campaigns": spCampaigns,
  /** Campaigns of a global account, over all its marketplaces. */
  "sp.global_campaigns": spGlobalCampaigns,
  /** Ad groups of global campaigns, with default bids by marketplace. */
  "sp.global_ad_groups": spGlobalAdGroups,
  /** Targets of global campaigns, including keywords, with bids by marketplace. */
  "sp.global_targets": spGlobalTargets,
  /** Product ads of global campaigns. */
  "sp.global_product_ads": spGlobalProductAds,
  "sp.ad_groups": spAdGroups,
  /** Keywords, and keyword recommendations. */
  "sp.keywords": spKeywords,
  /** Targeting clauses (products, categories, automatic matches), with categories and products to choose from. */
  "sp.targets": spTargets,
  /** Negative keywords of ad groups. */
  "sp.negative_keywords": spNegativeKeywords,
  /** Negative targeting clauses of ad groups, and brands to exclude. */
  "sp.negative_targets": spNegativeTargets,
  "sp.campaign_negative_keywords": spCampaignNegativeKeywords,
  /** Negative targeting clauses of campaigns. */
  "sp.campaign_negative_targets": spCampaignNegativeTargets,
  "sp.product_ads": spProductAds,
  /** Extensions of ads; available only in the unified family. */
  "sp.ad_extensions": spAdExtensions,
  "sb.campaigns": sbCampaigns,
  "sb.ad_groups": sbAdGroups,
  /** Ads; the `adFormat` of a new ad selects the endpoint that creates it. */
  "sb.ads": sbAds,
  /** Extensions of ads; available only in the unified family. */
  "sb.ad_extensions": sbAdExtensions,
  "sb.keywords": sbKeywords,
  /** Product targets: products, categories, brands. */
  "sb.targets": sbTargets,
  "sb.negative_keywords": sbNegativeKeywords,
  /** Negative product targets: products and brands. */
  "sb.negative_targets": sbNegativeTargets,
  /** Campaigns, with budget usage. */
  "sd.campaigns": sdCampaigns,
  "sd.ad_groups": sdAdGroups,
  "sd.product_ads": sdProductAds,
  /** Targeting clauses: products, content, audiences. */
  "sd.targets": sdTargets,
  /** Negative targeting clauses: products and brands. */
  "sd.negative_targets": sdNegativeTargets,
  /** Portfolios, with budget usage. */
  "portfolios": portfolios,
} as const;

/** Kind of an entity as written in plans, for example `sp.ad_groups`. */
export type ResourceKind = keyof typeof KINDS;

/** The resource of a kind, with the entity types of that kind. */
export type ResourceOf<Name extends ResourceKind> = ReturnType<(typeof KINDS)[Name]["create"]>;

/** The resources of a family by property name: `adGroups` for `sp.ad_groups`. */
export type ResourcesOf<Family extends string> = {
  readonly [
    Name in keyof typeof KINDS as Name extends `${Family}.${infer Own}` ? CamelCase<Own> : never
  ]: ResourceOf<Name>;
};

/** @throws {ConfigurationError} with the nearest kind, or all kinds, when the name is unknown. */
export function findKind<Name extends string, One extends Kind<unknown>>(
  text: string,
  kinds: Readonly<Record<Name, One>>,
  style: KindNameStyle = "plan",
): One {
  return kinds[kindNamed(text, { names: names(kinds), style })];
}

/**
 * Every resource kind, as written in plans.
 *
 * @example
 * ```ts
 * import { type ProfileClient, PROFILE_KINDS, RESOURCE_KINDS } from "@platform/ads";
 *
 * async function counts(us: ProfileClient): Promise<void> {
 *   for (const kind of PROFILE_KINDS) console.log(kind, (await us.resource(kind).list()).length);
 *   console.log(RESOURCE_KINDS.length);
 * }
 * ```
 */
export const RESOURCE_KINDS: readonly ResourceKind[] = names(KINDS);

/**
 * The kinds whose entities belong to a profile, and not to its global account.
 *
 * @example
 * ```ts
 * import { PROFILE_KINDS, RESOURCE_KINDS } from "@platform/ads";
 *
 * console.log(RESOURCE_KINDS.length - PROFILE_KINDS.length); // 4
 * ```
 */
export const PROFILE_KINDS: readonly ResourceKind[] = RESOURCE_KINDS.filter((kind) => !KINDS[kind].isGlobal);

function names<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(record) as Name[];
}

export function familyResources(family: string, scope: ProfileScope): Record<string, unknown> {
  const own = Object.entries(KINDS).filter(([name]) => name.startsWith(`${family}.`));
  return Object.fromEntries(own.map(([name, kind]) => {
    const short = name.slice(family.length + 1);
    return [short.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), kind.create(scope)];
  }));
}
