import { familyResources, type ResourcesOf } from "./kinds/kinds.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";

/**
 * The Sponsored Products resources of one profile.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function count(us: ProfileClient, campaignIds: string[]): Promise<void> {
 *   const adGroups = await us.sp.adGroups.list({ campaignIds });
 *   const keywords = await us.sp.keywords.list({ campaignIds, states: ["ENABLED"] });
 *   const targets = await us.sp.targets.list({ campaignIds });
 *   console.log(adGroups.length, keywords.length, targets.length);
 * }
 * ```
 */
export class SponsoredProducts {
  /**
   * Creates the resources of a profile.
   *
   * @param scope The profile and its transport.
   */
  constructor(scope: ProfileScope) {
    Object.assign(this, familyResources("sp", scope));
  }
}

/** A resource for each kind of the family. */
export interface SponsoredProducts extends ResourcesOf<"sp"> {}

/**
 * The Sponsored Brands resources of one profile.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function ads(us: ProfileClient): Promise<void> {
 *   for await (const campaign of us.sb.campaigns.iter({ states: ["ENABLED"] })) {
 *     const ads = await us.sb.ads.list({ campaignIds: [campaign.campaignId] });
 *     console.log(campaign.name, campaign.budget, ads.length);
 *   }
 * }
 * ```
 */
export class SponsoredBrands {
  /**
   * Creates the resources of a profile.
   *
   * @param scope The profile and its transport.
   */
  constructor(scope: ProfileScope) {
    Object.assign(this, familyResources("sb", scope));
  }
}

/** A resource for each kind of the family. */
export interface SponsoredBrands extends ResourcesOf<"sb"> {}

/**
 * The Sponsored Display resources of one profile.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function audiences(us: ProfileClient): Promise<void> {
 *   for await (const campaign of us.sd.campaigns.iter({ states: ["ENABLED"] })) {
 *     const targets = await us.sd.targets.list({ campaignIds: [campaign.campaignId] });
 *     console.log(campaign.name, campaign.tactic, campaign.budget, targets.length);
 *   }
 * }
 * ```
 */
export class SponsoredDisplay {
  /**
   * Creates the resources of a profile.
   *
   * @param scope The profile and its transport.
   */
  constructor(scope: ProfileScope) {
    Object.assign(this, familyResources("sd", scope));
  }
}

/** A resource for each kind of the family. */
export interface SponsoredDisplay extends ResourcesOf<"sd"> {}
