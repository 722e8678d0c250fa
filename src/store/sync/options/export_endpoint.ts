import { PROFILE_KINDS, type ResourceKind } from "../../../client/entities/kinds.ts";

/** Fields by their names in the common model; lists have other names. */
export type ExportRow = Readonly<Record<string, unknown>>;

/** One of the platform's four exports. */
export interface ExportEndpoint {
  /** Name in the ledger and in progress. */
  readonly name: "campaigns_export" | "ad_groups_export" | "ads_export" | "targets_export";
  /** Name of the operation that requests it. */
  readonly operation: string;
  readonly path: string;
  readonly mediaType: string;
  readonly idField: string;
  /** Kinds that it holds completely. */
  readonly kinds: readonly ResourceKind[];
  /** Kind of a row; `undefined` if it is not stored, such as themes of Sponsored Brands. */
  readonly kindOf: (row: ExportRow) => ResourceKind | undefined;
}

const FAMILIES: Readonly<Record<string, string>> = {
  SPONSORED_PRODUCTS: "sp",
  SPONSORED_BRANDS: "sb",
  SPONSORED_DISPLAY: "sd",
};

/** Ad products with exports. */
export const EXPORTED_PRODUCTS: readonly string[] = Object.keys(FAMILIES);

/** All exports; portfolios have none. */
export const EXPORT_ENDPOINTS: readonly ExportEndpoint[] = [
  endpoint("campaigns", {
    name: "campaigns_export",
    operation: "CampaignExport",
    idField: "campaignId",
    own: /\.campaigns$/,
    nameOf: () => "campaigns",
  }),
  endpoint("adGroups", {
    name: "ad_groups_export",
    operation: "AdGroupExport",
    idField: "adGroupId",
    own: /\.ad_groups$/,
    nameOf: () => "ad_groups",
  }),
  endpoint("ads", {
    name: "ads_export",
    operation: "AdExport",
    idField: "adId",
    own: /\.(?:product_)?ads$/,
    nameOf: (_, family) => family === "sb" ? "ads" : "product_ads",
  }),
  endpoint("targets", {
    name: "targets_export",
    operation: "TargetExport",
    idField: "targetId",
    own: /\.(?:campaign_)?(?:negative_)?(?:keywords|targets)$/,
    nameOf: targetName,
  }),
];

function endpoint(
  entity: string,
  { name, operation, idField, own, nameOf }: Pick<ExportEndpoint, "name" | "operation" | "idField"> & {
    own: RegExp;
    nameOf: (row: ExportRow, family: string | undefined) => string;
  },
): ExportEndpoint {
  const kinds = PROFILE_KINDS.filter((kind) => own.test(kind));
  return {
    name,
    operation,
    path: `/${entity}/export`,
    mediaType: `application/vnd.${entity.toLowerCase()}export.v1+json`,
    idField,
    kinds,
    kindOf: (row) => {
      const family = FAMILIES[String(row["adProduct"])];
      const named = `${family}.${nameOf(row, family)}`;
      return kinds.find((kind) => kind === named);
    },
  };
}

/** Kind of a target without its family: one file holds keywords, products and negatives of both levels. */
function targetName(row: ExportRow, family: string | undefined): string {
  const { targetType, negative, targetLevel, adGroupId } = row;
  // Automatic targets of Sponsored Brands are themes, which have lists of their own.
  if (family === "sb" && (targetType === "AUTO" || targetType === "THEME")) return "themes";
  const isOfCampaign = targetLevel === undefined
    ? negative === true && (adGroupId === undefined || adGroupId === null)
    : targetLevel === "CAMPAIGN";
  return `${isOfCampaign ? "campaign_" : ""}${negative === true ? "negative_" : ""}${
    targetType === "KEYWORD" ? "keywords" : "targets"
  }`;
}
