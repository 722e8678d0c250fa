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
