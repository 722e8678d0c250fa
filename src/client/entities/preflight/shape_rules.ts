import { fieldsOf } from "../../../base/json/fields_of.ts";
import { checkKeywordText, isProductTerm } from "../model/check_keyword_text.ts";
import { expressionOf } from "../model/identity.ts";
import { SB_AD_FORMATS_WITH_PAGE, sbAdFormatOf } from "../model/sb_ads.ts";
import type { Fields } from "../model/resource_wire.ts";
import type { CheckedChange, PreflightRule, Problem } from "./problem.ts";

const MAX_NAME: Readonly<Record<string, number>> = {
  "sb.ad_groups": 255,
  "sb.ads": 255,
  "sd.ad_groups": 255,
};

const ASIN = /^[A-Z0-9]{10}$/;
const PRODUCT_TYPES = ["ASIN_SAME_AS", "ASIN_EXPANDED_FROM"];
const AUTO_TYPES: readonly string[] = [
  "ASIN_ACCESSORY_RELATED",
  "ASIN_SUBSTITUTE_RELATED",
  "QUERY_BROAD_REL_MATCHES",
  "QUERY_HIGH_REL_MATCHES",
];

const MIN_LISTED = 3;

/** Additional states that some kinds accept for new entities. */
const BORN = ["ARCHIVED", "PROPOSED"];

export const shapeProblems: PreflightRule = ({ change, spec, next }, { accountType }) => {
  const problems: Problem[] = [];
  const isNew = change.op === "create";
  if (isNew) {
    const missing = spec.required.filter((field) => next[field] === undefined);
    if (spec.kind === "sp.product_ads" && next["asin"] === undefined && next["sku"] === undefined) {
      missing.push("asin");
    }
    if (spec.kind === "sp.product_ads" && accountType === "seller" && next["sku"] === undefined) {
      missing.push("sku");
    }
    const leadsSomewhere = spec.kind === "sb.ads" && SB_AD_FORMATS_WITH_PAGE.includes(sbAdFormatOf(next));
    if (leadsSomewhere && next["landingPage"] === undefined) missing.push("landingPage");
    for (const field of new Set(missing)) {
      problems.push({ code: "MISSING_VALUE", message: `"${field}" is missing`, hint: `Give ${field}` });
    }
  }
  for (const [field, values] of Object.entries({ ...spec.choices, ...states(isNew, spec) })) {
    const value = change.after[field];
    if (value === undefined || values.some((allowed) => allowed === value)) continue;
    problems.push({
      code: "INVALID_ENUM_VALUE",
      message: `${field} ${JSON.stringify(value)} is not a value that the platform accepts`,
      allowed: values.join(", "),
      hint: `Use one of ${values.join(", ")}`,
      refused: field !== "state" || !BORN.includes(String(value).toUpperCase()),
    });
  }
  const { name } = change.after;
  const most = MAX_NAME[spec.kind] ?? 128;
  if (typeof name === "string" && (name.length > most || name.trim() === "")) {
    const code = name.trim() === "" ? "BLANK" : "TOO_LONG";
    problems.push({
      code,
      message: name.trim() === "" ? "The name is blank" : `The name has ${name.length} characters`,
      allowed: `1 to ${most} characters`,
    });
  }
  return problems;
};

function states(
  isNew: boolean,
  { settableStates, stateCase, bornEnabled }: CheckedChange["spec"],
): Record<string, string[]> {
  if (!isNew || bornEnabled) return {};
  return { state: settableStates.map((state) => stateCase === "upper" ? state : state.toLowerCase()) };
}

export const blankProblems: PreflightRule = ({ change, spec }) => {
  if (change.op === "archive") return [];
  const told = ["name", "keywordText", "state", "tags", ...Object.keys(spec.choices ?? {})];
  const texts = Object.entries(change.after).filter(([field]) => !told.includes(field));
  return texts.flatMap(([field, value]) => blankIn(value, field)).map((path): Problem => ({
    code: "BLANK",
    message: `${path} is blank`,
    hint: "Give a text, or leave the field out",
    // The older operations take them.
    refused: !/^s[bd]\..*(?:keywords|targets)$/.test(spec.kind),
  }));
};

function blankIn(value: unknown, path: string): string[] {
  if (typeof value === "string") return value.trim() === "" ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((part, at) => blankIn(part, `${path}[${at}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => blankIn(part, `${path}.${name}`));
}

export const brandsProductProblems: PreflightRule = ({ change, spec, next }) => {
  if (change.op !== "create" || spec.kind !== "sb.ads") return [];
  const page = fieldsOf(next["landingPage"]);
  const lists = { "creative.asins": fieldsOf(next["creative"])["asins"], "landingPage.asins": page["asins"] };
  const problems = Object.entries(lists).flatMap(([path, list]): Problem[] =>
    (Array.isArray(list) ? list : []).flatMap((asin: unknown, at): Problem[] => {
      if (typeof asin !== "string" || asin.length === 10) return [];
      return [{ code: "INVALID_ASIN", message: `${path}[${at}] ${JSON.stringify(asin)} is not an ASIN` }];
    })
  );
  const listed = lists["landingPage.asins"];
  if (page["pageType"] !== "PRODUCT_LIST" || page["url"] !== undefined) return problems;
  const count = Array.isArray(listed) ? listed.length : 0;
  if (count >= MIN_LISTED) return problems;
  const message = `The landing page lists ${count} products`;
  return [...problems, { code: "TOO_LOW", message, allowed: `at least ${MIN_LISTED}`, hint: "List more" }];
};

export const keywordProblems: PreflightRule = ({ change, spec, next }, { countryCode }) => {
  if (change.op !== "create" || !spec.required.includes("keywordText")) return [];
  const target = "This is a target, not a keyword";
  const hint = "Create it as a target, with an expression";
  if (expressionOf(next) !== undefined) return [{ code: "TARGET_AS_KEYWORD", message: target, hint }];
  const text = next["keywordText"];
  if (typeof text !== "string") return [];
  const matchType = String(next["matchType"] ?? "");
  const found: Problem[] = checkKeywordText(text, { matchType, marketplace: countryCode }).map((
    { rule, message },
  ) => ({
    code: rule.toUpperCase(),
    message,
  }));
  if (/^\s*asin\s*=|^\s*category\s*=/.test(text) || isProductTerm(text)) {
    const isNegative = spec.kind.includes("negative");
    found.push({
      code: "TARGET_AS_KEYWORD",
      message: isNegative ? "A negative keyword does not keep a product away" : target,
      hint: isNegative ? "Create it as a negative target of that product" : hint,
      refused: false,
    });
  }
  return found;
};

export const expressionProblems: PreflightRule = ({ change, spec }) => {
  const { expression } = change.after;
  if (change.op === "archive" || !Array.isArray(expression) || !spec.kind.startsWith("sp.")) return [];
  if (expression.length === 0) return [{ code: "MISSING_VALUE", message: "The expression is empty" }];
  const isAuto = expression.some((part: Fields) => AUTO_TYPES.includes(String(part["type"]))) ||
    change.after["expressionType"] === "AUTO";
  if (isAuto && change.op === "create" && spec.kind === "sp.targets") {
    return [{
      code: "AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY",
      message: "The platform makes automatic targets itself",
      hint: "Create an ad group in an automatic campaign; it has its four automatic targets",
    }];
  }
  return expression.flatMap(({ type, value }: Fields): Problem[] => {
    if (AUTO_TYPES.includes(String(type))) return [];
    if (value === undefined) return [{ code: "MISSING_VALUE", message: `${type} has no value` }];
    if (!PRODUCT_TYPES.includes(String(type)) || ASIN.test(String(value))) return [];
    const message = `${JSON.stringify(value)} is not an ASIN`;
    return [{
      code: "TARGETING_EXPRESSION_INVALID_VALUE",
      message,
      allowed: "10 capital letters and digits",
    }];
  });
};

export const productProblems: PreflightRule = ({ change, spec, next }) => {
  const { asin, customText } = next;
  if (change.op !== "create" || spec.kind !== "sp.product_ads") return [];
  const problems: Problem[] = [];
  if (asin !== undefined && !ASIN.test(String(asin))) {
    problems.push({ code: "INVALID_ASIN", message: `${JSON.stringify(asin)} is not an ASIN` });
  }
  if (typeof customText === "string" && (customText.length < 50 || customText.length > 150)) {
    const message = `The text of the ad has ${customText.length} characters`;
    problems.push({ code: "TOO_LONG", message, allowed: "50 to 150 characters" });
  }
  return problems;
};

/** Checks the product of a new Display ad: a seller's SKU, a vendor's ASIN, or a page. */
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
