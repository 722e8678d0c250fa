import { type Fields, fieldsOf } from "../../base/json/fields_of.ts";
import type { BatchError, ItemOutcome } from "./batch_error.ts";

const TRANSIENT_TYPES = new Set(["throttledError", "internalServerError"]);
const TRANSIENT_CODES = new Set(["THROTTLED", "TOO_MANY_REQUESTS", "INTERNAL_ERROR", "SERVER_IS_BUSY"]);
const NO_FAMILY = "otherError";

/**
 * Handles all shapes of the platform's errors: `{errors: [{errorType, errorValue: {<family>: {reason, message,
 * lowerLimit, upperLimit}}}]}`, `{errors: [{code, message, marketplace}]}`, `{code, description | details}`, or
 * `{errors: [{KeywordError: {reason, message}}]}`.
 */
export function itemError<Item>(
  entry: unknown,
  place: { index: number; item: Item | undefined; outcome?: ItemOutcome },
): BatchError<Item> {
  const fields = fieldsOf(entry);
  const list = Array.isArray(fields["errors"]) ? fields["errors"] : [];
  const [first, ...others] = (list.length === 0 ? [{}] : list).map((one) => complaint(fieldsOf(one), fields));
  const { errorType, code, detail } = first!;
  const topCode = string(fields["code"]);
  const also = others.map((other) => `; also ${other.code}: ${other.message}`);
  return failure(place, {
    errorType: errorType === NO_FAMILY ? familyOf(topCode ?? code) : errorType,
    code,
    message: first!.message + also.join(""),
    lowerLimit: string(detail["lowerLimit"]),
    upperLimit: string(detail["upperLimit"]),
    hint: allowedHint(detail["allowed"]),
    transient: TRANSIENT_TYPES.has(errorType) || TRANSIENT_CODES.has(code) ||
      (topCode !== undefined && TRANSIENT_CODES.has(topCode)),
    raw: entry,
  });
}

function complaint(
  one: Fields,
  fields: Fields,
): { errorType: string; code: string; message: string; detail: Fields } {
  const errorType = string(one["errorType"]) ?? NO_FAMILY;
  const detail = {
    ...fieldsOf(one["KeywordError"]),
    ...fieldsOf(fieldsOf(one["errorValue"])[errorType]),
  };
  const code = string(detail["reason"]) ?? string(one["code"]) ?? string(one["reason"]) ??
    string(fields["code"]) ?? errorType;
  const message = string(detail["message"]) ?? string(one["message"]) ?? string(one["note"]) ??
    string(fields["description"]) ?? string(fields["details"]) ?? string(fields["message"]) ?? code;
  const marketplace = string(one["marketplace"]);
  return {
    errorType,
    code,
    message: marketplace === undefined ? message : `${marketplace}: ${message}`,
    detail,
  };
}

function allowedHint(allowed: unknown): string | undefined {
  const values = (Array.isArray(allowed) ? allowed : []).flatMap((value) => string(value) ?? []);
  return values.length === 0 ? undefined : `Use one of ${values.join(", ")}`;
}

export function failure<Item>(
  place: { index: number; item: Item | undefined; outcome?: ItemOutcome },
  what: {
    errorType?: string | undefined;
    code: string;
    message: string;
    lowerLimit?: string | undefined;
    upperLimit?: string | undefined;
    hint?: string | undefined;
    transient?: boolean;
    raw?: unknown;
  },
): BatchError<Item> {
  const errorType = what.errorType ?? NO_FAMILY;
  return {
    index: place.index,
    item: place.item,
    errorType,
    code: what.code,
    message: what.message,
    outcome: place.outcome ?? "refused",
    lowerLimit: what.lowerLimit,
    upperLimit: what.upperLimit,
    hint: what.hint ?? hintFor(what.code, errorType),
    transient: what.transient ?? false,
    raw: what.raw,
  };
}

const UNIFIED_CODES: readonly [code: RegExp, family: string][] = [
  [/^RESOURCE_ID_NOT_FOUND$/, "entityNotFoundError"],
  [/^(?:FIELD_VALUE_NOT_FOUND|RESOURCE_DOES_NOT_BELONG_TO_PARENT)$/, "parentEntityError"],
  [/^(?:FIELD_VALUE_NOT_UNIQUE|DUPLICATE_)/, "duplicateValueError"],
  [
    /^(?:FIELD_VALUE_IS_NULL|FIELD_VALUE_IS_EMPTY|RESOURCE_IS_(?:NULL|EMPTY)|DATE_CANNOT_BE_NULL)$/,
    "missingValueError",
  ],
  [/INVALID_CHARACTERS$|BLOCKLISTED_WORDS$|^FIELD_SIZE_/, "malformedValueError"],
  [/_(?:OUT_OF_RANGE|MAXIMUM_LIMIT|MINIMUM_LIMIT)$/, "rangeError"],
  [/^(?:DATE_|DURATION_)/, "dateError"],
  [
    /^ARCHIVED_PARENT_|^ARCHIVED_RESOURCE_|TERMINAL_STATE$|^AUTOCREATED_ENTITY_CANNOT_EDIT$/,
    "entityStateError",
  ],
  [/_LIMIT_EXCEEDED$/, "entityQuotaError"],
  [/^PAYMENT_ISSUE$/, "billingError"],
  [/^PRODUCT_INELIGIBLE$/, "adEligibilityError"],
  [/^UNSUPPORTED_MARKETPLACE$/, "applicableMarketplacesError"],
  [/^(?:ACTION_NOT_SUPPORTED|FEATURE_|FIELD_VALUE_CANNOT_EDIT$)/, "unsupportedOperationError"],
  [/^FIELD_VALUE_(?:IS_INVALID|MISMATCH|MUST_BE_EMPTY)/, "invalidInputError"],
];

function familyOf(code: string): string | undefined {
  switch (code) {
    case "NOT_FOUND":
      return "entityNotFoundError";
    case "SERVER_IS_BUSY":
    case "THROTTLED":
    case "TOO_MANY_REQUESTS":
      return "throttledError";
    case "INTERNAL_ERROR":
      return "internalServerError";
    default:
      return UNIFIED_CODES.find(([pattern]) => pattern.test(code))?.[1];
  }
}

function string(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : undefined;
}

const CHECK_FIRST =
  "check the account before you send it again. For a plan that was applied with a journal, " +
  "resumePlan() does this";

const BY_CODE: ReadonlyMap<string, string> = new Map(Object.entries({
  BID_OUT_OF_MARKET_PLACE_RANGE: "Choose a bid inside the marketplace's range",
  BID_GT_BUDGET: "Choose a bid below the campaign's daily budget, or raise the budget first",
  BUDGET_TOO_LOW: "Raise the budget to the lowest amount the marketplace accepts",
  BUDGET_TOO_HIGH: "Lower the budget to the highest amount the marketplace accepts",
  BUDGET_OUT_OF_MARKET_PLACE_RANGE: "Choose a budget inside the marketplace's range",
  TOO_LOW: "Raise the value to the lower limit or above",
  TOO_HIGH: "Lower the value to the upper limit or below",
  PARENT_ARCHIVED_FORBIDS_UPDATES:
    "Its campaign or ad group is archived, which is permanent; create a new one elsewhere",
  PARENT_ENTITY_FORBIDS_CREATION: "Its campaign or ad group does not take new entities; check their state",
  AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY: "Automatic clauses cannot be archived: pause it instead",
  ARCHIVED_ENTITY_CANNOT_BE_MODIFIED: "It is archived, which is permanent; create a new one instead",
  ENTITY_NOT_FOUND: "Check the id, and that it belongs to this profile",
  NOT_FOUND: "Check the id, and that it belongs to this profile",
  NAME_NOT_UNIQUE: "Choose a name that no other entity of this profile has",
  DUPLICATE_VALUE: "It already exists; update the existing one instead",
  AUTHOR_CREATED_GOAL_CAMPAIGNS_DISABLED:
    "Leave out goal and costType: author accounts may not create goal campaigns",
  NO_VERDICT: "The response does not mention this item; read the entity before sending it again",
  NOT_SENT: "It was not sent: fix the cause, then send it again",
  UNREADABLE: `The response could not be read: ${CHECK_FIRST}`,
  UNKNOWN: `No response: ${CHECK_FIRST}`,
}));

const BY_TYPE: ReadonlyMap<string, string> = new Map(Object.entries({
  biddingError: "Check the bid against the limits",
  budgetError: "Check the budget against the limits",
  rangeError: "Choose a value inside the limits",
  throttledError: "The platform was too busy for this item; send it again later",
  internalServerError: "The platform failed on this item; read the entity, then send it again",
  duplicateValueError: "It already exists; update the existing one instead",
  entityNotFoundError: "Check the id, and that it belongs to this profile",
  entityQuotaError: "The account is full: archive what is no longer used",
  entityStateError: "The state of the entity or its parent does not allow this change",
  parentEntityError: "Check the campaign and ad group ids, and that they are not archived",
  malformedValueError: "Check the text: length, spaces at its ends, characters that are not allowed",
  missingValueError: "A required field is missing",
  dateError: "Check the dates: not in the past, the end after the start",
  billingError: "The account's billing needs attention before anything can run",
  productIdentifierError: "Check the ASIN or SKU",
  adEligibilityError: "The product cannot be advertised in this marketplace now",
  asinOwnershipError: "The product belongs to another author",
  targetingClauseSetupError: "The targeting expression does not fit the campaign's targeting type",
  expressionTypeError: "This kind of targeting expression is not supported here",
  currencyError: "Use the currency of the marketplace",
  applicableMarketplacesError: "The campaign and what is in it must be for the same marketplaces",
  invalidInputError: "A value is not valid; compare it with existing entities",
  localeError: "Use a locale of the marketplace, for example en_US",
  unsupportedOperationError: "The platform does not support this for such entities",
}));

export function hintFor(code: string, errorType: string): string | undefined {
  return BY_CODE.get(code) ?? BY_TYPE.get(errorType);
}
