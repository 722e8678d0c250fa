import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { refusal } from "../../http/refusal.ts";
import { readObject, readTexts } from "../../routing/read_request.ts";
import { nextSeasons } from "./seasons.ts";

const BUDGET_RULES = "sp.budget_rules";
const OPTIMIZATION_RULES = "sp.optimization_rules";
const MAX_RULES = 25;
const LARGEST_PAGE = 30;

/** Responds with every budget rule of the profile, page by page; the page token is the id of the next rule. */
export function listAllBudgetRules(context: Context): HttpResponse {
  const pageSize = Number(context.query.get("pageSize"));
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > LARGEST_PAGE) {
    throw refusal(400, `pageSize must be a whole number from 1 to ${LARGEST_PAGE}`, "details");
  }
  const rules = context.profile.collection(BUDGET_RULES);
  const token = context.query.get("nextToken");
  const start = token === null ? 0 : rules.positionOf(token);
  if (start === undefined) throw refusal(400, "nextToken is not valid", "details");
  const next = rules.at(start + pageSize);
  return jsonResponse(200, {
    budgetRulesForAdvertiserResponse: rules.all().slice(start, start + pageSize).map(toWire),
    ...(next === undefined ? {} : { nextToken: next.ruleId }),
  }, { type: context.responseType });
}

/** Responds with the budget rules that a campaign is tied to. */
export function listBudgetRules(context: Context): HttpResponse {
  const campaignId = demandCampaign(context.params.campaignId, context);
  const tied = context.profile.collection(BUDGET_RULES).all().filter((rule) => isTied(rule, campaignId));
  return jsonResponse(200, { associatedRules: tied.map(toWire) }, { type: context.responseType });
}

/** Ties a campaign to budget rules. */
export function addBudgetRules(context: Context): HttpResponse {
  const campaignId = demandCampaign(context.params.campaignId, context);
  const body = readObject(context.body, ["budgetRuleIds"]);
  const responses = readTexts(body.budgetRuleIds, "budgetRuleIds", MAX_RULES).map((ruleId) => {
    const failure = tie(context, { collection: BUDGET_RULES, ruleId, campaignId });
    return failure === undefined
      ? { ruleId, code: "SUCCESS", details: "" }
      : { ruleId, code: failure === "missing" ? "NOT_FOUND" : "INVALID_ARGUMENT", details: DETAILS[failure] };
  });
  return jsonResponse(207, { responses }, { type: context.responseType });
}

/** Unties a campaign from a budget rule. */
export function removeBudgetRule(context: Context): HttpResponse {
  const campaignId = demandCampaign(context.params.campaignId, context);
  const collection = context.profile.collection(BUDGET_RULES);
  const rule = collection.get(context.params.budgetRuleId!);
  if (rule === undefined || !isTied(rule, campaignId)) {
    throw refusal(422, `The budget rule is not associated with campaign ${campaignId}`, "details");
  }
  collection.replace({ ...rule, campaignIds: tiedTo(rule).filter((id) => id !== campaignId) });
  return jsonResponse(200, {}, { type: context.responseType });
}

/** Ties a campaign to optimization rules; unlike budget rules, the verdicts are HTTP statuses as text. */
export function addOptimizationRules(context: Context): HttpResponse {
  const campaignId = demandCampaign(context.params.campaignId, context);
  const body = readObject(context.body, ["optimizationRuleIds"]);
  const responses = readTexts(body.optimizationRuleIds, "optimizationRuleIds", MAX_RULES).map((ruleId) => {
    const failure = tie(context, { collection: OPTIMIZATION_RULES, ruleId, campaignId });
    if (failure === undefined) {
      return {
        code: "200",
        details: `Rule ${ruleId} now applies to campaign ${campaignId}`,
        optimizationRuleId: ruleId,
      };
    }
    const code = failure === "missing" ? "404" : "400";
    return { code, details: DETAILS[failure], optimizationRuleId: ruleId };
  });
  return jsonResponse(207, { code: "207", responses }, { type: context.responseType });
}

/** Responds with seasons for which a campaign's budget is worth raising. */
export function recommendBudgetRules(context: Context): HttpResponse {
  const { campaignId } = readObject(context.body, ["campaignId"]);
  if (typeof campaignId !== "string") throw refusal(400, "campaignId is required", "details");
  demandCampaign(campaignId, context);
  const today = context.clock.day(context.profile.record.timezone);
  const recommendedBudgetRuleEvents = nextSeasons(today, 4).map((season) => ({
    eventId: season.key,
    eventName: season.name,
    startDate: season.startDate,
    endDate: season.endDate,
    suggestedBudgetIncreasePercent: season.increasePercent,
  }));
  return jsonResponse(200, { recommendedBudgetRuleEvents }, { type: context.responseType });
}

type Failure = "missing" | "tied";

const DETAILS: Readonly<Record<Failure, string>> = {
  missing: "The rule was not found",
  tied: "The rule is associated with the campaign already",
};

function tie(
  { profile }: Context,
  { collection: name, ruleId, campaignId }: { collection: string; ruleId: string; campaignId: string },
): Failure | undefined {
  const collection = profile.collection(name);
  const rule = collection.get(ruleId);
  if (rule === undefined) return "missing";
  if (isTied(rule, campaignId)) return "tied";
  collection.replace({ ...rule, campaignIds: [...tiedTo(rule), campaignId] });
  return undefined;
}

function demandCampaign(campaignId: string | undefined, { profile }: Context): string {
  const campaign = profile.collection("sp.campaigns").get(campaignId ?? "");
  if (campaign === undefined) throw refusal(404, `Campaign ${campaignId} was not found`, "details");
  return String(campaign.campaignId);
}

function toWire({ campaignIds: _, ...rule }: JsonObject): JsonObject {
  return rule;
}

function isTied(rule: JsonObject, campaignId: string): boolean {
  return tiedTo(rule).includes(campaignId);
}

function tiedTo(rule: JsonObject): string[] {
  return rule.campaignIds as string[];
}
