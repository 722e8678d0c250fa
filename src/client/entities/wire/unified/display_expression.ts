import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { Fields } from "../../model/resource_wire.ts";
import { expression } from "./expression_form.ts";
import { NotOnWire, type UnifiedForm } from "./unified_field.ts";

const LOOKBACK: ReadonlySet<string> = new Set(["7", "14", "30", "60", "90", "180", "365"]);
const EVENTS: readonly [type: string, event: string, similar: string][] = [
  ["views", "VIEW", "similarProduct"],
  ["purchases", "PURCHASE", "relatedProduct"],
];

/**
 * A Display expression: one list of predicates in the toolkit, separate types in the unified family, which supports
 * only audiences of products and of segments by id.
 */
export function displayExpression(
  { negative, resolved = false }: { negative: boolean; resolved?: boolean },
): UnifiedForm {
  const products = expression({ negative, family: "display", resolved });
  return {
    toWire: (value, place, op) => {
      if (resolved) return undefined;
      const predicates = Array.isArray(value) ? value.map(fieldsOf) : [];
      return onlyOne(predicates) ?? products.toWire(value, place, op);
    },
    toOwn: (value, place) => {
      const { targetDetails } = fieldsOf(value);
      return ownPredicates(fieldsOf(targetDetails)) ?? products.toOwn(value, place);
    },
  };
}

function onlyOne(predicates: readonly Fields[]): Fields | undefined {
  const own = predicates.find(({ type }) => OWN.has(String(type)));
  if (own === undefined) return undefined;
  const { type, value } = own;
  if (predicates.length > 1) {
    throw new NotOnWire(`The unified family takes ${type} alone, and the expression has more predicates`);
  }
  const parts = Array.isArray(value) ? value.map(fieldsOf) : [];
  switch (type) {
    case "similarProduct":
      return target("PRODUCT", {
        productTarget: { matchType: "PRODUCT_SIMILAR", product: {}, productIdType: "ASIN" },
      });
    case "contentCategorySameAs":
      return target("CONTENT_CATEGORY", { contentCategoryTarget: { contentCategoryId: value } });
    case "audience": {
      const [segment, ...more] = parts;
      if (segment?.["type"] !== "audienceSameAs" || more.length > 0) {
        throw new NotOnWire("The unified family takes one audienceSameAs for each audience");
      }
      return target("AUDIENCE", { audienceTarget: { audienceId: { defaultValue: segment["value"] } } });
    }
    default:
      return target("PRODUCT_AUDIENCE", { productAudienceTarget: productAudience(String(type), parts) });
  }
}

const OWN: ReadonlySet<string> = new Set([
  "similarProduct",
  "contentCategorySameAs",
  "audience",
  ...EVENTS.map(([type]) => type),
]);

function target(targetType: string, targetDetails: Fields): Fields {
  return { targetType, targetDetails };
}

function productAudience(name: string, parts: readonly Fields[]): Fields {
  const [, event, similar] = EVENTS.find(([type]) => type === name)!;
  const known = ["exactProduct", similar, "asinSameAs", "lookback"];
  const other = parts.find(({ type }) => !known.includes(String(type)));
  if (other !== undefined) {
    throw new NotOnWire(
      `The unified family has no ${name} by ${JSON.stringify(other["type"])}: it has audiences of products ` +
        `(${known.join(", ")}), and none of a category`,
    );
  }
  const valueOf = (wanted: string): unknown => parts.find(({ type }) => type === wanted)?.["value"];
  const has = (wanted: string): boolean => parts.some(({ type }) => type === wanted);
  const days = valueOf("lookback");
  if (!LOOKBACK.has(String(days))) {
    throw new NotOnWire(
      `The unified family has no lookback ${JSON.stringify(days)}: it knows ${[...LOOKBACK].join(", ")} days`,
    );
  }
  const ways = [has("exactProduct"), has(similar), has("asinSameAs") && !has(similar)];
  if (ways.filter((one) => one).length !== 1) {
    throw new NotOnWire(
      `The unified family takes one of exactProduct, ${similar} and asinSameAs in ${name}`,
    );
  }
  const asin = valueOf("asinSameAs");
  return {
    event,
    matchType: has(similar) ? "PRODUCT_SIMILAR" : "PRODUCT_EXACT",
    lookback: `DAYS_${days}`,
    asin: asin === undefined ? {} : { defaultValue: asin },
  };
}

function ownPredicates(details: Fields): Fields[] | undefined {
  const { matchType, product } = fieldsOf(details["productTarget"]);
  if (matchType === "PRODUCT_SIMILAR") {
    return fieldsOf(product)["productId"] === undefined ? [{ type: "similarProduct" }] : [{ type: "OTHER" }];
  }
  const { contentCategoryId } = fieldsOf(details["contentCategoryTarget"]);
  if (contentCategoryId !== undefined) return [{ type: "contentCategorySameAs", value: contentCategoryId }];
  const { audienceId } = fieldsOf(details["audienceTarget"]);
  if (audienceId !== undefined) {
    const value = fieldsOf(audienceId)["defaultValue"];
    return [{ type: "audience", value: [{ type: "audienceSameAs", value }] }];
  }
  const audience = details["productAudienceTarget"];
  return audience === undefined ? undefined : [audiencePredicate(fieldsOf(audience))];
}

function audiencePredicate({ event, matchType, lookback, asin }: Fields): Fields {
  const found = EVENTS.find(([, wire]) => wire === event);
  if (found === undefined) return { type: "OTHER" };
  const [type, , similar] = found;
  const value = fieldsOf(asin)["defaultValue"];
  const isSimilar = matchType === "PRODUCT_SIMILAR";
  return {
    type,
    value: [
      ...(isSimilar ? [{ type: similar }] : value === undefined ? [{ type: "exactProduct" }] : []),
      ...(value === undefined ? [] : [{ type: "asinSameAs", value }]),
      { type: "lookback", value: String(lookback).replace("DAYS_", "") },
    ],
  };
}
