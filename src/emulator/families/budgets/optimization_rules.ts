import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readObject, readTexts } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import { demandCampaign, isTied, tie, TIE_FAILURES } from "./rule_ties.ts";

const KIND = "sp.optimization_rules";
const V2 = "application/vnd.spoptimizationrules.v2+json";
const V1 = "application/vnd.spoptimizationrules.v1+json";
const MAX_RULES = { [V1]: 1, [V2]: 300 } as Readonly<Record<string, number>>;
const MAX_PAGE = 300;
const DAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
const FIELDS = [
  "ruleName",
  "ruleCategory",
  "ruleSubCategory",
  "status",
  "action",
  "conditions",
  "recurrence",
  "targeting",
];

const MAX_TIES = 25;
/** Excludes paused and ended rules. */
const MAX_SCHEDULE_RULES = 20;

export const OPTIMIZATION_RULE_ROUTES: readonly Route[] = [
  route("CreateOptimizationRules", "POST", { path: "", handle: create }),
  route("UpdateOptimizationRules", "PUT", { path: "", handle: update }),
  route("SearchOptimizationRules", "POST", { path: "/search", handle: search }),
  {
    operation: "sponsored-products:AssociateOptimizationRulesToCampaign",
    method: "POST",
    path: "/sp/campaigns/{campaignId}/optimizationRules",
    requestTypes: [V1],
    responseTypes: [V1],
    handle: addToCampaign,
  },
];

function route(
  name: string,
  method: Route["method"],
  { path, handle }: { readonly path: string; readonly handle: Route["handle"] },
): Route {
  return {
    operation: `sponsored-products:${name}`,
    method,
    path: `/sp/rules/optimization${path}`,
    requestTypes: [V2, V1],
    responseTypes: [V2, V1],
    handle,
  };
}

function create(context: Context): HttpResponse {
  const rules = context.profile.collection(KIND);
  return runBatch(context, (item) => {
    const problem = checkRule(item, ["ruleName", "ruleCategory", "ruleSubCategory", "status", "recurrence"]);
    if (problem !== undefined) return problem;
    const ruleId = `bid-rule-${context.state.newId()}`;
    const now = context.clock.now();
    rules.insert({ ...item, ruleId, campaignIds: [], spans: [], versions: [versionOf(item, now)] });
    return { ...item, optimizationRuleId: ruleId };
  });
}

function update(context: Context): HttpResponse {
  const rules = context.profile.collection(KIND);
  return runBatch(context, (item) => {
    const { optimizationRuleId, ...fields } = item;
    const before = rules.get(String(optimizationRuleId));
    if (before === undefined) return ["404", "The rule was not found"];
    const problem = checkRule(fields, ["ruleName", "ruleCategory", "ruleSubCategory", "status"]);
    if (problem !== undefined) return problem;
    const after: JsonObject = { ...before, ...fields };
    const versions = Array.isArray(before.versions) ? before.versions : [versionOf(before, 0)];
    rules.replace({ ...after, versions: [...versions, versionOf(after, context.clock.now())] });
    return toWire(after);
  });
}

/** Makes a version of a rule, which takes effect within a day. */
function versionOf(
  { status, action = null, recurrence = null, conditions = null }: JsonObject,
  at: number,
): JsonObject {
  return { at, status: status ?? null, action, recurrence, conditions };
}

function search(context: Context): HttpResponse {
  const body = readObject(context.body ?? {}, [
    "campaignFilter",
    "maxResults",
    "nextToken",
    "optimizationRuleFilter",
    "sortBy",
  ]);
  const { maxResults = MAX_PAGE, nextToken, campaignFilter, optimizationRuleFilter } = body;
  if (typeof maxResults !== "number" || maxResults < 1 || maxResults > MAX_PAGE) {
    throw refusal(400, `maxResults must be a number from 1 to ${MAX_PAGE}`);
  }
  const campaigns = filterOf(isObject(campaignFilter) ? campaignFilter.campaignId : undefined);
  const filter = isObject(optimizationRuleFilter) ? optimizationRuleFilter : {};
  const wanted = ([
    ["optimizationRuleId", "ruleId"],
    ["ruleCategory", "ruleCategory"],
    ["ruleName", "ruleName"],
    ["ruleStatus", "status"],
    ["ruleSubCategory", "ruleSubCategory"],
  ] as const).map(([name, field]) => ({ field, filter: filterOf(filter[name]) }));
  const found = context.profile.collection(KIND).all().filter((rule) =>
    (campaigns === undefined || campaigns.values.some((id) => isTied(rule, id))) &&
    wanted.every(({ field, filter }) =>
      filter === undefined ||
      filter.values.some((value) =>
        filter.isBroad
          ? String(rule[field]).toLowerCase().includes(value.toLowerCase())
          : rule[field] === value
      )
    )
  );
  const start = nextToken === undefined ? 0 : Number(nextToken);
  if (!Number.isInteger(start) || start < 0) throw refusal(400, "nextToken is not valid");
  const end = start + maxResults;
  return jsonResponse(200, {
    code: "200",
    optimizationRules: found.slice(start, end).map(toWire),
    ...(end < found.length ? { nextToken: String(end) } : {}),
  }, { type: context.responseType });
}

/** Adds rules to a campaign. Unlike for budget rules, each item's result is an HTTP status as text. */
function addToCampaign(context: Context): HttpResponse {
  const campaignId = demandCampaign("sp", context.params.campaignId, context);
  const body = readObject(context.body, ["optimizationRuleIds"]);
  const responses = readTexts(body.optimizationRuleIds, "optimizationRuleIds", MAX_TIES).map((ruleId) => {
    if (isFull(context, campaignId)) {
      const details = `Campaign ${campaignId} has ${MAX_SCHEDULE_RULES} schedule rules already`;
      return { code: "400", details, optimizationRuleId: ruleId };
    }
    const failure = tie(context, { collection: KIND, ruleId, campaignId });
    if (failure === undefined) {
      const details = `Rule ${ruleId} now applies to campaign ${campaignId}`;
      return { code: "200", details, optimizationRuleId: ruleId };
    }
    const code = failure === "missing" ? "404" : "400";
    return { code, details: TIE_FAILURES[failure], optimizationRuleId: ruleId };
  });
  return jsonResponse(207, { code: "207", responses }, { type: context.responseType });
}

function isFull({ profile }: Context, campaignId: string): boolean {
  const own = profile.collection(KIND).all().filter((rule) =>
    isTied(rule, campaignId) && rule.ruleSubCategory === "SCHEDULE" &&
    (rule.status === "ENABLED" || rule.status === "SCHEDULED")
  );
  return own.length >= MAX_SCHEDULE_RULES;
}

function filterOf(
  filter: Json | undefined,
): { readonly values: readonly string[]; readonly isBroad: boolean } | undefined {
  if (!isObject(filter) || !Array.isArray(filter.values)) return undefined;
  return { values: filter.values.map(String), isBroad: filter.filterType === "BROAD_MATCH" };
}

type Verdict = JsonObject | readonly [code: string, details: string];

function runBatch(context: Context, act: (item: JsonObject) => Verdict): HttpResponse {
  const { optimizationRules: items } = readObject(context.body, ["optimizationRules"]);
  const most = MAX_RULES[context.responseType] ?? MAX_RULES[V2]!;
  if (!Array.isArray(items) || items.length === 0 || items.length > most || !items.every(isObject)) {
    throw refusal(400, `optimizationRules must be a list of 1 to ${most} rules`);
  }
  const responses = items.map((item): JsonObject => {
    const verdict = act(item);
    if (Array.isArray(verdict)) {
      const [code, details] = verdict as readonly [string, string];
      return { code, details };
    }
    return { code: "200", details: "", optimizationRule: verdict as JsonObject };
  });
  return jsonResponse(207, { code: "207", responses }, { type: context.responseType });
}

function checkRule(rule: JsonObject, needed: readonly string[]): readonly [string, string] | undefined {
  const bad = (details: string): readonly [string, string] => ["400", details];
  const missing = needed.find((name) => rule[name] === undefined);
  if (missing !== undefined) return bad(`${missing} is required`);
  const unknown = Object.keys(rule).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return bad(`The noted field is not allowed with this API endpoint : ${unknown}`);
  const { status, recurrence, action, ruleSubCategory } = rule;
  if (!["ENABLED", "PAUSED", "SCHEDULED", "ENDED"].includes(String(status))) {
    return bad("status must be ENABLED, PAUSED, SCHEDULED or ENDED");
  }
  if (action !== undefined) {
    const details = isObject(action) && isObject(action.actionDetails) ? action.actionDetails : {};
    if (!isObject(action) || action.actionType !== "ADOPT") return bad("actionType must be ADOPT");
    if (details.actionOperator !== "INCREMENT" || details.actionUnit !== "PERCENT") {
      return bad("actionDetails must be an INCREMENT in PERCENT: rules only raise bids");
    }
    if (typeof details.value !== "number" || details.value <= 0) return bad("value must be above 0");
  } else if (ruleSubCategory === "SCHEDULE" && needed.includes("recurrence")) {
    return bad("action is required");
  }
  if (recurrence === undefined) return undefined;
  if (!isObject(recurrence) || !["DAILY", "WEEKLY"].includes(String(recurrence.type))) {
    return bad("recurrence.type must be DAILY or WEEKLY");
  }
  if (!isObject(recurrence.duration)) return bad("recurrence.duration is required");
  const { daysOfWeek, timesOfDay } = recurrence;
  const isWeekly = recurrence.type === "WEEKLY";
  const days = Array.isArray(daysOfWeek) ? daysOfWeek : [];
  if (isWeekly && (days.length === 0 || !days.every((day) => DAYS.includes(String(day))))) {
    return bad("daysOfWeek must name the days of a WEEKLY rule");
  }
  if (timesOfDay === undefined) return undefined;
  const [window, ...more] = Array.isArray(timesOfDay) ? timesOfDay : [];
  if (!isObject(window) || more.length > 0) return bad("timesOfDay must have one window");
  const [from, to] = [window.startTime, window.endTime].map((text) =>
    /^([01]\d|2[0-4]):00$/.test(String(text)) ? Number(String(text).slice(0, 2)) : NaN
  );
  return from! < to! ? undefined : bad("timesOfDay must begin and end on the hour, and begin first");
}

function toWire({ ruleId, campaignIds: _, spans: __, versions: ___, ...rule }: JsonObject): JsonObject {
  return { ...rule, optimizationRuleId: ruleId ?? null };
}
