import type { JsonObject } from "../../core/json.ts";
import { termsLike, valuesIn } from "../../entities/filter.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import type { Draft, EntityResource, RuleContext } from "../../entities/entity_resource.ts";
import { checkDates } from "../../entities/rules.ts";
import { choice, DATE, type Fields, number, object, optional, required, text } from "../../entities/shape.ts";
import { ID, MAX_NAME } from "../sponsored_products/common.ts";
import { entityRoutes } from "../../entities/entity_routes.ts";
import type { Route } from "../../routing/route.ts";

const FIELDS: Fields = {
  budget: optional(object({
    amount: optional(number({ low: 0 })),
    currencyCode: optional(text({ min: 3, max: 3 })),
    policy: optional(choice("DATE_RANGE", "MONTHLY_RECURRING", "NO_CAP")),
    startDate: optional(DATE),
    endDate: optional(DATE),
  })),
  budgetControls: optional(object({
    campaignUnspentBudgetSharing: optional(object({ featureState: required(choice("DISABLED", "ENABLED")) })),
  })),
};
const NAME = text({ max: MAX_NAME });
const STATE = choice("ENABLED");

/** Portfolios. They cannot be archived, and their state filter takes one state. */
export const PORTFOLIOS: EntityResource = {
  kind: "portfolios",
  path: "/portfolios",
  mediaType: "application/vnd.spPortfolio.v3+json",
  collection: "portfolios",
  resultIdField: "portfolioId",
  echoField: "portfolio",
  operations: {
    list: "portfolios:ListPortfolios",
    create: "portfolios:CreatePortfolios",
    update: "portfolios:UpdatePortfolios",
  },
  entityType: "PORTFOLIO",
  idFilter: { name: "portfolioIdFilter", max: 1000 },
  filters: {
    stateFilter: valuesIn("state", 1, ["ENABLED"]),
    nameFilter: termsLike((portfolio) => [String(portfolio.name)], { max: 1000 }),
  },
  maxItems: 100,
  parents: [],
  createFields: { ...FIELDS, name: required(NAME), state: required(STATE) },
  updateFields: { ...FIELDS, portfolioId: required(ID), name: optional(NAME), state: optional(STATE) },
  complete: () => ({ inBudget: true }),
  rules: (draft, context) => [...checkCurrency(draft, context), ...checkBudgetDates(draft, context)],
  notUnique: ["duplicateValueError", "DUPLICATE_VALUE"],
};

function checkCurrency({ item }: Draft, { profile }: RuleContext): ItemError[] {
  const currency = (item.budget as JsonObject | undefined)?.currencyCode;
  if (currency === undefined || currency === profile.record.currencyCode) return [];
  const message = `Currency must be ${profile.record.currencyCode}`;
  const options = { trigger: currency };
  return [
    itemError(
      ["currencyError", "CURRENCY_NOT_MATCHING_PREFERRED_CURRENCY"],
      "budget.currencyCode",
      message,
      options,
    ),
  ];
}

function checkBudgetDates({ item, before, after }: Draft, context: RuleContext): ItemError[] {
  const budgetOf = (entity: JsonObject | undefined) => (entity?.budget ?? {}) as JsonObject;
  const draft: Draft = {
    item: budgetOf(item),
    after: budgetOf(after),
    ...(before === undefined ? {} : { before: budgetOf(before) }),
  };
  return checkDates(draft, context).map((error) => ({ ...error, field: `budget.${error.field}` }));
}

export const PORTFOLIO_ROUTES: readonly Route[] = entityRoutes(PORTFOLIOS);
