import type { JsonObject } from "../../core/json.ts";
import type { Draft, EntityRules, RuleContext } from "../../entities/entity_resource.ts";
import { idsIn, valuesIn } from "../../entities/filter.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import { choice, type Fields, list, object, optional, required, text } from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { AD_PRODUCT, commonFields, commonFilters, defined, ID, part, STATE } from "./common.ts";
import { type Engine, productEngine } from "./engine.ts";
import type { AdProduct, UnifiedKind, UnifiedSource } from "./unified_kind.ts";

interface Product {
  readonly adProduct: AdProduct;
  readonly family: "sp" | "sb";
  readonly ads: string;
  readonly types: readonly string[];
  readonly hasStatus: boolean;
}

const PROMPT = "adExtensionSettings.promptExtension.promptText";
const SETTINGS: Readonly<Record<string, string>> = { PROMPTS: "promptExtension", VIDEO: "videoExtension" };
const STATUSES = ["OPTED_OUT"];

/** Only exist in the unified family; they can be paused but not archived. */
export const UNIFIED_AD_EXTENSIONS: UnifiedKind = {
  entity: "adExtensions",
  singular: "adExtension",
  idField: "adExtensionId",
  archivable: false,
  ofAnyProduct: true,
  filters: {
    ...commonFilters("adExtensionId"),
    adIdFilter: idsIn("adId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
    adExtensionTypeFilter: valuesIn("adExtensionType", 1, Object.keys(SETTINGS)),
    adExtensionStatusFilter: valuesIn("adExtensionStatus", 1, STATUSES),
  },
  sources: [
    source({
      adProduct: "SPONSORED_PRODUCTS",
      family: "sp",
      ads: "sp.product_ads",
      types: ["PROMPTS", "VIDEO"],
      hasStatus: true,
    }),
    source({
      adProduct: "SPONSORED_BRANDS",
      family: "sb",
      ads: "sb.ads",
      types: ["PROMPTS"],
      hasStatus: false,
    }),
  ],
};

function source(product: Product): UnifiedSource {
  const { adProduct, family, types } = product;
  const settings: Fields = {
    promptExtension: optional(object({ promptText: required(text()) })),
    ...(types.includes("VIDEO") ? { videoExtension: optional(object({})) } : {}),
  };
  return {
    adProduct,
    collection: `${family}.ad_extensions`,
    createFields: {
      adProduct: AD_PRODUCT,
      adGroupId: optional(ID),
      adId: optional(ID),
      adExtensionType: required(choice(...types)),
      adExtensionSettings: required(object(settings)),
      adExtensionStatus: optional(choice(...STATUSES)),
      marketplaceScope: required(choice("SINGLE_MARKETPLACE")),
      marketplaces: required(list(text(), 1)),
      state: required(STATE),
    },
    updateFields: { adExtensionId: required(ID), state: optional(STATE) },
    engine: engineOf(product),
    toDraft: (item, profile) => draftOf(item, product, profile),
    toPatch: ({ adExtensionId, state }) => defined({ adExtensionId, state }),
    toUnified: (entity, profile) => unifiedExtension(entity, product, profile),
  };
}

function engineOf(product: Product): Engine {
  const engine = productEngine(rulesOf(product), { promptText: PROMPT });
  return {
    ...engine,
    create: ({ settings, ...draft }, context) => {
      const wanted = SETTINGS[String(draft.adExtensionType)]!;
      if (String(settings) === wanted) return engine.create(draft, context);
      const message = `adExtensionSettings must hold ${wanted} and nothing else`;
      return { errors: [{ code: "FIELD_VALUE_MISMATCH", message, field: "adExtensionSettings" }] };
    },
  };
}

function rulesOf(product: Product): EntityRules {
  return {
    kind: `${product.family}.ad_extensions`,
    entityType: "AD_EXTENSION",
    parents: ["adGroup"],
    createFields: {
      campaignId: optional(ID),
      adGroupId: required(ID),
      adId: optional(ID),
      adExtensionType: required(choice(...product.types)),
      promptText: optional(text()),
      videoType: optional(text()),
      adExtensionStatus: optional(choice(...STATUSES)),
      state: required(STATE),
    },
    updateFields: { adExtensionId: required(ID), state: optional(STATE) },
    rules: (draft, context) => adProblems(draft, product, context),
  };
}

/** The ad group defaults to that of the ad. */
function draftOf(item: JsonObject, { family, ads }: Product, profile: ProfileState): JsonObject {
  const { adId, adExtensionType, adExtensionStatus, state, adExtensionSettings } = item;
  const ad = profile.collection(ads).get(String(adId));
  const adGroupId = item.adGroupId ?? ad?.adGroupId;
  return defined({
    campaignId: profile.collection(`${family}.ad_groups`).get(String(adGroupId))?.campaignId,
    adGroupId,
    adId,
    adExtensionType,
    promptText: part({ adExtensionSettings }, "adExtensionSettings", "promptExtension").promptText,
    videoType: adExtensionType === "VIDEO" ? "SPOTLIGHT" : undefined,
    adExtensionStatus,
    state,
    settings: Object.keys(part({ adExtensionSettings }, "adExtensionSettings")),
  });
}

function adProblems({ before, after }: Draft, { ads }: Product, { profile }: RuleContext): ItemError[] {
  const { adId, adGroupId } = after;
  if (adId === undefined) return [];
  const ad = profile.collection(ads).get(String(adId));
  const [reason, message] = ad === undefined
    ? ["PARENT_ENTITY_NOT_FOUND", "Ad not found"]
    : ad.adGroupId !== adGroupId
    ? ["PARENT_ENTITY_MISMATCH", "The ad is not in the ad group"]
    : ad.state === "ARCHIVED"
    ? [
      before === undefined ? "PARENT_ENTITY_ARCHIVED" : "PARENT_ARCHIVED_FORBIDS_UPDATES",
      "The ad is archived",
    ]
    : [];
  if (reason === undefined) return [];
  return [itemError(["parentEntityError", reason], "adId", message!, { trigger: adId })];
}

function unifiedExtension(entity: JsonObject, product: Product, profile: ProfileState): JsonObject {
  const { adExtensionId, adGroupId, adId, adExtensionType, adExtensionStatus, promptText } = entity;
  const { videoType, renderedAssetId, renderedCoverImageUrl } = entity;
  const { status, ...common } = commonFields(entity, { ...product, noun: "AD_EXTENSION" }, profile);
  return defined({
    adExtensionId,
    adGroupId,
    adId,
    adExtensionType,
    adExtensionStatus,
    adExtensionSettings: adExtensionType === "VIDEO"
      ? { videoExtension: defined({ videoType, renderedAssetId, renderedCoverImageUrl }) }
      : { promptExtension: { promptText } },
    ...common,
    status: product.hasStatus ? status : undefined,
  });
}
