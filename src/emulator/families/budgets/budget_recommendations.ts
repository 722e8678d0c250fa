import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { readObject, readTexts, steady, steadyWhole } from "../../routing/read_request.ts";
import { nextSeasons } from "../../core/seasons.ts";

const MAX_IDS = 100;
const DAY = 86_400_000;

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
      startDate: dayBefore(today, 7),
      endDate: dayBefore(today, 1),
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

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY).toISOString().slice(0, 10);
}
