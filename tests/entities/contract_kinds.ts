import type { ProfileClient } from "../../mod.ts";
import { createGlobal, GLOBAL_KINDS } from "./contract_global_kinds.ts";

/** Ids of entities that others are created in. */
export interface Parents {
  readonly spCampaign: string;
  readonly spKeywordAdGroup: string;
  readonly spTargetAdGroup: string;
  readonly sbCampaign: string;
  readonly sbAdGroup: string;
  readonly sdCampaign: string;
  readonly sdAdGroup: string;
  readonly globalCampaign: string;
  readonly globalAdGroup: string;
}

/** What the contract must know of a kind. */
export interface ContractKind {
  /** Kind as plans write it. */
  readonly kind: string;
  /** A new item; `number` makes it unlike the others. */
  readonly item: (parents: Parents, number: number) => Record<string, unknown>;
  /** Two changes that an update can make, the second unlike the first. */
  readonly changes: (number: number) => readonly [Record<string, unknown>, Record<string, unknown>];
  /** Fields of a new item that the unified family has nothing like. */
  readonly lacking?: readonly string[];
  /** States that can be set, as the account shows them; the first is that of a new entity. @default ENABLED, PAUSED */
  readonly states?: readonly string[];
}

const asinOf = (number: number): string => `B0CONTR${String(number).padStart(3, "0")}`;
const keyword = (number: number): string => `contract keyword ${number}`;

/** Every kind of resource. */
export const CONTRACT_KINDS: readonly ContractKind[] = [
  {
    kind: "sp.campaigns",
    item: (_, number) => ({
      name: `Contract campaign ${number}`,
      state: "ENABLED",
      targetingType: "MANUAL",
      startDate: "2026-10-01",
      budget: 20,
    }),
    changes: () => [{ budget: 25 }, { budget: 30 }],
  },
  ...GLOBAL_KINDS,
  {
    kind: "sp.ad_groups",
    item: ({ spCampaign }, number) => ({
      campaignId: spCampaign,
      name: `Contract ad group ${number}`,
      defaultBid: 0.5,
      state: "ENABLED",
    }),
    changes: () => [{ defaultBid: 0.6 }, { default_bid: 0.7 }],
  },
  {
    kind: "sp.keywords",
    item: ({ spCampaign, spKeywordAdGroup }, number) => ({
      campaignId: spCampaign,
      adGroupId: spKeywordAdGroup,
      keywordText: keyword(number),
      matchType: "EXACT",
      bid: 0.5,
      state: "enabled",
    }),
    changes: () => [{ bid: 0.6 }, { bid: 0.7 }],
  },
  {
    kind: "sp.targets",
    item: ({ spCampaign, spTargetAdGroup }, number) => ({
      campaignId: spCampaign,
      adGroupId: spTargetAdGroup,
      expression: [{ type: "ASIN_SAME_AS", value: asinOf(number) }],
      expressionType: "MANUAL",
      bid: 0.5,
      state: "ENABLED",
    }),
    changes: () => [{ bid: 0.6 }, { bid: 0.7 }],
  },
  {
    kind: "sp.negative_keywords",
    item: ({ spCampaign, spKeywordAdGroup }, number) => ({
      campaignId: spCampaign,
      adGroupId: spKeywordAdGroup,
      keywordText: keyword(number),
      matchType: "NEGATIVE_EXACT",
      state: "ENABLED",
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
  {
    kind: "sp.negative_targets",
    item: ({ spCampaign, spTargetAdGroup }, number) => ({
      campaignId: spCampaign,
      adGroupId: spTargetAdGroup,
      expression: [{ type: "ASIN_SAME_AS", value: asinOf(number) }],
      state: "ENABLED",
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
  {
    kind: "sp.campaign_negative_keywords",
    item: ({ spCampaign }, number) => ({
      campaignId: spCampaign,
      keywordText: keyword(number),
      matchType: "NEGATIVE_PHRASE",
      state: "ENABLED",
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
  {
    kind: "sp.campaign_negative_targets",
    item: ({ spCampaign }, number) => ({
      campaignId: spCampaign,
      expression: [{ type: "ASIN_SAME_AS", value: asinOf(number) }],
      state: "ENABLED",
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
  {
    kind: "sp.product_ads",
    item: ({ spCampaign, spTargetAdGroup }, number) => ({
      campaignId: spCampaign,
      adGroupId: spTargetAdGroup,
      sku: `CONTRACT-${number}`,
      state: "ENABLED",
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
  {
    kind: "sp.ad_extensions",
    item: ({ spTargetAdGroup }, number) => ({
      adGroupId: spTargetAdGroup,
      adExtensionType: "PROMPTS",
      promptText: `Contract question ${number}?`,
      state: "ENABLED",
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
  {
    kind: "portfolios",
    item: (_, number) => ({ name: `Contract portfolio ${number}`, state: "ENABLED" }),
    changes: (
      number,
    ) => [{ name: `Contract portfolio renamed ${number}` }, {
      name: `Contract portfolio renamed again ${number}`,
    }],
    states: ["ENABLED"],
  },
  {
    kind: "sb.campaigns",
    item: (_, number) => ({
      name: `Contract Brands campaign ${number}`,
      state: "ENABLED",
      startDate: "2026-10-01",
      budget: 20,
      budgetType: "DAILY",
    }),
    changes: () => [{ budget: 25 }, { budget: 30 }],
  },
  {
    kind: "sb.ad_groups",
    item: ({ sbCampaign }, number) => ({
      campaignId: sbCampaign,
      name: `Contract Brands ad group ${number}`,
      state: "ENABLED",
    }),
    changes: (number) => [{ name: `Contract Brands ad group renamed ${number}` }, {
      name: `Contract Brands ad group renamed again ${number}`,
    }],
  },
  {
    kind: "sb.ads",
    item: ({ sbAdGroup }, number) => ({
      adGroupId: sbAdGroup,
      name: `Contract Brands ad ${number}`,
      state: "ENABLED",
      creative: {
        brandName: "Fernpfad",
        headline: "Sleep outside",
        asins: [asinOf(1), asinOf(2), asinOf(3)],
        brandLogoAssetID: "asset.logo:version_v1",
        customImages: [{ assetId: "asset.image:version_v1" }],
      },
      landingPage: { pageType: "PRODUCT_LIST", asins: [asinOf(1), asinOf(2), asinOf(3)] },
    }),
    changes: (
      number,
    ) => [{ name: `Contract Brands ad renamed ${number}` }, {
      name: `Contract Brands ad renamed again ${number}`,
    }],
  },
  {
    kind: "sb.ad_extensions",
    item: ({ sbAdGroup }, number) => ({
      adGroupId: sbAdGroup,
      adExtensionType: "PROMPTS",
      promptText: `Contract question ${number}?`,
      state: "ENABLED",
    }),
    changes: () => [{ state: "PAUSED" }, { state: "ENABLED" }],
  },
  {
    kind: "sb.keywords",
    item: ({ sbCampaign, sbAdGroup }, number) => ({
      campaignId: sbCampaign,
      adGroupId: sbAdGroup,
      keywordText: keyword(number),
      matchType: "EXACT",
      bid: 0.5,
    }),
    changes: () => [{ bid: 0.6 }, { bid: 0.7 }],
    states: ["enabled", "paused"],
  },
  {
    kind: "sb.targets",
    item: ({ sbCampaign, sbAdGroup }, number) => ({
      campaignId: sbCampaign,
      adGroupId: sbAdGroup,
      expressions: [{ type: "asinSameAs", value: asinOf(number) }],
      bid: 0.5,
    }),
    changes: () => [{ bid: 0.6 }, { bid: 0.7 }],
    states: ["enabled", "paused"],
  },
  {
    kind: "sb.negative_targets",
    item: ({ sbCampaign, sbAdGroup }, number) => ({
      campaignId: sbCampaign,
      adGroupId: sbAdGroup,
      expressions: [{ type: "asinSameAs", value: asinOf(number) }],
    }),
    changes: () => [{ state: "enabled" }, { state: "enabled" }],
    states: ["enabled"],
  },
  {
    kind: "sb.negative_keywords",
    item: ({ sbCampaign, sbAdGroup }, number) => ({
      campaignId: sbCampaign,
      adGroupId: sbAdGroup,
      keywordText: keyword(number),
      matchType: "negativeExact",
    }),
    changes: () => [{ state: "enabled" }, { state: "enabled" }],
    states: ["enabled"],
  },
  {
    kind: "sd.campaigns",
    item: (_, number) => ({
      name: `Contract Display campaign ${number}`,
      state: "ENABLED",
      startDate: "2026-10-01",
      budget: 20,
      tactic: "T00020",
    }),
    lacking: ["tactic"],
    changes: () => [{ budget: 25 }, { budget: 30 }],
    states: ["enabled", "paused"],
  },
  {
    kind: "sd.ad_groups",
    item: ({ sdCampaign }, number) => ({
      campaignId: sdCampaign,
      name: `Contract Display ad group ${number}`,
      defaultBid: 0.5,
      state: "enabled",
    }),
    changes: () => [{ defaultBid: 0.6 }, { default_bid: 0.7 }],
    states: ["enabled", "paused"],
  },
  {
    kind: "sd.product_ads",
    item: ({ sdCampaign, sdAdGroup }, number) => ({
      campaignId: sdCampaign,
      adGroupId: sdAdGroup,
      sku: `CONTRACT-${number}`,
      state: "enabled",
    }),
    changes: () => [{ state: "paused" }, { state: "enabled" }],
    states: ["enabled", "paused"],
  },
  {
    kind: "sd.targets",
    item: ({ sdCampaign, sdAdGroup }, number) => ({
      campaignId: sdCampaign,
      adGroupId: sdAdGroup,
      expression: [{ type: "asinSameAs", value: asinOf(number) }],
      expressionType: "manual",
      bid: 0.5,
      state: "enabled",
    }),
    changes: () => [{ bid: 0.6 }, { bid: 0.7 }],
    states: ["enabled", "paused"],
  },
  {
    kind: "sd.negative_targets",
    item: ({ sdAdGroup }, number) => ({
      adGroupId: sdAdGroup,
      expression: [{ type: "asinSameAs", value: asinOf(number) }],
      expressionType: "manual",
      state: "enabled",
    }),
    changes: () => [{ state: "paused" }, { state: "enabled" }],
    states: ["enabled", "paused"],
  },
];

/** Makes what the entities of the contract are created in. */
export async function makeParents(client: ProfileClient, wire: "legacy" | "unified"): Promise<Parents> {
  const { sp, sb, sd } = client;
  const [spCampaign] = (await sp.campaigns.create([
    { name: "Contract", state: "ENABLED", targetingType: "MANUAL", startDate: "2026-10-01", budget: 50 },
  ])).ids;
  const [spKeywordAdGroup, spTargetAdGroup] = (await sp.adGroups.create(
    ["keywords", "targets"].map((name) => ({
      campaignId: spCampaign!,
      name,
      defaultBid: 0.4,
      state: "ENABLED",
    })),
  )).ids;
  const [sbCampaign] = (await sb.campaigns.create([
    { name: "Contract", state: "ENABLED", startDate: "2026-10-01", budget: 50, budgetType: "DAILY" },
  ])).ids;
  const [sbAdGroup] = (await sb.adGroups.create([
    { campaignId: sbCampaign!, name: "Contract", state: "ENABLED" },
  ])).ids;
  const [sdCampaign] = (await sd.campaigns.create([
    {
      name: "Contract",
      startDate: "2026-10-01",
      budget: 50,
      ...(wire === "legacy" ? { tactic: "T00020" } : {}),
      state: "enabled",
    },
  ])).ids;
  const [sdAdGroup] = (await sd.adGroups.create([
    { campaignId: sdCampaign!, name: "Contract", defaultBid: 0.4, state: "enabled" },
  ])).ids;
  const { globalCampaign, globalAdGroup } = await createGlobal(sp);
  return {
    spCampaign: spCampaign!,
    spKeywordAdGroup: spKeywordAdGroup!,
    spTargetAdGroup: spTargetAdGroup!,
    sbCampaign: sbCampaign!,
    sbAdGroup: sbAdGroup!,
    sdCampaign: sdCampaign!,
    sdAdGroup: sdAdGroup!,
    globalCampaign,
    globalAdGroup,
  };
}
