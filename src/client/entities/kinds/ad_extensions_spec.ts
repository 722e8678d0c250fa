import { type Kind, SP_EXTENDED_FIELDS } from "../model/resource_spec.ts";
import { Resource } from "../resource/resource.ts";
import { lateUnified } from "../wire/late_wire.ts";
import type { AdExtension, AdExtensionUpdate, NewAdExtension } from "../model/ad_extension.ts";

type AdExtensionKind = Kind<Resource<AdExtension, NewAdExtension, AdExtensionUpdate>>;

interface Product {
  readonly family: "sp" | "sb";
  readonly noun: string;
  readonly ads: string;
  readonly types: readonly string[];
}

const VIDEO_FIELDS = ["videoType", "renderedAssetId", "renderedCoverImageUrl"];

export const spAdExtensions: AdExtensionKind = {
  ...specOf({
    family: "sp",
    noun: "ad extension",
    ads: "sp.product_ads",
    types: ["PROMPTS", "VIDEO"],
  }),
  create: (scope) => new Resource(scope, spAdExtensions),
};

export const sbAdExtensions: AdExtensionKind = {
  ...specOf({
    family: "sb",
    noun: "Brands ad extension",
    ads: "sb.ads",
    types: ["PROMPTS"],
  }),
  create: (scope) => new Resource(scope, sbAdExtensions),
};

function specOf({ family, noun, ads, types }: Product): Omit<AdExtensionKind, "create"> {
  const [prefix, name] = [`v1-${family}-ad-extensions:${family.toUpperCase()}`, "AdExtension"] as const;
  const hasVideos = types.includes("VIDEO");
  return {
    kind: `${family}.ad_extensions`,
    noun,
    plural: `${noun}s`,
    idField: "adExtensionId",
    idFields: ["adExtensionId", "adId", "adGroupId", "campaignId"],
    repeatable: true,
    updatable: ["state"],
    numeric: [],
    defaultStates: ["ENABLED", "PAUSED"],
    stateCase: "upper",
    settableStates: ["ENABLED", "PAUSED"],
    filters: ["campaignIds", "adGroupIds", "extended"],
    label: ({ adExtensionType, promptText }) => String(promptText ?? adExtensionType ?? ""),
    required: ["adGroupId", "adExtensionType", "state"],
    choices: { adExtensionType: types, adExtensionStatus: ["OPTED_OUT"] },
    parents: { campaignId: `${family}.campaigns`, adGroupId: `${family}.ad_groups`, adId: ads },
    columns: ["adExtensionId", "adExtensionType", "promptText", "state", "adId", "adGroupId"],
    moreFields: ["campaignId", "adExtensionStatus", ...(hasVideos ? VIDEO_FIELDS : [])],
    extendedFields: hasVideos
      ? SP_EXTENDED_FIELDS
      : SP_EXTENDED_FIELDS.filter((field) => !field.endsWith("Status")),
    operations: {
      list: `${prefix}Query${name}`,
      create: `${prefix}Create${name}`,
      update: `${prefix}Update${name}`,
    },
    wire: lateUnified(
      () => import("../wire/unified/ad_extensions_unified.ts"),
      family === "sp" ? "spAdExtensionsUnified" : "sbAdExtensionsUnified",
      { archivable: false },
    ),
  };
}
