import { deepEqual, equal, ok } from "../support/assert.ts";
import { parseMultiStatus } from "../../mod.ts";

const TRANSIENT = new Set(["throttledError", "internalServerError"]);

/** Every family of item errors, and a reason that the platform gives in it. */
const FAMILIES: Record<string, string> = {
  adEligibilityError: "AD_INELIGIBLE",
  applicableMarketplacesError: "APPLICABLE_MARKETPLACES_MISMATCH_ERROR",
  asinOwnershipError: "ASIN_NOT_OWNED_BY_AUTHOR",
  biddingError: "BID_INVALID_PLACEMENT",
  billingError: "EXPIRED_PAYMENT_METHOD",
  budgetError: "MISSING_BUDGETING_POLICY",
  currencyError: "CURRENCY_NOT_SUPPORTED",
  dateError: "START_DATE_AFTER_END_DATE",
  duplicateValueError: "MARKETPLACE_ATTRIBUTES_REPEATED",
  entityNotFoundError: "ENTITY_NOT_FOUND",
  entityQuotaError: "NON_ARCHIVED_QUOTA_EXCEEDED",
  entityStateError: "INVALID_STATE_TRANSITION",
  expressionTypeError: "UNSUPPORTED_EXPRESSION_TYPE",
  internalServerError: "INTERNAL_ERROR",
  invalidInputError: "INVALID_TOKEN",
  localeError: "INVALID_LOCALE",
  malformedValueError: "FORBIDDEN_CHARS",
  missingValueError: "MISSING_VALUE",
  otherError: "OTHER_ERROR",
  parentEntityError: "PARENT_ENTITY_NOT_FOUND",
  productIdentifierError: "INVALID_ASIN",
  rangeError: "NOT_IN_LIST",
  targetingClauseSetupError: "TYPE_CONFLICT_IN_AD_GROUP",
  throttledError: "THROTTLED",
  unsupportedOperationError: "UNSUPPORTED_OPERATION",
};

Deno.test("every family of item errors gives its code, words, limits, advice and whether to try again", () => {
  const families = Object.keys(FAMILIES);
  const error = families.map((errorType, index) => ({
    index,
    errors: [{
      errorType,
      errorValue: {
        [errorType]: {
          reason: FAMILIES[errorType],
          message: `About ${errorType}`,
          lowerLimit: "0.02",
          upperLimit: "1000",
          cause: { location: `$.keywords[${index}].bid` },
        },
      },
    }],
  }));
  const result = parseMultiStatus({ keywords: { success: [], error } }, families);
  equal(result.errors.length, families.length);
  for (const one of result.errors) {
    const family = families[one.index]!;
    deepEqual([one.errorType, one.code, one.message], [family, FAMILIES[family], `About ${family}`]);
    deepEqual([one.lowerLimit, one.upperLimit, one.item], ["0.02", "1000", family]);
    equal(one.transient, TRANSIENT.has(family), family);
    ok(one.hint !== undefined || family === "otherError", `${family} has no advice`);
  }
});

Deno.test("a code or family that is new has no advice, and harms nothing", () => {
  const error = [{ index: 0, errors: [{ errorType: "constructor", errorValue: {} }] }];
  const [one] = parseMultiStatus({ keywords: { success: [], error } }).errors;
  deepEqual([one!.errorType, one!.code, one!.hint], ["constructor", "constructor", undefined]);
});

Deno.test("a code of the unified API gives its family, and one that is new is of no family", () => {
  const familyOf = (code: string): string | undefined =>
    parseMultiStatus({ success: [], error: [{ index: 0, errors: [{ code }] }] }).errors[0]?.errorType;
  for (
    const [code, family] of [
      ["RESOURCE_ID_NOT_FOUND", "entityNotFoundError"],
      ["FIELD_VALUE_NOT_UNIQUE", "duplicateValueError"],
      ["DATE_CANNOT_BE_NULL", "missingValueError"],
      ["DATE_IN_PAST", "dateError"],
      ["BID_OUT_OF_RANGE", "rangeError"],
      ["QUITE_NEW", "otherError"],
    ] as const
  ) equal(familyOf(code), family, code);
});
