import { isObject, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import { tie, TIE_FAILURES, untie } from "./rule_ties.ts";

const JSON_TYPES = ["application/json"];
const MAX_PAIRS = 50;
const COLLECTION = "sp.budget_rules";

/** Tying many campaigns to budget rules at once, and untying them. */
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
