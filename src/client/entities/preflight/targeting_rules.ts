import { isChangeRef } from "../../../plans/model/change_ref.ts";
import type { Surroundings } from "../../../plans/model/prior_state.ts";
import { NEGATED } from "../../../plans/state/read_prior_state.ts";
import { comparedText, holdsPhrase } from "../model/check_keyword_text.ts";
import { expressionOf } from "../model/identity.ts";
import type { Fields } from "../model/resource_wire.ts";
import type { CheckedChange, PlaceKeywords, PreflightRule, Problem, StepContext } from "./problem.ts";

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

export class LiveKeywords {
  readonly #account: Surroundings;
  readonly #changed = new Set<string>();
  readonly #planned = new Map<string, Fields[]>();
  readonly #found = new Map<string, PlaceKeywords>();

  constructor(checked: Iterable<CheckedChange>, account: Surroundings) {
    this.#account = account;
    for (const { change: { kind, id, op }, next } of checked) {
      if (id !== null) this.#changed.add(`${kind} ${id}`);
      if (op === "archive" || !/^enabled$/i.test(String(next["state"] ?? "ENABLED"))) continue;
      for (const field of ["adGroupId", "campaignId"]) {
        const key = placeKey(kind, field, next[field]);
        const planned = this.#planned.get(key);
        if (planned === undefined) this.#planned.set(key, [next]);
        else planned.push(next);
      }
    }
  }

  in(kind: string, field: string, place: unknown): PlaceKeywords {
    const key = placeKey(kind, field, place);
    let found = this.#found.get(key);
    if (found === undefined) {
      const untouched = this.#account.keywordsIn(kind, field, place)
        .filter(({ keywordId }) => !this.#changed.has(`${kind} ${keywordId}`));
      const all = [...untouched, ...this.#planned.get(key) ?? []];
      const exact = Map.groupBy(all.filter((one) => matchOf(one) === "exact"), textOf);
      this.#found.set(key, found = { all, exact });
    }
    return found;
  }
}

export const negativeProblems: PreflightRule = ({ change, spec, next }, { account, specOf }) => {
  const negated = NEGATED[spec.kind];
  if (change.op !== "create" || negated === undefined || account.unread !== undefined) return [];
  const { kind, place } = negated;
  const { all, exact } = account.liveKeywords(kind, place, next[place]);
  const text = textOf(next);
  const match = matchOf(next);
  const stopped = match === "exact"
    ? exact.get(text) ?? []
    : all.filter((one) =>
      match === "phrase"
        ? matchOf(one) !== "broad" && holdsPhrase(textOf(one), text)
        : matchOf(one) === "exact" && holdsWords(textOf(one), text)
    );
  const [first] = stopped;
  if (first === undefined) return [];
  const { noun, plural } = specOf(kind);
  const { keywordId: id, keywordText } = first;
  const which = `"${keywordText}"${typeof id === "string" ? ` (${id})` : ""}`;
  return [{
    code: "NEGATES_OWN_KEYWORD",
    message: stopped.length === 1
      ? `It stops the live ${noun} ${which} of the same ${place === "adGroupId" ? "ad group" : "campaign"}`
      : `It stops ${stopped.length} live ${plural} of the same ${
        place === "adGroupId" ? "ad group" : "campaign"
      }, such as ${which}`,
    hint: "Lower the bid of that keyword or pause it instead",
    refused: false,
  }];
};

function placeKey(kind: string, field: string, place: unknown): string {
  return `${kind} ${field} ${isChangeRef(place) ? `new ${place.ref}` : place}`;
}

function textOf({ keywordText }: Fields): string {
  return comparedText(String(keywordText));
}

function matchOf({ matchType }: Fields): string {
  return String(matchType).toLowerCase().replace(/^negative_?/, "");
}

function holdsWords(text: string, words: string): boolean {
  const own = new Set(text.split(" "));
  return words.split(" ").every((word) => own.has(word));
}

function takesAudiences(checked: CheckedChange, context: StepContext): boolean {
  if (checked.spec.kind !== "sd.targets") return false;
  const tactic = context.account.campaignOf(checked)?.["tactic"];
  return tactic === undefined || tactic === "T00030";
}
