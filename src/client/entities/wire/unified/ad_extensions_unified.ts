import type { Fields, ResourceWire, WireProblem } from "../../model/resource_wire.ts";
import { marketplace, servingStatus, state } from "./forms.ts";
import type { UnifiedField } from "./unified_field.ts";
import type { UnifiedKind } from "./unified_kind.ts";
import { unifiedWire } from "./unified_wire.ts";

const VIDEO = "adExtensionSettings.videoExtension";
const VIDEO_FIELDS = ["videoType", "renderedAssetId", "renderedCoverImageUrl"];

export const spAdExtensionsUnified: ResourceWire = adExtensions("sp", "SPONSORED_PRODUCTS", VIDEO_FIELDS);
export const sbAdExtensionsUnified: ResourceWire = adExtensions("sb", "SPONSORED_BRANDS", []);

function adExtensions(
  family: "sp" | "sb",
  adProduct: UnifiedKind["adProduct"],
  videoFields: readonly string[],
): ResourceWire {
  return unifiedWire({
    adProduct,
    entity: "adExtensions",
    operations: [`v1-${family}-ad-extensions:${family.toUpperCase()}`, "AdExtension"],
    fields: [
      { own: "adExtensionId", wire: "adExtensionId" },
      { own: "campaignId", wire: "campaignId", sent: "implied" },
      { own: "adGroupId", wire: "adGroupId", sent: "create" },
      { own: "adId", wire: "adId", sent: "create" },
      { own: "adExtensionType", wire: "adExtensionType", sent: "create" },
      { own: "promptText", wire: "adExtensionSettings.promptExtension.promptText", sent: "create" },
      ...videoFields.map((own): UnifiedField => ({
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
  });
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
