import type { PreflightRule, Problem } from "./problem.ts";

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
