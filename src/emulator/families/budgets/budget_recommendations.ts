import { addDays } from "../../core/day_span.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { budgetRange, usualBid } from "../../core/marketplaces.ts";
import { hash } from "../../core/random.ts";
import { nextSeasons } from "../../core/seasons.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readObject, readTexts, steady, steadyWhole } from "../../routing/read_request.ts";

const MAX_IDS = 100;

export function recommendBudgets(context: Context): HttpResponse {
  const body = readObject(context.body, ["campaignIds"]);
  const ids = readTexts(body.campaignIds, "campaignIds", MAX_IDS);
  const found: JsonObject[] = [];
  const failed: JsonObject[] = [];
  for (const [index, campaignId] of ids.entries()) {
    const campaign = context.profile.collection("sp.campaigns").get(campaignId);
    if (campaign === undefined || campaign.state === "ARCHIVED") {
      const details = `Campaign ${campaignId} was not found or is archived`;
      failed.push({ campaignId, index, Error: { code: "NOT_FOUND", details } });
    } else found.push({ campaignId, index, ...recommend(campaign, context) });
  }
  return jsonResponse(200, {
    budgetRecommendationsSuccessResults: found,
    budgetRecommendationsErrorResults: failed,
  }, { type: context.responseType });
}

export function recommendFlatBudgets(program: "sb" | "sd", context: Context): HttpResponse {
  const body = readObject(context.body, ["campaignIds"]);
  const found: JsonObject[] = [];
  const failed: JsonObject[] = [];
  for (const [index, campaignId] of readTexts(body.campaignIds, "campaignIds", MAX_IDS).entries()) {
    const campaign = context.profile.collection(`${program}.campaigns`).get(campaignId);
    if (campaign === undefined || String(campaign.state).toUpperCase() === "ARCHIVED") {
      const details = `Campaign ${campaignId} was not found or is archived`;
      failed.push({ campaignId, index, code: "NOT_FOUND", details });
    } else {
      const { budgetRuleRecommendation: _, ...advice } = recommend(campaign, context);
      found.push({ campaignId, index, ...advice });
    }
  }
  const value = program === "sb"
    ? { success: found, error: failed }
    : { budgetRecommendationsSuccessResults: found, budgetRecommendationsErrorResults: failed };
  return jsonResponse(207, value, { type: context.responseType });
}

function recommend(campaign: JsonObject, { clock, profile }: Context): JsonObject {
  const { timezone } = profile.record;
  const today = clock.day(timezone);
  const seed = `${campaign.campaignId} ${today}`;
  const budget = Number(isObject(campaign.budget) ? campaign.budget.budget : campaign.budget);
  const inBudget = steadyWhole(`time ${seed}`, 45, 100);
  const missed = 100 - inBudget;
  const [season] = nextSeasons(today, 1);
  const clicks = Math.round(missed * steady(`clicks ${seed}`, 0.5, 3));
  return {
    suggestedBudget: Math.ceil(budget * (1 + missed / 100)),
    sevenDaysMissedOpportunities: {
      startDate: addDays(today, -7),
      endDate: addDays(today, -1),
      percentTimeInBudget: inBudget,
      estimatedMissedClicksLower: clicks,
      estimatedMissedClicksUpper: Math.round(clicks * 1.6),
      estimatedMissedImpressionsLower: clicks * 110,
      estimatedMissedImpressionsUpper: clicks * 180,
      estimatedMissedSalesLower: Number((clicks * budget * 0.04).toFixed(2)),
      estimatedMissedSalesUpper: Number((clicks * budget * 0.07).toFixed(2)),
    },
    budgetRuleRecommendation: {
      ruleId: season!.key,
      ruleName: season!.name,
      suggestedBudgetIncreasePercent: season!.increasePercent,
    },
  };
}

const STRATEGIES = ["AUTO_FOR_SALES", "LEGACY_FOR_SALES", "MANUAL", "RULE_BASED"];
const CLICKS_A_DAY = 30;

export function recommendInitialBudget(context: Context): HttpResponse {
  const { profile, clock, responseType } = context;
  const { asins, expressions } = readRequest(context.body);
  const seed = [...asins, ...expressions].sort().join(" ");
  const { countryCode } = profile.record;
  const [lowest] = budgetRange(countryCode, "sp");
  const usual = usualBid(countryCode) * CLICKS_A_DAY * steady(seed, 0.7, 1.6) *
    (1 + expressions.length / 100);
  const dailyBudget = Math.max(Math.ceil(lowest), Math.round(usual));
  const specialEvents = nextSeasons(clock.day(profile.record.timezone), 3).map((season) => {
    const budgetModifier = 1 + season.increasePercent / 100;
    return {
      eventKey: season.key,
      eventName: season.name,
      startDate: season.startDate,
      endDate: season.endDate,
      budgetModifier,
      dailyBudget: Math.round(dailyBudget * budgetModifier),
      benchmark: benchmark(CLICKS_A_DAY * budgetModifier),
    };
  });
  return jsonResponse(200, {
    recommendationId: `budget-${(hash(seed) >>> 0).toString(16)}`,
    dailyBudget,
    benchmark: benchmark(CLICKS_A_DAY),
    specialEvents,
  }, { type: responseType });
}

function readRequest(body: Json | undefined): { asins: string[]; expressions: string[] } {
  if (!isObject(body)) throw bad("Request body must be an object");
  const { adGroups, bidding, targetingType } = body;
  if (!isObject(bidding) || !STRATEGIES.includes(String(bidding.strategy))) {
    throw bad(`bidding.strategy must be one of: ${STRATEGIES.join(", ")}`);
  }
  if (targetingType !== "auto" && targetingType !== "manual") {
    throw bad("targetingType must be auto or manual");
  }
  if (!Array.isArray(adGroups) || adGroups.length !== 1 || !isObject(adGroups[0])) {
    throw bad("adGroups must hold one ad group");
  }
  const [{ asins, targetingExpressions }] = adGroups as [JsonObject];
  if (!isList(asins, 50) || !asins.every((asin) => typeof asin === "string")) {
    throw bad("asins must be a list of 1 to 50 products");
  }
  if (!isList(targetingExpressions, 100) || !targetingExpressions.every(isObject)) {
    throw bad("targetingExpressions must be a list of 1 to 100 expressions");
  }
  const expressions = (targetingExpressions as JsonObject[]).map(({ type, value }) =>
    `${type}=${value ?? ""}`
  );
  return { asins: asins as string[], expressions };
}

function isList(value: Json | undefined, max: number): value is Json[] {
  return Array.isArray(value) && value.length > 0 && value.length <= max;
}

function benchmark(clicks: number): JsonObject {
  return {
    benchmarkStatus: "success",
    values: { clicks: range(clicks), conversions: range(clicks * 0.08), impressions: range(clicks * 120) },
  };
}

function range(middle: number): JsonObject {
  return { lower: Math.floor(middle * 0.8), upper: Math.ceil(middle * 1.2) };
}

/** Errors of this operation have a message and no code. */
function bad(message: string): Refusal {
  return new Refusal(jsonResponse(400, { message }));
}
