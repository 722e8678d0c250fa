import type { ProfileClient } from "../../../mod.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import type { Emulator } from "../../../src/emulator/mod.ts";
import type { AccountCopy } from "../../../src/emulator/state/account_copy.ts";
import { accountIdOf } from "../../../src/emulator/families/reporting1/advertiser_accounts.ts";
import type { Entity } from "../../../src/interfaces/arena/account/account_image.ts";

type Collections = Record<string, Entity[]>;

/** A small account: one advertiser with profiles in two markets, a little of every product in each. */
export function drawnAccount(random: SeededRandom): AccountCopy {
  let last = 100_000_000_000_000 + random.integer(0, 999_999);
  const id = (): string => String(last += random.integer(1, 999));
  const profile = (
    profileId: string,
    countryCode: string,
    currencyCode: string,
  ): AccountCopy["profiles"][number] => ({
    region: "NA",
    record: {
      profileId,
      countryCode,
      currencyCode,
      dailyBudget: 999_999,
      timezone: "America/Los_Angeles",
      accountInfo: {
        marketplaceStringId: countryCode === "US" ? "ATVPDKIKX0DER" : "A2EUQ1WTGCTBG2",
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
    profiles: [profile("200000000000001", "US", "USD"), profile("200000000000002", "CA", "CAD")],
  };
}

function contents(
  random: SeededRandom,
  { id, currencyCode }: { id: () => string; currencyCode: string },
): Collections {
  const money = (low: number, high: number): number => random.integer(low * 100, high * 100) / 100;
  const made: Collections = {};
  const add = (name: string, entity: Record<string, unknown>): void => void (made[name] ??= []).push(entity);
  const portfolios = [0, 1, 2].map((at) => {
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
export async function createGlobals(us: ProfileClient, random: SeededRandom): Promise<void> {
  const budget = (): number => random.integer(10, 60);
  const defaultBid = (): number => random.integer(30, 200) / 100;
  const campaigns = await us.sp.globalCampaigns.create([{
    name: "Plain everywhere",
    state: "ENABLED",
    targetingType: "MANUAL",
    marketplaces: { US: budget(), CA: budget() },
  }]);
  await us.sp.globalAdGroups.create([{
    campaignId: campaigns.ids[0]!,
    name: "Everywhere",
    marketplaces: { US: { defaultBid: defaultBid() }, CA: { defaultBid: defaultBid() } },
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
