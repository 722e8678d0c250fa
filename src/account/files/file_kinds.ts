import { fieldsOf } from "../../base/json/fields_of.ts";
import { withoutComputed } from "../../client/entities/model/check_items.ts";
import { asExtendedCollection } from "../../client/entities/model/sb_ads.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { EXPRESSION_FIELDS } from "../../client/entities/model/identity.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";

const FORMATS: Readonly<Record<string, string>> = {
  PRODUCT_COLLECTION: "productCollectionExtended",
  STORE_SPOTLIGHT: "storeSpotlight",
  VIDEO: "video",
  BRAND_VIDEO: "brandVideo",
  AUTO_COLLECTION: "autoCollection",
  MANUAL_COLLECTION: "manualCollection",
};

/** Omits a video's landing page, which follows from its product. */
function creativeForFile(ad: Fields): Fields {
  const { creative, landingPage, ...rest } = ad;
  if (typeof creative !== "object" || creative === null) return ad;
  const parts = fieldsOf(creative);
  const adFormat = FORMATS[String(parts["type"])];
  return {
    ...rest,
    ...(adFormat === undefined ? {} : { adFormat }),
    ...(landingPage === undefined || adFormat === "video" ? {} : { landingPage }),
    creative: adFormat === "productCollectionExtended" ? asExtendedCollection(parts) : parts,
  };
}

function copyForFile(campaign: Fields): Fields {
  const { name, globalCampaignId } = campaign;
  return globalCampaignId === undefined ? campaign : { name, globalCampaignId };
}

export type FileFieldType =
  | "text"
  | "amount"
  | "budget"
  | "state"
  | "day"
  | "object"
  | "list"
  | "marketplaces";

export interface FileKind {
  readonly kind: ResourceKind;
  /** Name of the list in the file; `undefined` for campaigns, which have one file each. */
  readonly list?: string;
  readonly fields: Readonly<Record<string, FileFieldType>>;
  readonly children: readonly FileKind[];
  readonly isLine: boolean;
  readonly toFile?: (entity: Fields) => Fields;
}

export const CAMPAIGN_KINDS: Readonly<Record<string, FileKind>> = {
  sp: {
    kind: "sp.campaigns",
    isLine: false,
    fields: {
      name: "text",
      state: "state",
      targetingType: "text",
      startDate: "day",
      endDate: "day",
      budget: "budget",
      dynamicBidding: "object",
      siteRestrictions: "list",
      offPlatformSettings: "object",
      tags: "object",
      globalCampaignId: "text",
    },
    toFile: copyForFile,
    children: [
      keywordKind("sp.campaign_negative_keywords", "negative_keywords"),
      targetKind("sp.campaign_negative_targets", "negative_targets"),
      {
        kind: "sp.ad_groups",
        list: "ad_groups",
        isLine: false,
        fields: { name: "text", state: "state", defaultBid: "amount", tags: "object" },
        children: [
          {
            kind: "sp.product_ads",
            list: "product_ads",
            isLine: true,
            fields: {
              asin: "text",
              sku: "text",
              state: "state",
              customText: "text",
              globalStoreSetting: "object",
              tags: "object",
            },
            children: [],
          },
          keywordKind("sp.keywords", "keywords"),
          targetKind("sp.targets", "targets"),
          keywordKind("sp.negative_keywords", "negative_keywords"),
          targetKind("sp.negative_targets", "negative_targets"),
        ],
      },
    ],
  },
  sp_global: {
    kind: "sp.global_campaigns",
    isLine: false,
    fields: {
      name: "text",
      state: "state",
      targetingType: "text",
      startDate: "day",
      endDate: "day",
      marketplaces: "marketplaces",
      dynamicBidding: "object",
      siteRestrictions: "list",
      tags: "object",
    },
    children: [],
  },
  sb: {
    kind: "sb.campaigns",
    isLine: false,
    fields: {
      name: "text",
      state: "state",
      startDate: "day",
      endDate: "day",
      budget: "amount",
      budgetType: "text",
      goal: "text",
      costType: "text",
      brandEntityId: "text",
      productLocation: "text",
      bidding: "object",
      siteRestrictions: "list",
      smartDefault: "list",
      tags: "object",
    },
    children: [{
      kind: "sb.ad_groups",
      list: "ad_groups",
      isLine: false,
      fields: { name: "text", state: "state", tags: "object" },
      children: [
        {
          kind: "sb.ads",
          list: "ads",
          isLine: false,
          fields: {
            name: "text",
            state: "state",
            adFormat: "text",
            landingPage: "object",
            creative: "object",
            tags: "object",
          },
          children: [],
          toFile: creativeForFile,
        },
        keywordKind("sb.keywords", "keywords"),
        targetKind("sb.targets", "targets"),
        keywordKind("sb.negative_keywords", "negative_keywords"),
        targetKind("sb.negative_targets", "negative_targets"),
      ],
    }],
  },
  sd: {
    kind: "sd.campaigns",
    isLine: false,
    fields: {
      name: "text",
      state: "state",
      tactic: "text",
      costType: "text",
      startDate: "day",
      endDate: "day",
      budget: "amount",
      tags: "object",
    },
    toFile: withHyphens,
    children: [{
      kind: "sd.ad_groups",
      list: "ad_groups",
      isLine: false,
      fields: {
        name: "text",
        state: "state",
        defaultBid: "amount",
        bidOptimization: "text",
        creativeType: "text",
      },
      children: [
        {
          kind: "sd.product_ads",
          list: "product_ads",
          isLine: true,
          fields: {
            asin: "text",
            sku: "text",
            state: "state",
            adName: "text",
            landingPageType: "text",
            landingPageURL: "text",
          },
          children: [],
        },
        targetKind("sd.targets", "targets"),
        targetKind("sd.negative_targets", "negative_targets"),
      ],
    }],
  },
};

export const PORTFOLIO_KIND: FileKind = {
  kind: "portfolios",
  list: "portfolios",
  isLine: false,
  fields: { name: "text", state: "state", budget: "object", budgetControls: "object" },
  children: [],
  toFile: ({ budget, ...rest }) => {
    if (typeof budget !== "object" || budget === null) return rest;
    // Every amount of a profile is in its one currency.
    const { currencyCode: _, ...own } = budget as Fields;
    return { ...rest, budget: own };
  },
};

export const FILE_KINDS: readonly FileKind[] = [
  PORTFOLIO_KIND,
  ...Object.values(CAMPAIGN_KINDS).flatMap(withChildren),
];

export function specOf({ kind }: Pick<FileKind, "kind">): ResourceSpec {
  return KINDS[kind];
}

export const PORTFOLIO_KEY = "portfolio";

export function hasPortfolio(kind: FileKind): boolean {
  return specOf(kind).updatable.includes("portfolioId");
}

function withChildren(kind: FileKind): FileKind[] {
  return [kind, ...kind.children.flatMap(withChildren)];
}

function keywordKind(kind: ResourceKind, list: string): FileKind {
  const isPositive = !kind.includes("negative");
  return {
    kind,
    list,
    isLine: true,
    fields: {
      keywordText: "text",
      matchType: "text",
      state: "state",
      ...changeable(kind, { bid: "amount" }),
      ...(isPositive ? { nativeLanguageKeyword: "text", nativeLanguageLocale: "text" } as const : {}),
      ...changeable(kind, { tags: "object" }),
    },
    children: [],
  };
}

function targetKind(kind: ResourceKind, list: string): FileKind {
  const { required }: ResourceSpec = KINDS[kind];
  const expression = EXPRESSION_FIELDS.find((field) => required.includes(field)) ?? "expression";
  return {
    kind,
    list,
    isLine: true,
    fields: {
      [expression]: "list",
      ...(required.includes("expressionType") ? { expressionType: "text" } as const : {}),
      state: "state",
      ...changeable(kind, { bid: "amount", tags: "object" }),
    },
    children: [],
  };
}

function changeable(
  kind: ResourceKind,
  fields: Readonly<Record<string, FileFieldType>>,
): Readonly<Record<string, FileFieldType>> {
  const { updatable }: ResourceSpec = KINDS[kind];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => updatable.includes(name)));
}

/** Adds hyphens to the dates of a Display campaign, because the platform omits them. */
function withHyphens(campaign: Fields): Fields {
  const days = ["startDate", "endDate"].flatMap((field) => {
    const day = campaign[field];
    return typeof day === "string" ? [[field, day.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")]] : [];
  });
  return { ...campaign, ...Object.fromEntries(days) };
}

export function entityInFile(kind: FileKind, entity: Fields): Fields {
  return withoutComputed(specOf(kind), kind.toFile?.(entity) ?? entity);
}
