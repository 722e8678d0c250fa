import { isObject, type JsonObject } from "../../core/json.ts";
import { createEntities } from "../../entities/write_entities.ts";
import { adGroupOf } from "../../entities/parents.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import type { Draft, EntityResource, RuleContext } from "../../entities/entity_resource.ts";
import { ID, STATUS } from "../sponsored_products/common.ts";
import { type Fields, object, optional, required } from "../../entities/shape.ts";
import type { Route } from "../../routing/route.ts";
import { AD_FORMATS, type AdFormat, LANDING_PAGE } from "./ad_formats.ts";
import {
  BRANDS_LIMITS,
  MAX_IDS,
  NAME,
  NAME_FILTER,
  NAME_TRACKED,
  parentFilter,
  STATE,
  STATE_FILTER,
} from "./common.ts";

const MIN_LISTED = 3;

export const BRANDS_ADS: EntityResource = {
  ...BRANDS_LIMITS,
  kind: "sb.ads",
  path: "/sb/v4/ads",
  mediaType: "application/vnd.sbadresource.v4+json",
  collection: "ads",
  resultIdField: "adId",
  echoField: "ad",
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsAds",
    update: "sponsored-brands-v4:UpdateSponsoredBrandsAds",
    archive: "sponsored-brands-v4:DeleteSponsoredBrandsAds",
  },
  entityType: "AD",
  idFilter: { name: "adIdFilter", max: MAX_IDS },
  filters: {
    stateFilter: STATE_FILTER,
    nameFilter: NAME_FILTER,
    campaignIdFilter: parentFilter("campaignId"),
    adGroupIdFilter: parentFilter("adGroupId"),
  },
  parents: ["adGroup"],
  createFields: {},
  updateFields: { adId: required(ID), name: optional(NAME), state: optional(STATE) },
  history: { entityType: "AD", tracked: [STATUS, NAME_TRACKED] },
};

export function adsOfFormat(format: AdFormat): EntityResource {
  return {
    ...BRANDS_ADS,
    createFields: fieldsOf(format),
    complete: (item, context) => complete(format, item, context),
    rules: checkLandingPage,
  };
}

export const AD_FORMAT_ROUTES: readonly Route[] = AD_FORMATS.map((format) => {
  const resource = adsOfFormat(format);
  return {
    operation: format.operation,
    method: "POST",
    path: `${BRANDS_ADS.path}/${format.name}`,
    requestTypes: [BRANDS_ADS.mediaType],
    responseTypes: [BRANDS_ADS.mediaType],
    typedErrors: true,
    handle: (context) => createEntities(resource, context),
  };
});

function fieldsOf(format: AdFormat): Fields {
  return {
    adGroupId: required(ID),
    name: required(NAME),
    state: required(STATE),
    creative: required(object(format.creative)),
    ...(format.landingPage === "ad" ? { landingPage: LANDING_PAGE } : {}),
  };
}

/** A product list needs at least three products. */
function checkLandingPage({ after: { landingPage } }: Draft): ItemError[] {
  if (!isObject(landingPage) || landingPage.pageType !== "PRODUCT_LIST" || landingPage.url !== undefined) {
    return [];
  }
  const count = Array.isArray(landingPage.asins) ? landingPage.asins.length : 0;
  if (count >= MIN_LISTED) return [];
  const options = { trigger: count, details: { lowerLimit: String(MIN_LISTED) } };
  const message = `A list of products needs at least ${MIN_LISTED} of them`;
  return [itemError(["rangeError", "TOO_LOW"], "landingPage.asins", message, options)];
}

function complete(format: AdFormat, item: JsonObject, { profile }: RuleContext): JsonObject {
  const { landingPage: nested, ...creative } = item.creative as JsonObject;
  const landingPage = item.landingPage ?? nested ?? { pageType: "DETAIL_PAGE" };
  return {
    campaignId: adGroupOf(item, profile, "sb")!.campaignId!,
    creative: {
      ...creative,
      type: format.creativeType,
      creativeStatus: "SUBMITTED_FOR_MODERATION",
      creativeVersion: "1",
    },
    landingPage,
  };
}
