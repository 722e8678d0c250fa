import { isObject } from "../../core/json.ts";
import { choice, list, number, object, required, text } from "../../entities/shape.ts";
import type { FlatResource } from "../../entities/flat_resource.ts";
import { flatRoutes } from "../../entities/flat_routes.ts";
import { toWire } from "../../entities/flat_reads.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readObject, readTexts } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import { invalid, MAX_ITEMS } from "./common.ts";

const JSON_TYPES = ["application/json"];
const METRICS = ["COST_PER_CLICK", "COST_PER_ORDER", "COST_PER_THOUSAND_VIEWABLE_IMPRESSIONS"];
const FIELDS = {
  ruleName: required(text({ min: 1, max: 355 })),
  state: required(choice("enabled")),
  ruleConditions: required(list(
    object({
      metricName: required(choice(...METRICS)),
      comparisonOperator: required(choice("LESS_THAN_OR_EQUAL_TO")),
      threshold: required(number({ low: 0 })),
    }),
    1,
  )),
};

const DISPLAY_OPTIMIZATION_RULES: FlatResource = {
  kind: "sd.optimization_rules",
  path: "/sd/optimizationRules",
  idParam: "optimizationRuleId",
  idField: "ruleId",
  idFields: [],
  noun: "Optimization rule",
  operations: {
    list: "sponsored-display:listOptimizationRules",
    get: "sponsored-display:get__sd_optimizationRules_{optimizationRuleId}",
    create: "sponsored-display:createOptimizationRules",
    update: "sponsored-display:updateOptimizationRules",
  },
  createFields: FIELDS,
  updateFields: FIELDS,
  parents: [],
  idFilters: { optimizationRuleIdFilter: "ruleId" },
  nameField: "ruleName",
  maxItems: MAX_ITEMS,
  rules: ({ item }) =>
    Array.isArray(item.ruleConditions) && item.ruleConditions.length === 1
      ? []
      : [invalid("ruleConditions", "ruleConditions must have one entry")],
  live: "",
  statusWord: "",
};

export const DISPLAY_OPTIMIZATION_RULE_ROUTES: readonly Route[] = [
  ...flatRoutes(DISPLAY_OPTIMIZATION_RULES),
  {
    operation: "sponsored-display:get__sd_adGroups_{adGroupId}_optimizationRules",
    method: "GET",
    path: "/sd/adGroups/{adGroupId}/optimizationRules",
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: listTied,
  },
  {
    operation: "sponsored-display:associateOptimizationRulesWithAdGroup",
    method: "POST",
    path: "/sd/adGroups/{adGroupId}/optimizationRules",
    requestTypes: JSON_TYPES,
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: tie,
  },
  {
    operation: "sponsored-display:disassociateOptimizationRulesFromAdGroup",
    method: "POST",
    path: "/sd/adGroups/{adGroupId}/optimizationRules/disassociate",
    requestTypes: JSON_TYPES,
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: untie,
  },
];

function listTied(context: Context): HttpResponse {
  const { profile, responseType } = context;
  const rules = profile.collection("sd.optimization_rules");
  const value = tiesOf(context).ruleIds.map((id) => rules.get(id)).filter((rule) => rule !== undefined)
    .map((rule) => toWire(DISPLAY_OPTIMIZATION_RULES, rule, context, { extended: false }));
  return jsonResponse(200, value, { type: responseType });
}

function tie(context: Context): HttpResponse {
  const { ruleIds } = tiesOf(context);
  const value = readRuleIds(context).map((ruleId) => {
    if (context.profile.collection("sd.optimization_rules").get(ruleId) === undefined) {
      return { code: "NOT_FOUND", description: `Optimization rule ${ruleId} was not found` };
    }
    if (ruleIds.length > 0) {
      return { code: "INVALID_ARGUMENT", description: "The ad group has an optimization rule already" };
    }
    setTies(context, [ruleId]);
    return { code: "SUCCESS", ruleId };
  });
  return jsonResponse(207, value, { type: context.responseType });
}

function untie(context: Context): HttpResponse {
  const { ruleIds } = tiesOf(context);
  const responses = readRuleIds(context).map((optimizationRuleId) => {
    if (!ruleIds.includes(optimizationRuleId)) {
      return { code: "404", details: "The rule is not associated with the ad group", optimizationRuleId };
    }
    setTies(context, ruleIds.filter((id) => id !== optimizationRuleId));
    return { code: "200", details: "", optimizationRuleId };
  });
  return jsonResponse(207, { code: "207", responses }, { type: context.responseType });
}

function readRuleIds({ body }: Context): string[] {
  return readTexts(readObject(body, ["optimizationRuleIds"]).optimizationRuleIds, "optimizationRuleIds", 1);
}

function tiesOf({ profile, params }: Context): { readonly ruleIds: readonly string[] } {
  const adGroupId = params.adGroupId ?? "";
  if (profile.collection("sd.ad_groups").get(adGroupId) === undefined) {
    throw refusal(404, `Ad group ${adGroupId} was not found`, "details");
  }
  const found = profile.collection("sd.optimization_rule_ties").get(adGroupId);
  const ruleIds = isObject(found) && Array.isArray(found.ruleIds) ? found.ruleIds.map(String) : [];
  return { ruleIds };
}

function setTies({ profile, params }: Context, ruleIds: readonly string[]): void {
  const ties = profile.collection("sd.optimization_rule_ties");
  const adGroupId = params.adGroupId ?? "";
  const entity = { adGroupId, ruleIds: [...ruleIds] };
  if (ties.get(adGroupId) === undefined) ties.insert(entity);
  else ties.replace(entity);
}
