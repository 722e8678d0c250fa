import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readObject } from "../../routing/read_request.ts";
import { demandCampaign, type Program } from "./rule_ties.ts";
import { nextSeasons } from "./seasons.ts";

/** Responds with seasons for which a campaign's budget is worth raising. */
export function recommendBudgetRules(program: Program, context: Context): HttpResponse {
  const { campaignId } = readObject(context.body, ["campaignId"]);
  if (typeof campaignId !== "string") throw refusal(400, "campaignId is required", "details");
  demandCampaign(program, campaignId, context);
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
