import { normalizeCountry } from "../../markets.ts";
import { ConfigurationError } from "../../errors.ts";
import type { PlanTarget } from "../plan_target.ts";

/**
 * Throws unless a client is that of the profile a plan was made for, in the country that its reader saw.
 *
 * @param verb What is about to be done: `apply`.
 */
export function ensureOwnProfile(
  plan: { readonly id: string; readonly profileId: string; readonly countryCode: string },
  client: PlanTarget,
  verb: string,
): void {
  const isSame = client.profileId === plan.profileId &&
    normalizeCountry(client.countryCode) === normalizeCountry(plan.countryCode);
  if (isSame) return;
  throw new ConfigurationError(
    `Cannot ${verb} plan ${plan.id}: it was made for profile ${plan.profileId} (${plan.countryCode}), ` +
      `and the client's profile is ${client.profileId} (${client.countryCode})`,
  );
}
