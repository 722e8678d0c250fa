import { type JsonObject, objectsIn } from "../../core/json.ts";
import { choice, type Fields, FLAG, number, object, optional, required, text } from "../../entities/shape.ts";
import type { FlatResource } from "../../entities/flat_resource.ts";
import { DISPLAY_NEGATIVE_TARGETS, DISPLAY_TARGETS } from "../sponsored_display/targets.ts";
import { AD_PRODUCT, back, commonFields, defined, ID, part, STATE } from "./common.ts";
import { lower } from "./display.ts";
import { displayEngine } from "./engine.ts";
import {
  camelCase,
  fromExpression,
  isRefinement,
  refinementShape,
  snakeCase,
  toExpression,
} from "./target_details.ts";
import type { UnifiedSource } from "./unified_kind.ts";

type Names = Readonly<Record<string, string>>;

const EVENTS: Names = { VIEW: "views", PURCHASE: "purchases" };
const LOOKBACK = ["DAYS_7", "DAYS_14", "DAYS_30", "DAYS_60", "DAYS_90", "DAYS_180", "DAYS_365"];
const LACKS = ["productGenreId"];

const VALUE = object({ defaultValue: optional(text()) });
const DETAILS = object({
  productTarget: optional(object({
    matchType: required(choice("PRODUCT_EXACT", "PRODUCT_SIMILAR")),
    product: required(object({ productId: optional(text()) })),
    productIdType: required(choice("ASIN")),
  })),
  productCategoryTarget: optional(object({
    productCategoryRefinement: required(
      object({ productCategoryRefinement: required(refinementShape(LACKS)) }),
    ),
  })),
  contentCategoryTarget: optional(object({ contentCategoryId: required(text()) })),
  audienceTarget: optional(object({ audienceId: required(VALUE) })),
  productAudienceTarget: optional(object({
    asin: required(VALUE),
    event: required(choice(...Object.keys(EVENTS))),
    lookback: required(choice(...LOOKBACK)),
    matchType: required(choice("PRODUCT_EXACT", "PRODUCT_SIMILAR")),
  })),
});
const TYPES = ["AUDIENCE", "CONTENT_CATEGORY", "PRODUCT", "PRODUCT_AUDIENCE", "PRODUCT_CATEGORY"];

function source(resource: FlatResource, negative: boolean): UnifiedSource {
  const bid: Fields = negative ? {} : { bid: optional(object({ bid: optional(number()) })) };
  return {
    adProduct: "SPONSORED_DISPLAY",
    collection: resource.kind,
    takes: (item) => (item.negative === true) === negative && TYPES.includes(String(item.targetType)),
    shows: (entity) => detailsOf(entity) !== undefined,
    createFields: {
      ...bid,
      adProduct: AD_PRODUCT,
      adGroupId: required(ID),
      negative: required(FLAG),
      state: required(STATE),
      targetType: required(choice(...TYPES)),
      targetDetails: required(DETAILS),
    },
    updateFields: { ...bid, targetId: required(ID), state: optional(STATE) },
    engine: displayEngine(resource, { bid: "bid.bid", expression: "targetDetails" }),
    toDraft: (item) =>
      defined({
        adGroupId: item.adGroupId,
        state: lower(item.state),
        bid: part(item, "bid").bid,
        expressionType: "manual",
        expression: expressionOf(part(item, "targetDetails")),
      }),
    toPatch: (item) =>
      defined({ targetId: item.targetId, state: lower(item.state), bid: part(item, "bid").bid }),
    toUnified: (entity, profile) =>
      defined({
        targetId: entity.targetId,
        campaignId: entity.campaignId,
        adGroupId: entity.adGroupId,
        negative,
        targetLevel: "AD_GROUP",
        ...detailsOf(entity),
        bid: entity.bid === undefined
          ? undefined
          : { bid: entity.bid, currencyCode: profile.record.currencyCode },
        ...commonFields(entity, { adProduct: "SPONSORED_DISPLAY", noun: "TARGET" }, profile),
      }),
  };
}

export const DISPLAY_TARGETS_SOURCE: UnifiedSource = source(DISPLAY_TARGETS, false);
export const DISPLAY_NEGATIVE_TARGETS_SOURCE: UnifiedSource = source(DISPLAY_NEGATIVE_TARGETS, true);

/** Converts a target's expression to details; `undefined` if the unified family cannot express it. */
function detailsOf(
  { expression }: JsonObject,
): { targetType: string; targetDetails: JsonObject } | undefined {
  const parts = objectsIn(expression) ?? [];
  const [{ type, value } = {}] = parts;
  switch (type) {
    case "asinSameAs":
      return product("PRODUCT_EXACT", { productId: value });
    case "similarProduct":
      return product("PRODUCT_SIMILAR", {});
    case "contentCategorySameAs":
      return details("CONTENT_CATEGORY", { contentCategoryTarget: { contentCategoryId: value } });
    case "audience": {
      const [{ value: id } = {}] = objectsIn(value) ?? [];
      return details("AUDIENCE", { audienceTarget: { audienceId: defined({ defaultValue: id }) } });
    }
    case "views":
    case "purchases":
      return audience(String(type), objectsIn(value) ?? []);
    default: {
      const words = parts.map((one) => ({ ...one, type: snakeCase(one.type) }));
      if (!words.every((one) => isRefinement(one.type) && one.type !== "ASIN_GENRE_SAME_AS")) {
        return undefined;
      }
      return fromExpression({ expression: words });
    }
  }
}

function details(targetType: string, targetDetails: JsonObject) {
  return { targetType, targetDetails };
}

function product(matchType: string, one: JsonObject) {
  return details("PRODUCT", {
    productTarget: { matchType, product: one, productIdType: "ASIN" },
  });
}

/** Converts an audience of products; the unified family has no category audiences. */
function audience(type: string, parts: readonly JsonObject[]) {
  const valueOf = (name: string) => parts.find((one) => one.type === name)?.value;
  const known = ["exactProduct", "relatedProduct", "similarProduct", "asinSameAs", "lookback"];
  if (parts.some((one) => !known.includes(String(one.type)))) return undefined;
  const isSimilar = parts.some((one) => one.type === "relatedProduct" || one.type === "similarProduct");
  return details("PRODUCT_AUDIENCE", {
    productAudienceTarget: {
      event: back(EVENTS, type),
      matchType: isSimilar ? "PRODUCT_SIMILAR" : "PRODUCT_EXACT",
      lookback: `DAYS_${valueOf("lookback") ?? 30}`,
      asin: defined({ defaultValue: valueOf("asinSameAs") }),
    },
  });
}

function expressionOf(target: JsonObject): JsonObject[] {
  const { matchType, product: one } = part(target, "productTarget");
  if (matchType === "PRODUCT_SIMILAR") return [{ type: "similarProduct" }];
  if (matchType !== undefined) return [{ type: "asinSameAs", value: part({ one }, "one").productId! }];
  const { contentCategoryId } = part(target, "contentCategoryTarget");
  if (contentCategoryId !== undefined) return [{ type: "contentCategorySameAs", value: contentCategoryId }];
  const { defaultValue } = part(target, "audienceTarget", "audienceId");
  if (defaultValue !== undefined) {
    return [{ type: "audience", value: [{ type: "audienceSameAs", value: defaultValue }] }];
  }
  const people = part(target, "productAudienceTarget");
  if (people.event !== undefined) return [audiencePredicate(people)];
  return toExpression(target).map((one) => ({ ...one, type: camelCase(one.type) }));
}

function audiencePredicate({ event, matchType, lookback, asin }: JsonObject): JsonObject {
  const { defaultValue } = part({ asin }, "asin");
  const similar = event === "VIEW" ? "similarProduct" : "relatedProduct";
  return {
    type: EVENTS[String(event)]!,
    value: [
      ...(matchType === "PRODUCT_SIMILAR"
        ? [{ type: similar }]
        : defaultValue === undefined
        ? [{ type: "exactProduct" }]
        : []),
      ...(defaultValue === undefined ? [] : [{ type: "asinSameAs", value: defaultValue }]),
      { type: "lookback", value: String(lookback).replace("DAYS_", "") },
    ],
  };
}
