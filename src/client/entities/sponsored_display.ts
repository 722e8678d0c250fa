import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { familyResources, type ResourcesOf } from "./kinds.ts";

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
