import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readObject, readTexts } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import { MARKETS_WITH_BUDGET_HOURS } from "../../traffic/rule_raises.ts";
import { demandCampaign, isTied, type Program, tie, TIE_FAILURES, tiedTo, untie } from "./rule_ties.ts";

const MAX_RULES = 25;
const MAX_PAGE = 30;

const MAX_NAME = 355;

const METRICS: Readonly<Record<Program, readonly string[]>> = {
  sp: ["ACOS", "CTR", "CVR", "ROAS"],
  sb: ["IS", "NTB", "ROAS"],
  sd: ["ACOS", "CTR", "CVR", "ROAS"],
};

const COMPARISONS = [
  "EQUAL_TO",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL_TO",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL_TO",
];

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

/** Lists all budget rules. The page token is the id of the next rule. */
function listAllBudgetRules(program: Program, context: Context): HttpResponse {
  const { found, nextToken } = takePage(context, rulesOf(program, context).all(), (rule) => rule.ruleId);
  const value = { budgetRulesForAdvertiserResponse: found.map(toWire), ...nextToken };
  return jsonResponse(200, value, { type: context.responseType });
}

function getBudgetRule(program: Program, context: Context): HttpResponse {
  return jsonResponse(200, { budgetRule: toWire(demandRule(program, context)) }, {
    type: context.responseType,
  });
}

function createBudgetRules(program: Program, context: Context): HttpResponse {
  const { clock, state, profile: { record: { countryCode } } } = context;
  const rules = rulesOf(program, context);
  const responses = readRules(context.body).map((ruleDetails): JsonObject => {
    const problem = checkRuleDetails(ruleDetails, { program, countryCode });
    if (problem !== undefined) return { code: "INVALID_ARGUMENT", details: problem };
    const ruleId = `rule-${state.newId()}`;
    const now = clock.now();
    rules.insert({
      ruleId,
      ruleState: "ACTIVE",
      ruleStatus: "ACTIVE",
      createdDate: now,
      lastUpdatedDate: now,
      ruleDetails,
      campaignIds: [],
      spans: [],
      versions: [{ at: now, ruleState: "ACTIVE", ruleDetails }],
    });
    return { code: "SUCCESS", details: "", ruleId, associatedCampaignIds: [] };
  });
  return jsonResponse(207, { responses }, { type: context.responseType });
}

function updateBudgetRules(program: Program, context: Context): HttpResponse {
  const rules = rulesOf(program, context);
  const { countryCode } = context.profile.record;
  const responses = readRules(context.body).map(({ ruleId, ruleDetails, ruleState }): JsonObject => {
    const before = rules.get(String(ruleId));
    if (before === undefined) return { code: "NOT_FOUND", details: TIE_FAILURES.missing };
    const problem = isObject(ruleDetails)
      ? checkRuleDetails(ruleDetails, { program, countryCode })
      : undefined;
    const isState = ruleState === undefined || ruleState === "ACTIVE" || ruleState === "PAUSED";
    if (problem !== undefined || !isState) {
      return { code: "INVALID_ARGUMENT", details: problem ?? "ruleState must be ACTIVE or PAUSED", ruleId };
    }
    const now = context.clock.now();
    const after: JsonObject = {
      ...before,
      ...(isObject(ruleDetails) ? { ruleDetails } : {}),
      ...(ruleState === undefined ? {} : { ruleState, ruleStatus: ruleState }),
      lastUpdatedDate: now,
    };
    rules.replace({ ...after, versions: [...versionsOf(before), versionOf(after, now)] });
    return { code: "SUCCESS", details: "", ruleId, associatedCampaignIds: tiedTo(after) };
  });
  return jsonResponse(207, { responses }, { type: context.responseType });
}

/** Returns the versions of a rule. Rules from a copy or the demo have had a single version since their creation. */
function versionsOf(rule: JsonObject): Json[] {
  return Array.isArray(rule.versions) ? rule.versions : [versionOf(rule, Number(rule.createdDate ?? 0))];
}

function versionOf({ ruleState = null, ruleDetails = null }: JsonObject, at: number): JsonObject {
  return { at, ruleState, ruleDetails };
}

function listCampaignsOfRule(program: Program, context: Context): HttpResponse {
  const rule = demandRule(program, context);
  const campaigns = context.profile.collection(`${program}.campaigns`);
  const tied = tiedTo(rule).map((id) => campaigns.get(id)).filter((campaign) => campaign !== undefined);
  const { found, nextToken } = takePage(context, tied, (campaign) => campaign.campaignId);
  const associatedCampaigns = found.map((campaign) => ({
    campaignId: String(campaign.campaignId),
    campaignName: campaign.name,
    ruleStatus: rule.ruleStatus,
  }));
  return jsonResponse(200, { associatedCampaigns, ...nextToken }, { type: context.responseType });
}

function listBudgetRules(program: Program, context: Context): HttpResponse {
  const campaignId = demandCampaign(program, context.params.campaignId, context);
  const tied = rulesOf(program, context).all().filter((rule) => isTied(rule, campaignId));
  return jsonResponse(200, { associatedRules: tied.map(toWire) }, { type: context.responseType });
}

function addBudgetRules(program: Program, context: Context): HttpResponse {
  const campaignId = demandCampaign(program, context.params.campaignId, context);
  const body = readObject(context.body, ["budgetRuleIds"]);
  const responses = readTexts(body.budgetRuleIds, "budgetRuleIds", MAX_RULES).map((ruleId) => {
    const failure = tie(context, { collection: nameOf(program), ruleId, campaignId });
    return failure === undefined ? { ruleId, code: "SUCCESS", details: "" } : {
      ruleId,
      code: failure === "missing" ? "NOT_FOUND" : "INVALID_ARGUMENT",
      details: TIE_FAILURES[failure],
    };
  });
  return jsonResponse(207, { responses }, { type: context.responseType });
}

function removeBudgetRule(program: Program, context: Context): HttpResponse {
  const campaignId = demandCampaign(program, context.params.campaignId, context);
  const ruleId = context.params.budgetRuleId ?? "";
  if (!untie(context, { collection: nameOf(program), ruleId, campaignId })) {
    throw refusal(422, `The budget rule is not associated with campaign ${campaignId}`, "details");
  }
  return jsonResponse(200, {}, { type: context.responseType });
}

function nameOf(program: Program): string {
  return `${program}.budget_rules`;
}

function rulesOf(program: Program, { profile }: Context) {
  return profile.collection(nameOf(program));
}

function demandRule(program: Program, context: Context): JsonObject {
  const id = context.params.budgetRuleId ?? "";
  const rule = rulesOf(program, context).get(id);
  if (rule === undefined) throw refusal(404, `Budget rule ${id} was not found`, "details");
  return rule;
}

function readRules(body: Json | undefined): JsonObject[] {
  const { budgetRulesDetails: rules } = readObject(body, ["budgetRulesDetails"]);
  if (!Array.isArray(rules) || rules.length === 0 || rules.length > MAX_RULES || !rules.every(isObject)) {
    throw refusal(400, `budgetRulesDetails must be a list of 1 to ${MAX_RULES} rules`, "details");
  }
  return rules;
}

function takePage(
  { query }: Context,
  entities: readonly JsonObject[],
  idOf: (entity: JsonObject) => Json | undefined,
): { readonly found: readonly JsonObject[]; readonly nextToken: { readonly nextToken?: string } } {
  const pageSize = Number(query.get("pageSize"));
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE) {
    throw refusal(400, `pageSize must be a whole number from 1 to ${MAX_PAGE}`, "details");
  }
  const token = query.get("nextToken");
  const start = token === null ? 0 : entities.findIndex((entity) => String(idOf(entity)) === token);
  if (start < 0) throw refusal(400, "nextToken is not valid", "details");
  const next = entities[start + pageSize];
  return {
    found: entities.slice(start, start + pageSize),
    nextToken: next === undefined ? {} : { nextToken: String(idOf(next)) },
  };
}

function toWire({ campaignIds: _, spans: __, versions: ___, ...rule }: JsonObject): JsonObject {
  return rule;
}

function checkRuleDetails(
  details: JsonObject,
  { program, countryCode }: { readonly program: Program; readonly countryCode: string },
): string | undefined {
  const { name, ruleType, duration, budgetIncreaseBy, recurrence, performanceMeasureCondition } = details;
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME) {
    return `name must have 1 to ${MAX_NAME} characters`;
  }
  if (ruleType !== "SCHEDULE" && ruleType !== "PERFORMANCE") {
    return "ruleType must be SCHEDULE or PERFORMANCE";
  }
  if (
    !isObject(budgetIncreaseBy) || budgetIncreaseBy.type !== "PERCENT" || !isPositive(budgetIncreaseBy.value)
  ) {
    return "budgetIncreaseBy must be a PERCENT above 0: rules only raise budgets";
  }
  if (!isObject(duration) || !hasDuration(duration)) {
    return "duration must have a range of dates or an event";
  }
  if (recurrence !== undefined && (!isObject(recurrence) || !isRecurrence(recurrence.type))) {
    return "recurrence.type must be DAILY or WEEKLY";
  }
  if (isObject(recurrence) && recurrence.intraDaySchedule !== undefined) {
    if (ruleType === "PERFORMANCE") return "intraDaySchedule is for SCHEDULE rules";
    if (!MARKETS_WITH_BUDGET_HOURS.includes(countryCode)) {
      return `intraDaySchedule is not available in ${countryCode}`;
    }
  }
  return ruleType === "PERFORMANCE"
    ? checkCondition(performanceMeasureCondition, METRICS[program])
    : undefined;
}

function checkCondition(condition: Json | undefined, metrics: readonly string[]): string | undefined {
  if (!isObject(condition)) return "performanceMeasureCondition is required for a PERFORMANCE rule";
  const { metricName, comparisonOperator, threshold } = condition;
  if (!metrics.includes(String(metricName))) return `metricName must be one of ${metrics.join(", ")}`;
  if (!COMPARISONS.includes(String(comparisonOperator))) {
    return `comparisonOperator must be one of ${COMPARISONS.join(", ")}`;
  }
  return typeof threshold === "number" ? undefined : "threshold must be a number";
}

function hasDuration(
  { dateRangeTypeRuleDuration: range, eventTypeRuleDuration: event }: JsonObject,
): boolean {
  const isRange = isObject(range) && /^\d{4}-?\d{2}-?\d{2}$/.test(String(range.startDate));
  return isRange || (isObject(event) && typeof event.eventId === "string");
}

function isPositive(value: Json | undefined): boolean {
  return typeof value === "number" && value > 0;
}

function isRecurrence(type: Json | undefined): boolean {
  return type === "DAILY" || type === "WEEKLY";
}
