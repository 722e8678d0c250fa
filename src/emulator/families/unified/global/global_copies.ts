import { isObject, type JsonObject } from "../../../core/json.ts";
import type { RuleContext } from "../../../entities/entity_resource.ts";
import type { Context } from "../../../routing/context.ts";
import type { ProfileState } from "../../../state/profile_state.ts";
import { ruleContext } from "../../../entities/batch.ts";
import { refusal } from "../../../http/refusal.ts";
import { isGlobal, profilesAt, profilesOfAccount } from "../../reporting1/advertiser_accounts.ts";
import { PRODUCT_CAMPAIGNS } from "../campaigns.ts";
import { commonFields, defined, momentToDay, part } from "../common.ts";

/** Collection of what global campaigns are as a whole, kept beside the first profile of their account. */
const COLLECTION = "sp.global_campaigns";
/** Fields of the whole that its copies take over. */
export const COPIED = [
  "name",
  "state",
  "startDateTime",
  "endDateTime",
  "portfolioId",
  "siteRestrictions",
  "tags",
  "optimizations",
];

/** A global account: the profile of each marketplace, and where its campaigns are kept. */
export interface GlobalAccount {
  readonly home: ProfileState;
  readonly profiles: ReadonlyMap<string, ProfileState>;
}

/** The account that a request names; refuses one that the login does not reach, that is not global, or beside a profile. */
export function demandGlobalAccount(context: Context): GlobalAccount {
  const { accountId = "", headers } = context;
  if (Object.keys(headers).some((name) => name.endsWith("-advertising-api-scope"))) {
    throw refusal(400, "The request names a profile and an advertiser account: name one of them");
  }
  const profiles = profilesOfAccount(accountId, context);
  const isHere = profilesAt(context).some((profile) => profiles.includes(profile));
  if (!isHere) throw refusal(403, `Account ${accountId} was not found`);
  const [home] = profiles as [ProfileState];
  if (!isGlobal(home)) throw refusal(403, `Account ${accountId} is not a global account`);
  return { home, profiles: new Map(profiles.map((profile) => [marketplaceOf(profile), profile])) };
}

/** Marketplace of a profile as the family spells it. */
function marketplaceOf({ record: { countryCode } }: ProfileState): string {
  return countryCode === "UK" ? "GB" : countryCode;
}

/** The global campaigns of an account. */
export function globalCampaigns({ home }: GlobalAccount): ReturnType<ProfileState["collection"]> {
  return home.collection(COLLECTION);
}

/** The rules of a marketplace's profile. */
export function rulesOf(profile: ProfileState, { clock, state }: Context): RuleContext {
  return ruleContext({ profile, clock, state });
}

/** A copy of a global campaign, and the profile that has it. */
export interface Copy {
  readonly marketplace: string;
  readonly profile: ProfileState;
  /** As its profile keeps it. */
  readonly campaign: JsonObject;
}

/** The copies of a global campaign. */
export function copiesOf(whole: JsonObject, { profiles }: GlobalAccount): Copy[] {
  return Object.entries(part(whole, "copies")).flatMap(([marketplace, id]): Copy[] => {
    const profile = profiles.get(marketplace);
    const campaign = profile?.collection("sp.campaigns").get(String(id));
    return profile === undefined || campaign === undefined ? [] : [{ marketplace, profile, campaign }];
  });
}

/** A global campaign with its budgets, and with what its copies are otherwise than the whole. */
export function shownGlobal(whole: JsonObject, account: GlobalAccount): JsonObject {
  const copies = copiesOf(whole, account).map((copy) => ({
    ...copy,
    shown: PRODUCT_CAMPAIGNS.toUnified(copy.campaign, copy.profile),
  }));
  const { copies: _, overrides: __, ...kept } = whole;
  const statuses = copies.map(({ marketplace, shown }) => ({ marketplace, ...part(shown, "status") }));
  const delivers = statuses.some((status) =>
    "deliveryStatus" in status && status.deliveryStatus === "DELIVERING"
  );
  const { status, ...common } = commonFields(
    whole,
    { adProduct: "SPONSORED_PRODUCTS", noun: "CAMPAIGN" },
    account.home,
  );
  return defined({
    ...common,
    ...kept,
    extendedData: undefined,
    marketplaceScope: "GLOBAL",
    marketplaces: copies.map(({ marketplace }) => marketplace),
    budgets: [{
      budgetType: "MONETARY",
      recurrenceTimePeriod: "DAILY",
      budgetValue: {
        monetaryBudgetValue: {
          marketplaceSettings: copies.map(({ marketplace, campaign, profile }) => ({
            marketplace,
            monetaryBudget: {
              currencyCode: profile.record.currencyCode,
              value: part(campaign, "budget").budget ?? 0,
            },
          })),
        },
      },
    }],
    marketplaceConfigurations: copies.map((copy) => ({
      campaignId: copy.campaign.campaignId,
      marketplace: copy.marketplace,
      overrides: differencesOf(whole, copy, copy.shown),
    })),
    status: {
      ...part({ status }, "status"),
      deliveryStatus: delivers ? "DELIVERING" : "NOT_DELIVERING",
      marketplaceSettings: statuses,
    },
  });
}

/** Fields of a copy that are not those of the whole. */
function differencesOf(
  whole: JsonObject,
  { marketplace, profile, campaign }: Copy,
  shown: JsonObject,
): JsonObject {
  const own = part(whole, "overrides", marketplace);
  const isOwnDay = (moment: "startDateTime" | "endDateTime", day: unknown): boolean =>
    day !== undefined && momentToDay(whole[moment], profile) !== day;
  return defined({
    name: shown.name === whole.name ? undefined : shown.name,
    state: shown.state === whole.state ? undefined : shown.state,
    startDateTime: isOwnDay("startDateTime", campaign.startDate) ? shown.startDateTime : undefined,
    endDateTime: isOwnDay("endDateTime", campaign.endDate) ? shown.endDateTime : undefined,
    tags: own.tags === undefined ? undefined : shown.tags,
    optimizations: isObject(own.optimizations) ? part(shown, "optimizations") : undefined,
  });
}
