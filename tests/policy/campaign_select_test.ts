import { deepEqual } from "../support/assert.ts";
import { type CampaignSelect, isSelected } from "../../src/plans/policy/campaign_select.ts";

const PORTFOLIOS = new Map([["7", "Autumn shoes"], ["8", "Winter"]]);
const CAMPAIGNS = [
  { campaignId: "1", name: "One", portfolioId: "7" },
  { campaignId: "2", name: "Two", portfolioId: "8" },
  { campaignId: "3", name: "Three" },
  // The portfolio is not in the list of those that are there.
  { campaignId: "4", name: "Four", portfolioId: "9" },
];

function selected(select: CampaignSelect): string[] {
  return CAMPAIGNS.flatMap((campaign) =>
    isSelected(campaign, "sp.campaigns", { select }, PORTFOLIOS) ? [campaign.campaignId] : []
  );
}

Deno.test("campaigns are selected by ids and name patterns of portfolios, and by nothing where they have none", () => {
  deepEqual(selected({ portfolios: ["8"] }), ["2"]);
  deepEqual(selected({ portfolios: ["9"] }), ["4"]);
  deepEqual(selected({ portfolios: ["autumn *"] }), ["1"]);
  deepEqual(selected({ portfolios: ["*"] }), ["1", "2"]);
  deepEqual(selected({ portfolios: ["undefined"] }), []);
});

Deno.test("a campaign is selected only if everything holds that a selection names", () => {
  deepEqual(selected({}), ["1", "2", "3", "4"]);
  deepEqual(selected({ ids: ["1", "3"], names: ["T*", "O*"] }), ["1", "3"]);
  deepEqual(selected({ ids: ["1", "3"], names: ["T*"] }), ["3"]);
  deepEqual(selected({ ids: ["1", "3"], portfolios: ["*"] }), ["1"]);
  deepEqual(selected({ ids: ["1", "3"], when: 'entity.name == "Three"' }), ["3"]);
  deepEqual(selected({ when: "campaign.budget < 5.0" }), [], "what cannot be judged is not selected");
});
