import { AD_FORMATS } from "../sponsored_brands/ad_formats.ts";
import { adsOfFormat, BRANDS_ADS } from "../sponsored_brands/ads.ts";
import { addVersion } from "../sponsored_brands/creatives.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { choice, object, optional, required, text } from "../../entities/shape.ts";
import { creativeShape, formatOf, fromSettings, toSettings } from "./brand_creatives.ts";
import { AD_PRODUCT, commonFields, defined, ID, part, STATE, TAGS } from "./common.ts";
import { type Engine, productEngine } from "./engine.ts";
import type { UnifiedSource } from "./unified_kind.ts";

const NAMES = { creative: "creative.componentCreative", landingPage: "creative.componentCreative" };

/** Writes by the rules of Sponsored Brands 4, where each format has a create of its own. */
const ENGINE: Engine = {
  ...productEngine(BRANDS_ADS),
  create: ({ format, ...draft }, context) => {
    const wanted = AD_FORMATS.find(({ name }) => name === format)!;
    return productEngine(adsOfFormat(wanted), NAMES).create(draft, context);
  },
  update: ({ creative, landingPage, ...patch }, context) => {
    const outcome = productEngine(BRANDS_ADS).update(patch, context);
    if ("errors" in outcome || !isObject(creative)) return outcome;
    const { entity } = outcome;
    const whole = { ...part(entity, "creative"), ...creative };
    addVersion(landingPage === undefined ? entity : { ...entity, landingPage }, whole, context);
    return { entity: context.profile.collection(BRANDS_ADS.kind).get(String(entity.adId))! };
  },
};

/** Ads of Sponsored Brands in their unified shape: one component creative for every format. */
export const BRAND_ADS_SOURCE: UnifiedSource = {
  adProduct: "SPONSORED_BRANDS",
  collection: "sb.ads",
  createFields: {
    adProduct: AD_PRODUCT,
    adGroupId: required(ID),
    adType: required(choice("COMPONENT")),
    name: required(text()),
    state: required(STATE),
    creative: required(object({ componentCreative: required(creativeShape()) })),
    tags: TAGS,
  },
  updateFields: {
    adId: required(ID),
    name: optional(text()),
    state: optional(STATE),
    creative: optional(object({ componentCreative: required(creativeShape(optional)) })),
    tags: TAGS,
  },
  engine: ENGINE,
  toDraft: ({ adGroupId, name, state, creative }) => {
    const component = part({ creative }, "creative", "componentCreative");
    return {
      ...defined({ adGroupId, name, state }),
      format: formatOf(component),
      ...fromSettings(component),
    };
  },
  toPatch: ({ adId, name, state, creative }) => {
    const component = part({ creative }, "creative", "componentCreative");
    if (Object.keys(component).length === 0) return defined({ adId, name, state });
    const shown = fromSettings(component);
    const { landingPage: inside, ...parts } = part(shown, "creative");
    const page = part({ page: shown.landingPage ?? inside }, "page");
    const landingPage = Object.keys(page).length === 0 ? undefined : page;
    return defined({ adId, name, state, creative: parts, landingPage });
  },
  toUnified: (entity: JsonObject, profile) =>
    defined({
      adId: entity.adId,
      adGroupId: entity.adGroupId,
      campaignId: entity.campaignId,
      name: entity.name,
      adType: "COMPONENT",
      creative: { componentCreative: toSettings(entity) },
      ...commonFields(entity, { adProduct: "SPONSORED_BRANDS", noun: "AD" }, profile),
    }),
};
