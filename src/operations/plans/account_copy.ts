import { offersDisplay } from "../../client/offers_display.ts";
import { literalName, namePattern } from "../../base/text/name_pattern.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { defineOperation } from "../model/operation.ts";
import { type AllowedPlan, allowedPlan, DENIED_FIELD, NOTE_FIELD } from "./write_operation.ts";

export interface CopyContext {
  readonly profile: ProfileClient;
  /** Finds the profile that gets the copies. */
  readonly target: (market: string) => Promise<ProfileClient>;
  readonly signal: AbortSignal;
}

export const accountCopy = defineOperation<CopyContext, AllowedPlan>()({
  name: "account copy",
  effect: "plan",
  isForPeople: true,
  title: "Plan copies of campaigns",
  summary: "Plan copies of campaigns in another market or profile",
  details:
    "The plan creates each campaign with its ad groups, keywords, targets, negatives and ads. --rate converts " +
    "amounts between currencies. Keeps the portfolio if the other profile has one with the same name. For " +
    "other changes, pull the files, edit them, and plan from them.",
  brief: "Plans copies of campaigns for this profile or another; nothing is sent",
  examples: [],
  library: "await copyCampaigns(us, ca, { campaignIds, rate: 1.37 })",
  input: {
    campaign_ids: {
      type: "names",
      required: true,
      value: "campaign",
      help: "id or name; * matches any text",
    },
    to: {
      type: "text",
      required: "option",
      value: "market",
      help: "country code or profile id for the copies",
    },
    rename: {
      type: "text",
      value: "name",
      help: "name for each copy; {name} is the original name",
      otherwise: "{name}",
    },
    rate: {
      type: "rate",
      help: "value of one unit of the original currency in the copies' currency",
    },
    state: {
      type: "choice",
      value: "state",
      choices: ["ENABLED", "PAUSED"],
      help: "state of the copies",
      otherwise: "as the original",
    },
    ...NOTE_FIELD,
    ...DENIED_FIELD,
  },
  check({ to, rename }, { field }) {
    if (to === undefined) {
      throw new RangeError(`Cannot copy without ${field("to")}: name the market for the copies`);
    }
    if (rename?.trim() === "") {
      throw new RangeError(`Cannot use "${rename}" as ${field("rename")}: the name is empty`);
    }
  },
  async run({ profile, target, signal }, { campaign_ids: wanted, to, skip_denied, ...options }) {
    const { copyCampaigns } = await import("../../account/diff/copy_campaigns.ts");
    const client = await target(to);
    const campaignIds = await idsOf(wanted, profile, signal);
    const plan = await copyCampaigns(profile, client, { ...options, campaignIds, signal });
    return await allowedPlan(plan, { profile: client, signal }, { skip_denied });
  },
});

/** @throws {RangeError} when a campaign is not there, or is archived. */
async function idsOf(
  campaigns: readonly string[],
  profile: ProfileClient,
  signal: AbortSignal,
): Promise<string[]> {
  const found = [
    ...await profile.sp.campaigns.list({ signal }),
    ...await profile.sb.campaigns.list({ signal }),
    ...await offersDisplay(profile, { signal }) ? await profile.sd.campaigns.list({ signal }) : [],
  ];
  const ids = campaigns.flatMap((wanted) => {
    const pattern = namePattern(wanted);
    const own = found.filter(({ campaignId, name }) =>
      campaignId === wanted || (pattern === undefined ? name === literalName(wanted) : pattern.test(name))
    );
    if (own.length > 0) return own.map(({ campaignId }) => campaignId);
    throw new RangeError(
      `Cannot copy "${wanted}": profile ${profile.profileId} (${profile.countryCode}) has no campaign with that id or name ` +
        "that is not archived",
    );
  });
  return [...new Set(ids)];
}
