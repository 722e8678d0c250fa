import { normalizeCountry } from "../../base/markets/markets.ts";
import { ConfigurationError } from "../../errors.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { PlanTarget } from "../model/plan_target.ts";

/**
 * Also checks the country that the reader of the plan saw.
 *
 * @param verb Action for the message, such as `apply`.
 */
export function ensureOwnProfile(
  plan: Pick<PlanData, "id" | "profileId" | "countryCode" | "rehearsal">,
  client: PlanTarget,
  verb: string,
): void {
  const isSame = client.profileId === plan.profileId &&
    normalizeCountry(client.countryCode) === normalizeCountry(plan.countryCode);
  if (isSame) {
    if (plan.rehearsal === null || plan.rehearsal === client.rehearsal) return;
    throw new ConfigurationError(
      `Cannot ${verb} plan ${plan.id} here: it was made on the copy of the account of ${plan.rehearsal}, by figures of ` +
        "that copy. Make it again from the account, or use a client of the copy",
    );
  }
  throw new ConfigurationError(
    `Cannot ${verb} plan ${plan.id}: it was made for profile ${plan.profileId} (${plan.countryCode}), ` +
      `and the client's profile is ${client.profileId} (${client.countryCode})`,
  );
}
