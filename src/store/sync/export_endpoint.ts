import { PROFILE_KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";

export type ExportRow = Readonly<Record<string, unknown>>;

export interface ExportEndpoint {
  readonly name: "campaigns_export" | "ad_groups_export" | "ads_export" | "targets_export";
  /** Name of the operation that requests the export. */
  readonly operation: string;
  readonly path: string;
  readonly mediaType: string;
  readonly idField: string;
  readonly kinds: readonly ResourceKind[];
  readonly kindOf: (row: ExportRow) => ResourceKind | undefined;
}

const FAMILIES: Readonly<Record<string, string>> = {
  SPONSORED_PRODUCTS: "sp",
  SPONSORED_BRANDS: "sb",
  SPONSORED_DISPLAY: "sd",
};

export const EXPORTED_PRODUCTS: readonly string[] = Object.keys(FAMILIES);

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
