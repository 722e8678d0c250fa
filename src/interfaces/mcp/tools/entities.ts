import * as z from "zod";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";
import { findKind, KINDS, RESOURCE_KINDS } from "../../../client/entities/kinds.ts";

const WARN_DAYS = 30;

/** The profiles that the login reaches. */
export const listProfiles: Tool = tool({
  name: "list_profiles",
  title: "List profiles",
  description:
    "The advertising profiles this login reaches. Start here: other tools want a market, which is a country code (US) " +
    "or, where it has several profiles, a profile id.",
  input: z.strictObject({ ...ROW_ARGS }),
  output: ROWS,
  effect: "read",
  isListed: true,
  async run({ limit, offset }, call) {
    const ads = await call.context.ads();
    const profiles = await call.context.profiles(call.signal);
    const notes = ads.regionFailures.map(({ region, error }) =>
      `Region ${region} could not be asked, so its profiles are missing: ${error.message}`
    );
    const { rehearsal } = call.context.settings;
    if (rehearsal !== undefined) {
      notes.unshift("REHEARSAL: a copy of an account; nothing reaches the account itself");
    }
    const days = ads.daysUntilExpiry;
    if (days !== undefined && days <= WARN_DAYS) {
      notes.push(`The login expires in ${days} days. A person renews it with "adsctl auth url"`);
    }
    const rows = profiles.map(({ profileId, countryCode, region, currencyCode, timezone, accountInfo }) => ({
      profile_id: profileId,
      country: countryCode,
      region,
      currency: currencyCode,
      timezone,
      account_type: accountInfo.type,
      account_subtype: accountInfo.subType,
      account_name: accountInfo.name,
    }));
    return await takeRows(rows, { noun: "profiles", limit, offset, notes: () => notes }, call);
  },
});

const IDS = z.array(z.string()).optional();

/** Campaigns, keywords and all the other entities of a profile. */
export const listEntities: Tool = tool({
  name: "list_entities",
  title: "List entities",
  description: `Entities: ${entityNames()}`,
  input: z.strictObject({
    market: MARKET,
    entity: z.string(),
    ids: IDS,
    campaign_ids: IDS,
    ad_group_ids: IDS,
    states: z.array(z.string()).optional().describe("ENABLED, PAUSED, ARCHIVED, ALL; else not archived"),
    name: z.string().optional().describe("Exact"),
    extended: z.boolean().optional().describe("Dates, serving status"),
    fields: z.array(z.string()).optional(),
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "read",
  sets: ["read"],
  isListed: true,
  async run(args, call) {
    const { kind } = findKind(args.entity, KINDS, "tool");
    const profile = await call.context.profile(args.market, call.signal);
    const resource = profile.resource(kind);
    const { states, name, extended } = args;
    const rows = resource.iter({
      ids: args.ids,
      campaignIds: args.campaign_ids,
      adGroupIds: args.ad_group_ids,
      states: states?.some((state) => state.toUpperCase() === "ALL") ? null : states,
      name,
      extended,
      signal: call.signal,
    });
    const { limit, offset, fields } = args;
    return await takeRows(rows, { noun: resource.spec.plural, limit, offset, fields }, call);
  },
});

/** Every kind as an argument names it, by family: `sb_(campaigns, ads)` for `sb_campaigns` and `sb_ads`. */
function entityNames(): string {
  const names = RESOURCE_KINDS.map((kind) => kind.replace(".", "_"));
  const families = Map.groupBy(names, (name) => /^(?:s[pbd]_(?:global_)?)?/.exec(name)![0]);
  return [...families].map(([family, kinds]) => {
    const nouns = kinds.map((kind) => kind.slice(family.length)).join(", ");
    return family === "" ? nouns : `${family}(${nouns})`;
  }).join(", ");
}
