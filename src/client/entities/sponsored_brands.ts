import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { familyResources, type ResourcesOf } from "./kinds.ts";

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
