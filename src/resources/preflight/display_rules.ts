import type { Fields } from "../wire/resource_wire.ts";
import { campaignOf } from "./campaign_of.ts";
import type { PreflightRule, Problem } from "./problem.ts";

const ASIN = /^[A-Z0-9]{10}$/;
const NEGATIVE_TYPES = ["asinSameAs", "asinBrandSameAs"];
const AUDIENCE_TYPES = ["audience", "purchases", "views"];
const PRODUCT_TYPES = [
  "asinAgeRangeSameAs",
  "asinBrandSameAs",
  "asinCategorySameAs",
  "asinGenreSameAs",
  "asinIsPrimeShippingEligible",
  "asinPriceBetween",
  "asinPriceGreaterThan",
  "asinPriceLessThan",
  "asinReviewRatingBetween",
  "asinReviewRatingGreaterThan",
  "asinReviewRatingLessThan",
  "asinSameAs",
  "contentCategorySameAs",
  "similarProduct",
];

/** What Sponsored Display targets: only campaigns for audiences (T00030) take audiences. */
export const displayExpressionProblems: PreflightRule = (checked, context) => {
  const { change, spec } = checked;
  const { expression } = change.after;
  if (change.op !== "create" || !spec.kind.startsWith("sd.") || !Array.isArray(expression)) return [];
  if (expression.length === 0) return [{ code: "MISSING_VALUE", message: "The expression is empty" }];
  const tactic = campaignOf(checked, context)?.["tactic"];
  const takesAudiences = tactic === undefined || tactic === "T00030";
  const allowed = spec.kind === "sd.negative_targets"
    ? NEGATIVE_TYPES
    : takesAudiences
    ? [...PRODUCT_TYPES, ...AUDIENCE_TYPES]
    : PRODUCT_TYPES;
  return expression.flatMap(({ type, value }: Fields): Problem[] => {
    if (!allowed.includes(String(type))) {
      const isAudience = AUDIENCE_TYPES.includes(String(type));
      return [{
        code: "INVALID_ENUM_VALUE",
        message: isAudience
          ? `A ${spec.noun} of a campaign with the tactic T00020 cannot be an audience`
          : `A ${spec.noun} cannot compare ${JSON.stringify(type)}`,
        allowed: allowed.join(", "),
        hint: isAudience && spec.kind === "sd.targets"
          ? "Use a campaign with the tactic T00030"
          : `Use one of ${allowed.join(", ")}`,
      }];
    }
    if (type !== "asinSameAs" || ASIN.test(String(value))) return [];
    const message = value === undefined
      ? "asinSameAs has no value"
      : `${JSON.stringify(value)} is not an ASIN`;
    return [{
      code: "TARGETING_EXPRESSION_INVALID_VALUE",
      message,
      allowed: "10 capital letters and digits",
    }];
  });
};

/** What a new Sponsored Display ad shows: a seller's SKU, a vendor's ASIN, or a page. */
export const displayProductProblems: PreflightRule = ({ change, spec, next }, { accountType }) => {
  if (change.op !== "create" || spec.kind !== "sd.product_ads") return [];
  const problems: Problem[] = [];
  const { asin, sku, landingPageURL } = next;
  if (typeof asin === "string" && asin.length !== 10) {
    problems.push({ code: "INVALID_ASIN", message: `${JSON.stringify(asin)} is not an ASIN` });
  }
  const field = accountType === "seller" ? "sku" : accountType === undefined ? undefined : "asin";
  const isMissing = field === undefined ? asin === undefined && sku === undefined : next[field] === undefined;
  if (isMissing && landingPageURL === undefined) {
    const name = field ?? "asin";
    problems.push({ code: "MISSING_VALUE", message: `"${name}" is missing`, hint: `Give ${name}` });
  }
  return problems;
};
