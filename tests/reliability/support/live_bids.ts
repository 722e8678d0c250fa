import type { ProfileClient } from "../../../src/client/profile_client.ts";

/** A campaign, as the platform lists it. */
export interface LiveCampaign {
  readonly name: string;
  readonly isOn: boolean;
  readonly budget: number;
  /** What each placement and the strategy may make of a bid of 1. */
  readonly factors: ReadonlyMap<string, number>;
}

/** A keyword, target or ad group, with what one click on it may cost. */
export interface LiveBid {
  readonly campaignId: string;
  /** The same for one that is archived and created anew. */
  readonly identity: string;
  /** Its own bid, or the default bid of its ad group. */
  readonly bid: number;
  /** True when it, its ad group and its campaign are enabled. */
  readonly isOn: boolean;
  readonly text: string;
}

/** The part of an account that is read after each write. */
export interface LiveBids {
  readonly campaigns: ReadonlyMap<string, LiveCampaign>;
  readonly bids: ReadonlyMap<string, LiveBid>;
}

interface Row {
  readonly [name: string]: unknown;
}

const PLACEMENTS = ["PLACEMENT_TOP", "PLACEMENT_PRODUCT_PAGE", "PLACEMENT_REST_OF_SEARCH"];

/** Reads campaigns of Sponsored Products with their ad groups and keywords. Archived ones are left out. */
export async function readLiveBids(us: ProfileClient, campaignIds: readonly string[]): Promise<LiveBids> {
  const place = { campaignIds: [...campaignIds], states: ["ENABLED", "PAUSED"] as const };
  const campaigns = new Map<string, LiveCampaign>();
  for (const row of await us.sp.campaigns.list({ ids: [...campaignIds], states: place.states }) as Row[]) {
    const { strategy, placementBidding = [] } = (row["dynamicBidding"] ?? {}) as {
      strategy?: string;
      placementBidding?: { placement: string; percentage: number }[];
    };
    const raised = strategy === "AUTO_FOR_SALES" ? 2 : 1;
    campaigns.set(String(row["campaignId"]), {
      name: String(row["name"]),
      isOn: row["state"] === "ENABLED",
      budget: (row["budget"] as { budget: number }).budget,
      factors: new Map(PLACEMENTS.map((placement) => {
        const percent = placementBidding.find((one) => one.placement === placement)?.percentage ?? 0;
        return [placement, raised * (1 + percent / 100)];
      })),
    });
  }
  const bids = new Map<string, LiveBid>();
  const groups = new Map<string, { bid: number; isOn: boolean }>();
  for (const row of await us.sp.adGroups.list(place) as unknown as Row[]) {
    const campaignId = String(row["campaignId"]);
    const bid = Number(row["defaultBid"]);
    const isOn = row["state"] === "ENABLED" && campaigns.get(campaignId)?.isOn === true;
    const id = String(row["adGroupId"]);
    groups.set(id, { bid, isOn });
    bids.set(id, { campaignId, identity: id, bid, isOn, text: JSON.stringify(row) });
  }
  for (const row of await us.sp.keywords.list(place) as unknown as Row[]) {
    const group = groups.get(String(row["adGroupId"]));
    if (group === undefined) continue;
    bids.set(String(row["keywordId"]), {
      campaignId: String(row["campaignId"]),
      identity: `${row["adGroupId"]} ${row["keywordText"]} ${row["matchType"]}`,
      bid: typeof row["bid"] === "number" ? row["bid"] : group.bid,
      isOn: row["state"] === "ENABLED" && group.isOn,
      text: JSON.stringify(row),
    });
  }
  return { campaigns, bids };
}
