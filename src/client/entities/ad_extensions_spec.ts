import { SP_EXTENDED_FIELDS } from "./model/extended_fields.ts";
import { Resource } from "./resource/resource.ts";
import type { Kind } from "./model/resource_spec.ts";
import { marketplace, servingStatus, state } from "./wire/unified/forms.ts";
import type { UnifiedField } from "./wire/unified/unified_field.ts";
import { unifiedWire } from "./wire/unified/unified_wire.ts";
import type { Fields, WireProblem } from "./model/resource_wire.ts";
import type { AdExtension, AdExtensionUpdate, NewAdExtension } from "./ad_extension.ts";

type AdExtensionKind = Kind<Resource<AdExtension, NewAdExtension, AdExtensionUpdate>>;

interface Product {
  readonly family: "sp" | "sb";
  readonly noun: string;
  readonly adProduct: "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS";
  readonly ads: string;
  readonly types: readonly string[];
}

const VIDEO = "adExtensionSettings.videoExtension";
const VIDEO_FIELDS = ["videoType", "renderedAssetId", "renderedCoverImageUrl"];

export const spAdExtensions: AdExtensionKind = {
  ...specOf({
    family: "sp",
    noun: "ad extension",
    adProduct: "SPONSORED_PRODUCTS",
    ads: "sp.product_ads",
    types: ["PROMPTS", "VIDEO"],
  }),
  create: (scope) => new Resource(scope, spAdExtensions),
};

export const sbAdExtensions: AdExtensionKind = {
  ...specOf({
    family: "sb",
    noun: "Brands ad extension",
    adProduct: "SPONSORED_BRANDS",
    ads: "sb.ads",
    types: ["PROMPTS"],
  }),
  create: (scope) => new Resource(scope, sbAdExtensions),
};

function specOf({ family, noun, adProduct, ads, types }: Product): Omit<AdExtensionKind, "create"> {
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
    wire: unifiedWire({
      adProduct,
      entity: "adExtensions",
      operations: [prefix, name],
      fields: [
        { own: "adExtensionId", wire: "adExtensionId" },
        { own: "campaignId", wire: "campaignId", sent: "implied" },
        { own: "adGroupId", wire: "adGroupId", sent: "create" },
        { own: "adId", wire: "adId", sent: "create" },
        { own: "adExtensionType", wire: "adExtensionType", sent: "create" },
        { own: "promptText", wire: "adExtensionSettings.promptExtension.promptText", sent: "create" },
        ...(hasVideos ? VIDEO_FIELDS : []).map((own): UnifiedField => ({
          own,
          wire: `${VIDEO}.${own}`,
          sent: "never",
        })),
        { own: "adExtensionStatus", wire: "adExtensionStatus", sent: "create" },
        { own: "state", wire: "state", form: state("upper") },
      ],
      extendedFields: [
        { own: "extendedData.creationDateTime", wire: "creationDateTime", sent: "never" },
        { own: "extendedData.lastUpdateDateTime", wire: "lastUpdatedDateTime", sent: "never" },
        {
          own: "extendedData.servingStatus",
          wire: "status",
          form: servingStatus("DELIVERING"),
          sent: "never",
        },
      ],
      defaults: marketplace,
      finish: (body) =>
        body["adExtensionType"] === "VIDEO" ? { ...body, adExtensionSettings: { videoExtension: {} } } : body,
      check: promptProblems,
      renamedFilters: {
        adIdFilter: "adIdFilter",
        adExtensionTypeFilter: "adExtensionTypeFilter",
        adExtensionStatusFilter: "adExtensionStatusFilter",
      },
      archivable: false,
      limits: { write: 50, archive: 0, page: 1000, ids: 100, campaignIds: 0, adGroupIds: 100, states: 3 },
    }),
  };
}

/** Checks the text of an ad extension. Videos have no text, because the platform generates it from the product. */
function promptProblems({ adExtensionType, promptText }: Fields, op: "create" | "update"): WireProblem[] {
  if (op !== "create") return [];
  const field = "promptText";
  if (adExtensionType === "PROMPTS" && promptText === undefined) {
    return [{ field, message: "A PROMPTS extension needs promptText, the question" }];
  }
  return adExtensionType === "VIDEO" && promptText !== undefined
    ? [{ field, message: "A VIDEO extension takes no promptText" }]
    : [];
}
