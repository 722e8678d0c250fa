import assert from "node:assert/strict";
import { neutralise } from "../../scripts/catalog/neutral_words.ts";
import { summaryOf } from "../../scripts/catalog/summary.ts";

for (
  const [name, expected] of [
    ["listNegativeKeywords", "List negative keywords"],
    ["ListSponsoredProductsNegativeKeywords", "List Sponsored Products negative keywords"],
    ["SPCreateCampaign", "Create campaign (Sponsored Products)"],
    ["SPGlobalCreateCampaign", "Create campaign (Sponsored Products, global)"],
    ["sbCampaignsBudgetUsage", "Campaigns budget usage (Sponsored Brands)"],
    ["SBAdsApiv1CreateReservedTargetPricing", "Create reserved target pricing (Sponsored Brands)"],
    ["DspGetAdGroup3PTargeting", "Get ad group 3P targeting (DSP)"],
    ["dspPlatformCreateConversionDefinitions", "Create conversion definitions (DSP)"],
    ["getCategoryRecommendationsForASINs", "Get category recommendations for ASINs"],
    ["DspListAdGroupV1", "List ad group v1 (DSP)"],
    ["get__v2_reports_{reportId}", "Get v2 reports by report id"],
    ["get__sd_adGroups_{adGroupId}_optimizationRules", "Get SD ad groups optimization rules"],
    ["post__v2_dp_audiencemetadata_", "Post v2 dp audiencemetadata"],
    ["CreateSponsoredTvAdGroups", "Create Sponsored TV ad groups"],
    ["list_invoice_summaries", "List invoice summaries"],
    ["spend", "Spend"],
    ["日本", "日本"],
  ] as const
) {
  Deno.test(`summaryOf("${name}") is "${expected}"`, () => assert.equal(summaryOf(name), expected));
}

for (
  const [text, words, expected] of [
    ["dspAcmeAdTag acme ACME-ID Acme", ["acme"], "dspPlatformAdTag platform PLATFORM-ID Platform"],
    ["aCme", ["acme"], "platform"],
    ["acme zap", ["acme", "zap"], "platform platform"],
    ["a.b axb", ["a.b"], "platform axb"],
    ["acme", [], "acme"],
    ["acme", [""], "acme"],
  ] as const
) {
  Deno.test(`neutralise(${JSON.stringify(text)}, ${JSON.stringify(words)}) is "${expected}"`, () => {
    assert.equal(neutralise(text, words), expected);
  });
}
