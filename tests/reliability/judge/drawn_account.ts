import type { ProfileClient } from "../../../mod.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import type { Emulator } from "../../../src/emulator/mod.ts";
import type { AccountCopy } from "../../../src/emulator/state/account_copy.ts";
import { accountIdOf } from "../../../src/emulator/families/reporting1/advertiser_accounts.ts";
import type { AccountImage, Entity } from "../../../src/interfaces/arena/account/account_image.ts";

type Collections = Record<string, Entity[]>;

/** A marketplace with the profile that the drawn account has there. */
export interface Market {
  readonly profileId: string;
  readonly country: string;
  readonly currency: string;
  /** Country code of the unified wire. */
  readonly code: string;
  readonly region: "NA" | "EU";
  readonly marketplaceId: string;
  readonly timezone: string;
}

const LOS_ANGELES = "America/Los_Angeles";
const MARKETS: readonly (readonly [Market, Market])[] = [
  [
    market("200000000000001", "US USD US NA ATVPDKIKX0DER", LOS_ANGELES),
    market("200000000000002", "CA CAD CA NA A2EUQ1WTGCTBG2", LOS_ANGELES),
  ],
  [
    market("200000000000001", "UK GBP GB EU A1F83G8C2ARO7P", "Europe/London"),
    market("200000000000002", "DE EUR DE EU A1PA6795UKMFR9", "Europe/Paris"),
  ],
];

function market(profileId: string, words: string, timezone: string): Market {
  const [country = "", currency = "", code = "", region = "", marketplaceId = ""] = words.split(" ");
  return {
    profileId,
    country,
    currency,
    code,
    region: region === "NA" ? "NA" : "EU",
    marketplaceId,
    timezone,
  };
}

/** Markets of a day: of North America, and now and then of Europe. */
export function drawnMarkets(random: SeededRandom): readonly [Market, Market] {
  return MARKETS[random.integer(0, 4) < 2 ? 1 : 0]!;
}

/** A small account: one advertiser with profiles in two markets, a little of every product in each. */
export function drawnAccount(random: SeededRandom, markets: readonly [Market, Market]): AccountCopy {
  let last = 100_000_000_000_000 + random.integer(0, 999_999);
  const id = (): string => String(last += random.integer(1, 999));
  const profile = (
    { profileId, country: countryCode, currency: currencyCode, region, marketplaceId, timezone }: Market,
  ): AccountCopy["profiles"][number] => ({
    region,
    record: {
      profileId,
      countryCode,
      currencyCode,
      dailyBudget: 999_999,
      timezone,
      accountInfo: {
        marketplaceStringId: marketplaceId,
        id: `ENTITY${profileId}`,
        type: "seller",
        name: "Drawn",
        validPaymentMethod: true,
      },
    },
    account: "200000000000001",
    collections: contents(random, { id, currencyCode }) as AccountCopy["profiles"][number]["collections"],
  });
  return {
    takenAt: "2026-09-30T18:00:00Z",
    profiles: markets.map(profile),
  };
}

function contents(
  random: SeededRandom,
  { id, currencyCode }: { id: () => string; currencyCode: string },
): Collections {
  const money = (low: number, high: number): number => random.integer(low * 100, high * 100) / 100;
  const made: Collections = {};
  const add = (name: string, entity: Record<string, unknown>): void => void (made[name] ??= []).push(entity);
  const portfolios = [0, 1, 2, 3].map((at) => {
    const portfolioId = id();
    const capped = { amount: random.integer(300, 900), currencyCode, policy: "MONTHLY_RECURRING" };
    add("portfolios", {
      portfolioId,
      name: at === 2 ? "Brand portfolio" : `Portfolio ${at}`,
      ...(at === 1 ? {} : { budget: capped }),
      inBudget: true,
      state: "ENABLED",
    });
    return portfolioId;
  });
  const state = (): string => random.pick(["ENABLED", "ENABLED", "ENABLED", "PAUSED"]);
  for (let at = 0; at < 4; at++) {
    const campaignId = id();
    add("sp.campaigns", {
      campaignId,
      name: `${at === 3 ? "Brand" : "Plain"} products ${at}`,
      state: state(),
      targetingType: "MANUAL",
      budget: { budget: random.integer(10, 60), budgetType: "DAILY" },
      dynamicBidding: {
        strategy: random.pick(["LEGACY_FOR_SALES", "MANUAL"]),
        placementBidding: ["PLACEMENT_TOP", "PLACEMENT_PRODUCT_PAGE"].filter(() => random.integer(0, 2) > 0)
          .map((placement) => ({ placement, percentage: random.integer(5, 60) })),
      },
      startDate: "2026-04-26",
      ...(at === 0 ? { portfolioId: portfolios[0] } : {}),
    });
    for (let group = 0; group < 2; group++) {
      const adGroupId = id();
      const place = { campaignId, adGroupId };
      add("sp.ad_groups", { ...place, name: `Group ${group}`, state: state(), defaultBid: money(0.3, 2) });
      for (let word = 0; word < 2; word++) {
        add("sp.keywords", {
          keywordId: id(),
          ...place,
          keywordText: `word ${word}`,
          matchType: "EXACT",
          state: state(),
          ...(word === 0 || group === 0 ? { bid: money(0.3, 2.5) } : {}),
        });
      }
      add("sp.product_ads", {
        adId: id(),
        ...place,
        asin: `B0DRAWN${random.integer(100, 999)}`,
        sku: `drawn-${at}-${group}`,
        state: "ENABLED",
      });
      add("sp.negative_keywords", {
        keywordId: id(),
        ...place,
        keywordText: "free",
        matchType: "NEGATIVE_EXACT",
        state: "ENABLED",
      });
    }
  }
  for (let at = 0; at < 2; at++) {
    const campaignId = id();
    add("sb.campaigns", {
      campaignId,
      name: `${at === 1 ? "Brand" : "Plain"} brands ${at}`,
      state: state(),
      budget: random.integer(20, 90),
      budgetType: "DAILY",
      startDate: "2026-05-08",
      goal: "PAGE_VISIT",
      costType: "CPC",
      kpi: "CLICKS",
      bidding: {
        bidOptimization: false,
        bidAdjustmentsByPlacement: [{ placement: "HOME", percentage: -20 }],
      },
    });
    const adGroupId = id();
    add("sb.ad_groups", { adGroupId, campaignId, name: "Brands", state: "ENABLED" });
    for (let word = 0; word < 2; word++) {
      add("sb.keywords", {
        keywordId: id(),
        adGroupId,
        campaignId,
        keywordText: `brand word ${word}`,
        matchType: "exact",
        state: "enabled",
        bid: money(0.4, 2),
      });
    }
  }
  for (let at = 0; at < 2; at++) {
    const campaignId = id();
    add("sd.campaigns", {
      campaignId,
      name: `${at === 1 ? "Brand" : "Plain"} display ${at}`,
      tactic: "T00020",
      budget: random.integer(20, 90),
      budgetType: "daily",
      costType: "cpc",
      deliveryProfile: "as_soon_as_possible",
      startDate: "20251106",
      state: state().toLowerCase(),
    });
    const adGroupId = id();
    add("sd.ad_groups", {
      adGroupId,
      campaignId,
      name: "Display",
      defaultBid: money(0.3, 1.5),
      bidOptimization: "clicks",
      tactic: "T00020",
      state: "enabled",
    });
    add("sd.targets", {
      targetId: id(),
      campaignId,
      adGroupId,
      expressionType: "manual",
      expression: [{ type: "asinCategorySameAs", value: "7183526" }],
      bid: money(0.3, 1.5),
      state: "enabled",
    });
  }
  return made;
}

/** Creates what no copy of an account has: a campaign and an ad group over both markets. */
export async function createGlobals(
  client: ProfileClient,
  random: SeededRandom,
  markets: readonly [Market, Market],
): Promise<void> {
  const everywhere = <T>(draw: () => T): Record<string, T> =>
    Object.fromEntries(markets.map(({ country }) => [country, draw()]));
  const budget = (): number => random.integer(10, 60);
  const defaultBid = (): number => random.integer(30, 200) / 100;
  const campaigns = await client.sp.globalCampaigns.create([{
    name: "Plain everywhere",
    state: "ENABLED",
    targetingType: "MANUAL",
    marketplaces: everywhere(budget),
  }]);
  await client.sp.globalAdGroups.create([{
    campaignId: campaigns.ids[0]!,
    name: "Everywhere",
    marketplaces: everywhere(() => ({ defaultBid: defaultBid() })),
  } as never]);
}

/** The header of calls to a global account: the id of the one that all profiles are of. */
export function accountHeader(emulator: Emulator): Record<string, string> {
  return {
    [`${emulator.platform.wireWord ?? "Platform"}-Ads-AccountId`]: accountIdOf(emulator.state.profiles()[0]!),
  };
}

/** True for a request that may change an account. */
export function isWriting(method: string, path: string): boolean {
  return method === "PUT" || method === "DELETE" ||
    method === "POST" && !/list$|\/query\/|token|reports|history/.test(path);
}

/** Writes that reached the platform, by its own log. */
export function writesOf(emulator: Emulator): number {
  return emulator.requests().filter(({ method, path }) => isWriting(method, path)).length;
}

/** Ids of what the day's work is about: of each profile and product one campaign with all in it, and a portfolio. */
export function drawnBusy(random: SeededRandom, account: AccountImage): Set<string> {
  const busy = new Set<string>();
  const roots = [...account].filter(([key]) => /campaigns |portfolios /.test(key));
  for (const [group, own] of Map.groupBy(roots, ([key]) => key.split(" ").slice(0, 2).join(" "))) {
    // Global campaigns are few: all of them.
    for (const [key] of group.includes(".global_") ? own : [random.pick(own)]) busy.add(key.split(" ")[2]!);
  }
  for (const [key, { campaignId, adGroupId }] of account) {
    if (busy.has(String(campaignId)) || busy.has(String(adGroupId))) busy.add(key.split(" ")[2]!);
  }
  return busy;
}
