import {
  BRANDS_KEYWORDS,
  BRANDS_NEGATIVE_KEYWORDS,
  type BrandsKeywordKind,
} from "../sponsored_brands/keyword_kind.ts";
import {
  BRANDS_NEGATIVE_TARGETS,
  BRANDS_TARGETS,
  type BrandsTargetKind,
} from "../sponsored_brands/targets.ts";
import { isObject, type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import { type Filter, idsIn, termsLike } from "../../entities/filter.ts";
import type { EntityResource } from "../../entities/entity_resource.ts";
import { CAMPAIGN_NEGATIVE_KEYWORDS, KEYWORDS, NEGATIVE_KEYWORDS } from "../sponsored_products/keywords.ts";
import { CAMPAIGN_NEGATIVE_TARGETS, NEGATIVE_TARGETS, TARGETS } from "../sponsored_products/targets.ts";
import { choice, type Fields, FLAG, number, object, optional, required } from "../../entities/shape.ts";
import { refusal } from "../../http/refusal.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { AD_PRODUCT, commonFields, commonFilters, defined, ID, part, STATE, TAGS } from "./common.ts";
import { DISPLAY_NEGATIVE_TARGETS_SOURCE, DISPLAY_TARGETS_SOURCE } from "./display_targets.ts";
import { brandsTargetEngine, keywordEngine, productEngine } from "./engine.ts";
import {
  camelCase,
  fromExpression,
  fromKeyword,
  matchTypeOf,
  snakeCase,
  TARGET_DETAILS,
  toExpression,
} from "./target_details.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";

const BID = optional(object({ bid: optional(number()) }));
const NEW: Fields = {
  adProduct: AD_PRODUCT,
  adGroupId: optional(ID),
  campaignId: optional(ID),
  negative: required(FLAG),
  state: required(STATE),
  targetType: required(choice("KEYWORD", "PRODUCT", "PRODUCT_CATEGORY", "THEME")),
  targetDetails: TARGET_DETAILS,
  bid: BID,
};
const CHANGED: Fields = { targetId: required(ID), state: optional(STATE), bid: BID };
const NAMES = {
  bid: "bid.bid",
  keywordText: "targetDetails.keywordTarget.keyword",
  matchType: "targetDetails.keywordTarget.matchType",
  expression: "targetDetails",
  "expression[0].value": "targetDetails",
  keywordId: "targetId",
};

interface Place {
  readonly isKeyword: boolean;
  readonly negative: boolean;
  readonly level: "AD_GROUP" | "CAMPAIGN";
}

export const UNIFIED_TARGETS: UnifiedKind = {
  entity: "targets",
  singular: "target",
  idField: "targetId",
  filters: {
    ...commonFilters("targetId"),
    campaignIdFilter: idsIn("campaignId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
    negativeFilter: included((target) => target.negative ?? null),
    targetTypeFilter: included((target) => target.targetType ?? null),
    matchTypeFilter: included(matchTypeOf),
    keywordFilter: termsLike(
      (target) => [String(part(target, "targetDetails", "keywordTarget").keyword ?? "")],
      {
        max: 100,
        typeRequired: true,
      },
    ),
    productIdFilter: termsLike(
      (target) => [String(part(target, "targetDetails", "productTarget", "product").productId ?? "")],
      { max: 100, typeRequired: true },
    ),
  },
  sources: [
    products(KEYWORDS, { isKeyword: true, negative: false, level: "AD_GROUP" }),
    products(TARGETS, { isKeyword: false, negative: false, level: "AD_GROUP" }),
    products(NEGATIVE_KEYWORDS, { isKeyword: true, negative: true, level: "AD_GROUP" }),
    products(NEGATIVE_TARGETS, { isKeyword: false, negative: true, level: "AD_GROUP" }),
    products(CAMPAIGN_NEGATIVE_KEYWORDS, { isKeyword: true, negative: true, level: "CAMPAIGN" }),
    products(CAMPAIGN_NEGATIVE_TARGETS, { isKeyword: false, negative: true, level: "CAMPAIGN" }),
    brands(BRANDS_KEYWORDS, false),
    brands(BRANDS_NEGATIVE_KEYWORDS, true),
    brandProducts(BRANDS_TARGETS, false),
    brandProducts(BRANDS_NEGATIVE_TARGETS, true),
    DISPLAY_TARGETS_SOURCE,
    DISPLAY_NEGATIVE_TARGETS_SOURCE,
  ],
};

function products(resource: EntityResource, place: Place): UnifiedSource {
  const { isKeyword, negative, level } = place;
  const idField = isKeyword ? "keywordId" : "targetId";
  return {
    adProduct: "SPONSORED_PRODUCTS",
    collection: resource.kind,
    takes: (item) =>
      (item.targetType === "KEYWORD") === isKeyword && (item.negative === true) === negative &&
      (item.adGroupId === undefined && negative ? "CAMPAIGN" : "AD_GROUP") === level,
    createFields: { ...NEW, tags: TAGS },
    updateFields: { ...CHANGED, tags: TAGS },
    engine: productEngine(resource, NAMES),
    toDraft: (item, profile) => {
      const { adGroupId, state, targetDetails } = item;
      const campaignId = level === "CAMPAIGN" ? item.campaignId : campaignOf(item, profile, "sp");
      const bid = negative ? undefined : part(item, "bid").bid;
      const details = part({ targetDetails }, "targetDetails");
      const aim = isKeyword
        ? keywordDraft(details, (matchType) => negative ? `NEGATIVE_${matchType}` : matchType)
        : { expression: toExpression(details), ...(negative ? {} : { expressionType: typeOf(item) }) };
      return defined({ campaignId, ...(level === "CAMPAIGN" ? {} : { adGroupId }), state, bid, ...aim });
    },
    toPatch: ({ targetId, state, bid }) =>
      defined({ [idField]: targetId, state, bid: negative ? undefined : bidOf(bid) }),
    toUnified: (entity, profile) =>
      unified(entity, { ...place, id: entity[idField], adProduct: "SPONSORED_PRODUCTS" }, profile),
  };
}

function brands(kind: BrandsKeywordKind, negative: boolean): UnifiedSource {
  const spell = (matchType: string) =>
    negative ? `negative${matchType[0]}${matchType.slice(1).toLowerCase()}` : matchType.toLowerCase();
  return {
    adProduct: "SPONSORED_BRANDS",
    collection: kind.collection,
    takes: (item) => (item.negative === true) === negative && item.targetType === "KEYWORD",
    createFields: { ...NEW, adGroupId: required(ID), targetType: required(choice("KEYWORD")) },
    updateFields: CHANGED,
    engine: keywordEngine(kind, NAMES),
    toDraft: (item, profile) =>
      defined({
        campaignId: campaignOf(item, profile, "sb"),
        adGroupId: item.adGroupId,
        state: lower(item.state),
        bid: negative ? undefined : part(item, "bid").bid,
        ...keywordDraft(part(item, "targetDetails"), spell),
      }),
    toPatch: (item, before) =>
      defined({
        keywordId: before.keywordId,
        campaignId: before.campaignId,
        adGroupId: before.adGroupId,
        state: lower(item.state),
        bid: negative ? undefined : bidOf(item.bid),
      }),
    toUnified: (entity, profile) => {
      const place: Place = { isKeyword: true, negative, level: "AD_GROUP" };
      return unified(entity, { ...place, id: entity.keywordId, adProduct: "SPONSORED_BRANDS" }, profile);
    },
  };
}

function brandProducts(kind: BrandsTargetKind, negative: boolean): UnifiedSource {
  const types = ["PRODUCT", "PRODUCT_CATEGORY"];
  return {
    adProduct: "SPONSORED_BRANDS",
    collection: kind.kind,
    takes: (item) => (item.negative === true) === negative && types.includes(String(item.targetType)),
    createFields: { ...NEW, adGroupId: required(ID), targetType: required(choice(...types)) },
    updateFields: CHANGED,
    engine: brandsTargetEngine(kind, NAMES),
    toDraft: (item, profile) =>
      defined({
        campaignId: campaignOf(item, profile, "sb"),
        adGroupId: item.adGroupId,
        state: lower(item.state),
        bid: negative ? undefined : part(item, "bid").bid,
        expressions: toExpression(part(item, "targetDetails")).map(({ type, value }) =>
          defined({ type: camelCase(type), value })
        ),
      }),
    toPatch: (item, before) =>
      defined({
        targetId: before.targetId,
        state: lower(item.state),
        bid: negative ? undefined : part(item, "bid").bid,
      }),
    toUnified: (entity, profile) => {
      const place: Place = { isKeyword: false, negative, level: "AD_GROUP" };
      const expression = (objectsIn(entity.expressions) ?? [])
        .map(({ type, value }) => defined({ type: snakeCase(type), value }));
      const target = { ...entity, expression };
      return unified(target, { ...place, id: entity.targetId, adProduct: "SPONSORED_BRANDS" }, profile);
    },
  };
}

function unified(
  entity: JsonObject,
  place: Place & { id: Json | undefined; adProduct: UnifiedSource["adProduct"] },
  profile: ProfileState,
): JsonObject {
  const bid = typeof entity.bid === "number"
    ? { bid: entity.bid, currencyCode: profile.record.currencyCode }
    : undefined;
  return defined({
    targetId: place.id,
    campaignId: entity.campaignId,
    adGroupId: entity.adGroupId,
    globalTargetId: entity.globalTargetId ?? entity.globalKeywordId,
    negative: place.negative,
    targetLevel: place.level,
    ...(place.isKeyword ? fromKeyword(entity) : fromExpression(entity)),
    bid,
    ...commonFields(entity, { adProduct: place.adProduct, noun: "TARGET" }, profile),
  });
}

function keywordDraft(details: JsonObject, spell: (matchType: string) => string): JsonObject {
  const { keyword, matchType, nativeLanguageKeyword, nativeLanguageLocale } = part(details, "keywordTarget");
  return defined({
    keywordText: keyword,
    matchType: matchType === undefined ? undefined : spell(String(matchType)),
    nativeLanguageKeyword,
    nativeLanguageLocale,
  });
}

function campaignOf(item: JsonObject, profile: ProfileState, family: "sp" | "sb"): Json {
  return profile.collection(`${family}.ad_groups`).get(String(item.adGroupId))?.campaignId ?? "";
}

/** Automatic themes are created by the platform; keyword groups are chosen manually. */
function typeOf({ targetDetails }: JsonObject): string {
  const [part = {}] = toExpression(isObject(targetDetails) ? targetDetails : {});
  return part.value === undefined ? "AUTO" : "MANUAL";
}

/** A `null` bid, or a `null` inside the bid object, restores the ad group's bid. */
function bidOf(bid: Json | undefined): Json | undefined {
  return bid === null ? null : part({ bid }, "bid").bid;
}

function lower(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : String(value).toLowerCase();
}

function included(read: (target: JsonObject) => Json): Filter {
  return (value, name) => {
    const values = isObject(value) ? value.include : undefined;
    if (!Array.isArray(values) || values.length === 0) {
      throw refusal(400, `${name} must have a non-empty list of values`);
    }
    return (target) => values.includes(read(target));
  };
}
