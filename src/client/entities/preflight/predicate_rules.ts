import { expressionOf } from "../model/identity.ts";
import type { Fields } from "../model/resource_wire.ts";
import type { CheckedChange, PreflightRule, Problem, StepContext } from "./problem.ts";

const ASIN = /^[A-Z0-9]{10}$/;
const NEGATIVE_TYPES = ["asinSameAs", "asinBrandSameAs"];
const AUDIENCE_TYPES = ["audience", "purchases", "views"];
const BRANDS_TYPES = [
  "asinBrandSameAs",
  "asinCategorySameAs",
  "asinPriceBetween",
  "asinPriceGreaterThan",
  "asinPriceLessThan",
  "asinReviewRatingBetween",
  "asinReviewRatingGreaterThan",
  "asinReviewRatingLessThan",
  "asinSameAs",
];
const DISPLAY_TYPES = [
  ...BRANDS_TYPES,
  "asinAgeRangeSameAs",
  "asinGenreSameAs",
  "asinIsPrimeShippingEligible",
  "contentCategorySameAs",
  "similarProduct",
].sort();

const TYPES: Readonly<Record<string, readonly string[]>> = {
  "sb.targets": BRANDS_TYPES,
  "sb.negative_targets": NEGATIVE_TYPES,
  "sd.targets": DISPLAY_TYPES,
  "sd.negative_targets": NEGATIVE_TYPES,
};

/**
 * Finds problems of Brands and Display targets: audiences are possible only in Display campaigns for audiences
 * (T00030).
 */
export const predicateProblems: PreflightRule = (checked, context) => {
  const { change, spec } = checked;
  const products = TYPES[spec.kind];
  const parts = expressionOf(change.after);
  if (change.op !== "create" || products === undefined || parts === undefined) return [];
  if (parts.length === 0) return [{ code: "MISSING_VALUE", message: "The expression is empty" }];
  const allowed = [...products, ...takesAudiences(checked, context) ? AUDIENCE_TYPES : []];
  const needsValue = spec.kind.startsWith("sb.");
  return parts.flatMap(({ type, value }: Fields): Problem[] => {
    if (!allowed.includes(String(type))) {
      const isAudience = spec.kind === "sd.targets" && AUDIENCE_TYPES.includes(String(type));
      return [{
        code: "INVALID_ENUM_VALUE",
        message: isAudience
          ? `A ${spec.noun} of a campaign with the tactic T00020 cannot be an audience`
          : `A ${spec.noun} cannot compare ${JSON.stringify(type)}`,
        allowed: allowed.join(", "),
        hint: isAudience ? "Use a campaign with the tactic T00030" : `Use one of ${allowed.join(", ")}`,
      }];
    }
    const isProduct = type === "asinSameAs";
    if (value === undefined && (isProduct || needsValue)) {
      return [{ code: "MISSING_VALUE", message: `${type} has no value` }];
    }
    if (!isProduct || ASIN.test(String(value))) return [];
    return [{
      code: "TARGETING_EXPRESSION_INVALID_VALUE",
      message: `${JSON.stringify(value)} is not an ASIN`,
      allowed: "10 capital letters and digits",
    }];
  });
};

function takesAudiences(checked: CheckedChange, context: StepContext): boolean {
  if (checked.spec.kind !== "sd.targets") return false;
  const tactic = context.account.campaignOf(checked)?.["tactic"];
  return tactic === undefined || tactic === "T00030";
}
