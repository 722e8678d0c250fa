import { isObject, type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";

const TYPES = ["application/vnd.sbruleoptimization.v4+json"];
const KIND = "sb.optimization_rules";
const MAX_ITEMS = 10;
const MAX_PAGE = 100;

export const BRANDS_OPTIMIZATION_RULE_ROUTES: readonly Route[] = [
  route("CreateSponsoredBrandsOptimizationRules", "POST", "", create),
  route("UpdateSponsoredBrandsOptimizationRules", "PUT", "", update),
  route("ListSponsoredBrandsOptimizationRules", "POST", "/list", list),
  route("AssociateSponsoredBrandsOptimizationRules", "POST", "/associate", associate),
  route("DisassociateSponsoredBrandsOptimizationRules", "POST", "/disassociate", disassociate),
];

function route(name: string, method: Route["method"], path: string, handle: Route["handle"]): Route {
  return {
    operation: `sponsored-brands-v4:${name}`,
    method,
    path: `/sb/rules/optimization${path}`,
    requestTypes: TYPES,
    responseTypes: TYPES,
    handle,
  };
}

function create(context: Context): HttpResponse {
  return runBatch(context, "optimizationRules", "optimizationRules", (item) => {
    const problem = checkConditions(item.conditions);
    if (problem !== undefined) return problem;
    const optimizationRuleId = context.state.newId();
    const { entityId = "", entityType = "" } = item;
    const ties = entityId === "" ? [] : [{ entityId, entityType }];
    context.profile.collection(KIND).insert({ optimizationRuleId, conditions: item.conditions, ties });
    return {
      optimizationRuleId,
      entityId,
      entityType,
      optimizationRule: view({ optimizationRuleId, ...item }),
    };
  });
}

function update(context: Context): HttpResponse {
  return runBatch(context, "optimizationRules", "optimizationRules", (item) => {
    const rules = context.profile.collection(KIND);
    const before = rules.get(String(item.optimizationRuleId));
    if (before === undefined) return "The rule was not found";
    const problem = checkConditions(item.conditions);
    if (problem !== undefined) return problem;
    const after = { ...before, conditions: item.conditions };
    rules.replace(after);
    return { optimizationRuleId: before.optimizationRuleId, optimizationRule: view(after) };
  });
}

function list({ body, profile, responseType }: Context): HttpResponse {
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const { maxResults = MAX_PAGE, nextToken, entityFilter, optimizationRuleIdFilter: ids } = body;
  if (typeof maxResults !== "number" || maxResults < 1 || maxResults > MAX_PAGE) {
    throw refusal(400, `maxResults must be a number from 1 to ${MAX_PAGE}`);
  }
  const wanted = isObject(ids) && Array.isArray(ids.include) ? ids.include.map(String) : undefined;
  const found = profile.collection(KIND).all().filter((rule) =>
    (wanted === undefined || wanted.includes(String(rule.optimizationRuleId))) &&
    (!isObject(entityFilter) || tiesOf(rule).some(({ entityId }) => entityId === entityFilter.entityId))
  );
  const start = Number(nextToken ?? 0);
  const end = start + maxResults;
  const next = end < found.length ? { nextToken: String(end) } : {};
  const optimizationRules = found.slice(start, end).map(view);
  return jsonResponse(200, { optimizationRules, totalCount: found.length, ...next }, { type: responseType });
}

function associate(context: Context): HttpResponse {
  return runBatch(context, "optimizationRuleAssociations", "optimizationRuleAssociations", (item) => {
    const { optimizationRuleId, entityId, entityType } = item;
    const rule = context.profile.collection(KIND).get(String(optimizationRuleId));
    if (rule === undefined) return "The rule was not found";
    if (tiesOf(rule).some((tie) => tie.entityId === entityId)) return "The rule is associated already";
    context.profile.collection(KIND).replace({ ...rule, ties: [...tiesOf(rule), { entityId, entityType }] });
    return { optimizationRuleId, entityId, entityType };
  });
}

function disassociate(context: Context): HttpResponse {
  return runBatch(context, "optimizationRuleDisassociations", "optimizationRuleDisassociations", (item) => {
    const { optimizationRuleId, entityId, entityType } = item;
    const rule = context.profile.collection(KIND).get(String(optimizationRuleId));
    const left = rule === undefined ? [] : tiesOf(rule).filter((tie) => tie.entityId !== entityId);
    if (rule === undefined || left.length === tiesOf(rule).length) return "The rule is not associated";
    context.profile.collection(KIND).replace({ ...rule, ties: left });
    return { optimizationRuleId, entityId, entityType };
  });
}

function runBatch(
  { body, responseType }: Context,
  listName: string,
  resultName: string,
  act: (item: JsonObject) => JsonObject | string,
): HttpResponse {
  const items = isObject(body) ? body[listName] : undefined;
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ITEMS || !items.every(isObject)) {
    throw refusal(400, `${listName} must be a list of 1 to ${MAX_ITEMS} objects`);
  }
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = act(item);
    if (typeof outcome === "string") {
      error.push({ index, errors: [{ code: "INVALID_ARGUMENT", message: outcome }] });
    } else success.push({ index, ...outcome });
  }
  return jsonResponse(207, { [resultName]: { success, error } }, { type: responseType });
}

function checkConditions(conditions: Json | undefined): string | undefined {
  const [condition] = Array.isArray(conditions) && conditions.length === 1 ? conditions : [];
  return isObject(condition) && typeof condition.attributeName === "string" && isObject(condition.criteria)
    ? undefined
    : "conditions must have one entry with attributeName and criteria";
}

function view({ optimizationRuleId, conditions }: JsonObject): JsonObject {
  return { optimizationRuleId, ...(conditions === undefined ? {} : { conditions }) };
}

function tiesOf({ ties }: JsonObject): JsonObject[] {
  return objectsIn(ties) ?? [];
}
