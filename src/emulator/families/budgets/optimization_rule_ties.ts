import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { readObject, readTexts } from "../../routing/read_request.ts";
import { demandCampaign, tie, TIE_FAILURES } from "./rule_ties.ts";

const MAX_RULES = 25;

/** Ties a campaign to optimization rules; unlike budget rules, the verdicts are HTTP statuses as text. */
export function addOptimizationRules(context: Context): HttpResponse {
  const campaignId = demandCampaign("sp", context.params.campaignId, context);
  const body = readObject(context.body, ["optimizationRuleIds"]);
  const responses = readTexts(body.optimizationRuleIds, "optimizationRuleIds", MAX_RULES).map((ruleId) => {
    const failure = tie(context, { collection: "sp.optimization_rules", ruleId, campaignId });
    if (failure === undefined) {
      return {
        code: "200",
        details: `Rule ${ruleId} now applies to campaign ${campaignId}`,
        optimizationRuleId: ruleId,
      };
    }
    const code = failure === "missing" ? "404" : "400";
    return { code, details: TIE_FAILURES[failure], optimizationRuleId: ruleId };
  });
  return jsonResponse(207, { code: "207", responses }, { type: context.responseType });
}
