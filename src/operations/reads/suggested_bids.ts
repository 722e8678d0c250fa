import type { ListOptions } from "../../client/entities/model/list_options.ts";
import type { Keyword, Target } from "../../client/entities/model/sp_entities.ts";
import type { BidOptions } from "../../client/insights/suggested_bids.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Operation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

type Row = Readonly<Record<string, unknown>>;

/** Entities with their suggested bids, in the marketplace's currency. */
export interface BidRows {
  readonly rows: readonly Row[];
  /** Number of entities for which the platform suggests no bids. */
  readonly unsupported: number;
}

export interface FoundForBids<Entity> {
  readonly entities: AsyncIterable<Entity>;
  readonly bidsOf: (entities: readonly Entity[]) => Promise<BidRows>;
}

export interface BidsOperation<Entity>
  extends Operation<ReturnType<typeof fieldsOf>, ReadContext, FoundForBids<Entity>> {
  readonly noun: string;
  readonly columns: readonly string[];
}

export const THEME_FIELD = {
  type: "text",
  value: "theme",
  help: "occasion",
  otherwise: "CONVERSION_OPPORTUNITIES",
  brief: "Occasion, e.g. BFCM_HOLIDAY",
} as const;

export const keywordBids = defineBids<Keyword>({
  noun: "keywords",
  tool: "get_suggested_bids",
  title: "Get suggested bids",
  summary: "Get suggested bids for existing keywords",
  details:
    "Prints the current bid, the range and the suggestion; cells are empty if there is none. Filter the " +
    "keywords, because the platform throttles these requests heavily.",
  brief:
    "The platform's suggested bids (low, suggested, high) next to current bids, for enabled and paused " +
    "keywords. Keep requests small, because the platform throttles them.",
  examples: [
    { input: { campaign_ids: ["123"] }, about: "one campaign" },
    { input: { ad_group_ids: ["9"], theme: "BFCM_HOLIDAY" }, about: "bids for an event" },
  ],
  library: "await profile.bids.forKeywords(await profile.sp.keywords.list({ campaignIds }))",
  columns: ["keywordId", "keywordText", "matchType", "bid", "low", "suggested", "high"],
  list: ({ sp }, query) => sp.keywords.iter(query),
  async bidsOf({ bids }, keywords, options) {
    const found = await bids.forKeywords(keywords, options);
    const rows = keywords.map((keyword) => ({ ...keyword, ...found.get(keyword.keywordId) }));
    return { rows, unsupported: 0 };
  },
});

export const targetBids = defineBids<Target>({
  noun: "targets",
  tool: "get_suggested_bids_for_targets",
  title: "Get suggested bids for targets",
  summary: "Get suggested bids for existing product and automatic targets",
  details:
    "Targets without suggestions (several predicates, expanded products and others) have empty cells and are " +
    "counted on stderr.",
  brief: "As get_suggested_bids, for product and automatic targets; some have none.",
  examples: [{ input: { campaign_ids: ["123"] }, about: "one campaign" }],
  library: "await profile.bids.forTargets(await profile.sp.targets.list({ campaignIds }))",
  columns: ["targetId", "expression", "bid", "low", "suggested", "high"],
  list: ({ sp }, query) => sp.targets.iter(query),
  async bidsOf({ bids }, targets, options) {
    const { suggestions, unsupported } = await bids.forTargets(targets, options);
    const byId = new Map(suggestions.map(({ targetId, expression: _, ...bid }) => [targetId, bid]));
    const rows = targets.map((target) => ({
      ...target,
      supported: byId.has(target.targetId),
      ...byId.get(target.targetId),
    }));
    return { rows, unsupported: unsupported.length };
  },
});

interface Bids<Entity> extends Omit<BidsOperation<Entity>, "name" | "effect" | "input" | "run"> {
  readonly list: (profile: ProfileClient, query: ListOptions) => AsyncIterable<Entity>;
  bidsOf(profile: ProfileClient, entities: readonly Entity[], options: BidOptions): Promise<BidRows>;
}

function defineBids<Entity>({ list, bidsOf, ...about }: Bids<Entity>): BidsOperation<Entity> {
  return {
    ...about,
    name: `account bids ${about.noun}`,
    effect: "read",
    input: fieldsOf(about.noun),
    run: ({ profile, signal }, { ids, campaign_ids: campaignIds, ad_group_ids: adGroupIds, theme }) =>
      Promise.resolve({
        entities: list(profile, { ids, campaignIds, adGroupIds, signal }),
        bidsOf: (entities) => bidsOf(profile, entities, { theme, signal }),
      }),
  };
}

function fieldsOf(noun: string) {
  return {
    ids: { type: "ids", option: "id", help: `only these ${noun}` },
    campaign_ids: { type: "ids", help: `only ${noun} of these campaigns` },
    ad_group_ids: { type: "ids", help: `only ${noun} of these ad groups` },
    theme: THEME_FIELD,
  } as const;
}
