import type { ProfileClient } from "../../mod.ts";
import type { ContractKind } from "./contract_kinds.ts";

/** Kinds of a global account. */
export const GLOBAL_KINDS: readonly ContractKind[] = [
  {
    kind: "sp.global_campaigns",
    item: (_, number) => ({
      name: `Contract global campaign ${number}`,
      state: "ENABLED",
      targetingType: "MANUAL",
      marketplaces: { US: 20, DE: { budget: 15 } },
    }),
    changes: (
      number,
    ) => [{ name: `Contract global change ${number}` }, { name: `Contract global other ${number}` }],
  },
  {
    kind: "sp.global_ad_groups",
    item: ({ globalCampaign }, number) => ({
      campaignId: globalCampaign,
      name: `Contract global ad group ${number}`,
      state: "ENABLED",
      marketplaces: { US: 0.5, DE: { defaultBid: 0.4 } },
    }),
    changes: (
      number,
    ) => [{ name: `Contract global group ${number}` }, { name: `Contract other group ${number}` }],
  },
  {
    kind: "sp.global_targets",
    item: ({ globalCampaign, globalAdGroup }, number) => ({
      campaignId: globalCampaign,
      adGroupId: globalAdGroup,
      negative: false,
      keywordText: `global keyword ${number}`,
      matchType: "EXACT",
      state: "ENABLED",
      marketplaces: { US: 0.5, DE: { bid: 0.4 } },
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
  {
    kind: "sp.global_product_ads",
    item: ({ globalCampaign, globalAdGroup }, number) => ({
      campaignId: globalCampaign,
      adGroupId: globalAdGroup,
      sku: `GLOBAL-${number}`,
      state: "ENABLED",
      marketplaces: { US: {}, DE: {} },
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
];

/** Creates two of each kind of a global account, and names a campaign and an ad group that others are created in. */
export async function createGlobal(
  sp: ProfileClient["sp"],
): Promise<{ readonly globalCampaign: string; readonly globalAdGroup: string }> {
  // The account has none to begin with.
  const marketplaces = { US: 20, DE: 15 };
  const [one, two] = ["Contract 1", "Contract 2"].map((name) => ({
    name,
    targetingType: "MANUAL",
    marketplaces,
  }));
  const { ids: [globalCampaign] } = await sp.globalCampaigns.create([
    { ...one!, state: "ENABLED" },
    { ...two!, state: "ENABLED" },
  ]);
  const { ids: [globalAdGroup] } = await sp.globalAdGroups.create([
    { campaignId: globalCampaign!, name: "Contract", state: "ENABLED", marketplaces: { US: 0.5, DE: 0.4 } },
    { campaignId: globalCampaign!, name: "Contract 2", state: "ENABLED", marketplaces: { US: 0.5, DE: 0.4 } },
  ]);
  const globalPlace = { campaignId: globalCampaign!, adGroupId: globalAdGroup!, state: "ENABLED" as const };
  await sp.globalTargets.create(
    ["contract one", "contract two"].map((keywordText) => ({
      ...globalPlace,
      negative: false,
      keywordText,
      matchType: "EXACT",
      marketplaces: ["US", "DE"],
    })),
  );
  await sp.globalProductAds.create(
    ["GLOBAL-A", "GLOBAL-B"].map((sku) => ({ ...globalPlace, sku, marketplaces: ["US", "DE"] })),
  );
  return { globalCampaign: globalCampaign!, globalAdGroup: globalAdGroup! };
}
