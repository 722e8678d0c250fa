import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { familyResources, type ResourcesOf } from "./kinds.ts";

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
