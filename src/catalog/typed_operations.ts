const SPONSORED_PRODUCTS_RESOURCES: Readonly<Record<string, string>> = {
  Campaigns: "sp.campaigns",
  AdGroups: "sp.adGroups",
  Keywords: "sp.keywords",
  TargetingClauses: "sp.targets",
  NegativeKeywords: "sp.negativeKeywords",
  NegativeTargetingClauses: "sp.negativeTargets",
  CampaignNegativeKeywords: "sp.campaignNegativeKeywords",
  CampaignNegativeTargetingClauses: "sp.campaignNegativeTargets",
  ProductAds: "sp.productAds",
};

function resourceOperations(): [string, string][] {
  return Object.entries(SPONSORED_PRODUCTS_RESOURCES).flatMap(([entity, resource]) =>
    ["List", "Create", "Update", "Delete"].map((verb): [string, string] => [
      `sponsored-products:${verb}SponsoredProducts${entity}`,
      `${resource}.${verb.toLowerCase()}`,
    ])
  );
}

/**
 * The operations that a hand-written method serves, with the name of that method.
 *
 * Names are as a reader writes them behind a profile's client (`sp.keywords.list` is `us.sp.keywords.list`);
 * those that begin with `PlatformAds.` are on the account-level client.
 */
export const TYPED_OPERATIONS: ReadonlyMap<string, string> = new Map<string, string>([
  ...resourceOperations(),
  ["sponsored-products:spCampaignsBudgetUsage", "sp.campaigns.budgetUsage"],
  ["sponsored-products:getBudgetRecommendations", "sp.campaigns.budgetRecommendations"],
  ["sponsored-products:getBudgetRecommendation", "sp.campaigns.initialBudgetRecommendation"],
  ["sponsored-products:ListAssociatedBudgetRulesForSPCampaigns", "sp.campaigns.budgetRules"],
  ["sponsored-products:CreateAssociatedBudgetRulesForSPCampaigns", "sp.campaigns.addBudgetRules"],
  ["sponsored-products:DisassociateAssociatedBudgetRuleForSPCampaigns", "sp.campaigns.removeBudgetRule"],
  ["sponsored-products:SPGetBudgetRulesRecommendation", "sp.campaigns.budgetRuleRecommendations"],
  ["sponsored-products:AssociateOptimizationRulesToCampaign", "sp.campaigns.addOptimizationRules"],
  ["sponsored-products:getTargetableCategories", "sp.targets.categories"],
  ["sponsored-products:getTargetableASINCounts", "sp.targets.productCounts"],
  ["sponsored-products:getRefinementsForCategory", "sp.targets.refinements"],
  ["sponsored-products:getCategoryRecommendationsForASINs", "sp.targets.categoryRecommendations"],
  ["sponsored-products:getProductRecommendations", "sp.targets.productRecommendations"],
  ["sponsored-products:getRankedKeywordRecommendation", "sp.keywords.recommendations"],
  ["sponsored-products:getNegativeBrands", "sp.negativeTargets.brandRecommendations"],
  ["sponsored-products:searchBrands", "sp.negativeTargets.searchBrands"],
  ["sponsored-products:GetThemeBasedBidRecommendationForAdGroup_v1", "bids.forAdGroup"],
  ["portfolios:ListPortfolios", "portfolios.list"],
  ["portfolios:CreatePortfolios", "portfolios.create"],
  ["portfolios:UpdatePortfolios", "portfolios.update"],
  ["portfolios:portfolioBudgetUsage", "portfolios.budgetUsage"],
  ["profiles:listProfiles", "PlatformAds.profiles"],
  ["profiles:getProfileById", "PlatformAds.profileById"],
  ["profiles:updateProfiles", "PlatformAds.updateProfiles"],
  ["reporting:createAsyncReport", "reports.create"],
  ["reporting:getAsyncReport", "reports.status"],
  ["reporting:deleteAsyncReport", "reports.delete"],
  ["history:getHistory", "history.events"],
]);
