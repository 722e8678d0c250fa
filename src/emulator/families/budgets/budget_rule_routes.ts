import { isObject, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import { type Program, tie, TIE_FAILURES, untie } from "./rule_ties.ts";
import {
  addBudgetRules,
  createBudgetRules,
  getBudgetRule,
  listAllBudgetRules,
  listBudgetRules,
  listCampaignsOfRule,
  removeBudgetRule,
  updateBudgetRules,
} from "./budget_rules.ts";

const JSON_TYPES = ["application/json"];

const PROGRAMS: readonly (readonly [program: Program, api: string, word: string])[] = [
  ["sp", "sponsored-products", "SP"],
  ["sb", "sponsored-brands-v4", "SB"],
  ["sd", "sponsored-display", "SD"],
];

type Step = readonly [
  name: (word: string) => string,
  method: Route["method"],
  path: string,
  handle: (program: Program, context: Context) => HttpResponse,
];

const STEPS: readonly Step[] = [
  [(word) => `Get${word}BudgetRulesForAdvertiser`, "GET", "/budgetRules", listAllBudgetRules],
  [(word) => `CreateBudgetRulesFor${word}Campaigns`, "POST", "/budgetRules", createBudgetRules],
  [(word) => `UpdateBudgetRulesFor${word}Campaigns`, "PUT", "/budgetRules", updateBudgetRules],
  [
    (word) => `GetBudgetRuleByRuleIdFor${word}Campaigns`,
    "GET",
    "/budgetRules/{budgetRuleId}",
    getBudgetRule,
  ],
  [
    (word) => `GetCampaignsAssociatedWith${word}BudgetRule`,
    "GET",
    "/budgetRules/{budgetRuleId}/campaigns",
    listCampaignsOfRule,
  ],
  [
    (word) => `ListAssociatedBudgetRulesFor${word}Campaigns`,
    "GET",
    "/campaigns/{campaignId}/budgetRules",
    listBudgetRules,
  ],
  [
    (word) => `CreateAssociatedBudgetRulesFor${word}Campaigns`,
    "POST",
    "/campaigns/{campaignId}/budgetRules",
    addBudgetRules,
  ],
  [
    (word) => `DisassociateAssociatedBudgetRuleFor${word}Campaigns`,
    "DELETE",
    "/campaigns/{campaignId}/budgetRules/{budgetRuleId}",
    removeBudgetRule,
  ],
];

export const BUDGET_RULE_ROUTES: readonly Route[] = PROGRAMS.flatMap(([program, api, word]) =>
  STEPS.map(([name, method, path, handle]): Route => ({
    operation: `${api}:${name(word)}`,
    method,
    path: `/${program}${path}`,
    ...(method === "POST" || method === "PUT" ? { requestTypes: JSON_TYPES } : {}),
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: (context) => handle(program, context),
  }))
);

const MAX_PAIRS = 50;
const COLLECTION = "sp.budget_rules";

export const BULK_BUDGET_RULE_ROUTES: readonly Route[] = [
  route(
    "BulkBudgetRulesAssociationForSP",
    "",
    (context) =>
      run(context, "budgetRulesAssociations", (ruleId, campaignId) => {
        const failure = tie(context, { collection: COLLECTION, ruleId, campaignId });
        return failure && TIE_FAILURES[failure];
      }),
  ),
  route(
    "BulkBudgetRulesDisAssociationForSP",
    "/delete",
    (context) =>
      run(
        context,
        "budgetRulesDisAssociations",
        (ruleId, campaignId) =>
          untie(context, { collection: COLLECTION, ruleId, campaignId })
            ? undefined
            : "The budget rule is not associated with the campaign",
      ),
  ),
];

function route(name: string, path: string, handle: Route["handle"]): Route {
  return {
    operation: `sponsored-products:${name}`,
    method: "POST",
    path: `/sp/budgetRulesAssociation${path}`,
    requestTypes: JSON_TYPES,
    responseTypes: JSON_TYPES,
    errors: "details",
    handle,
  };
}

function run(
  { body, profile, responseType }: Context,
  listName: string,
  act: (ruleId: string, campaignId: string) => string | undefined,
): HttpResponse {
  const pairs = isObject(body) ? body[listName] : undefined;
  if (!Array.isArray(pairs) || pairs.length === 0 || pairs.length > MAX_PAIRS || !pairs.every(isObject)) {
    throw refusal(400, `${listName} must be a list of 1 to ${MAX_PAIRS} pairs`, "details");
  }
  const successList: JsonObject[] = [];
  const errorList: JsonObject[] = [];
  for (const [index, { budgetRuleId, campaignId }] of pairs.entries()) {
    const place = { index, ruleId: String(budgetRuleId), campaignId: String(campaignId) };
    const isKnown = profile.collection("sp.campaigns").get(place.campaignId) !== undefined;
    const problem = isKnown ? act(place.ruleId, place.campaignId) : "The campaign was not found";
    if (problem === undefined) successList.push({ ...place, code: "SUCCESS", details: "" });
    else errorList.push({ ...place, code: isKnown ? "INVALID_ARGUMENT" : "NOT_FOUND", details: problem });
  }
  return jsonResponse(207, { [listName]: { successList, errorList } }, { type: responseType });
}
