/**
 * Published column names by report type: `base` for every grouping, plus those that a grouping adds. Their values are
 * computed in `columns.ts`.
 */
export const PUBLISHED_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sbAdGroup: {
    base: `
      addToCart addToCartClicks addToCartRate adGroupId adGroupName adStatus addToList addToListFromClicks
      qualifiedBorrows qualifiedBorrowsFromClicks royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks
      brandedSearches brandedSearchesClicks campaignBudgetAmount campaignBudgetCurrencyCode campaignBudgetType
      campaignId campaignName campaignStatus clicks cost costType detailPageViews detailPageViewsClicks
      eCPAddToCart impressions kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d
      newToBrandDetailPageViewRate newToBrandDetailPageViews newToBrandDetailPageViewsClicks
      newToBrandECPDetailPageView newToBrandPurchases newToBrandPurchasesClicks newToBrandPurchasesPercentage
      newToBrandPurchasesRate newToBrandSales newToBrandSalesClicks newToBrandSalesPercentage
      newToBrandUnitsSold newToBrandUnitsSoldClicks newToBrandUnitsSoldPercentage purchases purchasesClicks
      purchasesPromoted sales salesClicks salesPromoted unitsSold unitsSoldClicks video5SecondViewRate
      video5SecondViews videoCompleteViews videoFirstQuartileViews videoMidpointViews videoThirdQuartileViews
      videoUnmutes viewabilityRate`,
  },
  sbAds: {
    base: `
      addToCart addToCartClicks addToCartRate addToList qualifiedBorrows royaltyQualifiedBorrows
      addToListFromClicks qualifiedBorrowsFromClicks royaltyQualifiedBorrowsFromClicks adGroupId adGroupName
      adId brandedSearches brandedSearchesClicks campaignBudgetAmount campaignBudgetCurrencyCode
      campaignBudgetType campaignId campaignName campaignStatus clicks cost costType detailPageViews
      detailPageViewsClicks eCPAddToCart impressions kindleEditionNormalizedPagesRead14d
      kindleEditionNormalizedPagesRoyalties14d newToBrandDetailPageViewRate newToBrandDetailPageViews
      newToBrandDetailPageViewsClicks newToBrandECPDetailPageView newToBrandPurchases
      newToBrandPurchasesClicks newToBrandPurchasesPercentage newToBrandPurchasesRate newToBrandSales
      newToBrandSalesClicks newToBrandSalesPercentage newToBrandUnitsSold newToBrandUnitsSoldClicks
      newToBrandUnitsSoldPercentage purchases purchasesClicks purchasesPromoted sales salesClicks
      salesPromoted unitsSold unitsSoldClicks video5SecondViewRate video5SecondViews videoCompleteViews
      videoFirstQuartileViews videoMidpointViews videoThirdQuartileViews videoUnmutes viewabilityRate
      viewableImpressions`,
  },
  sbAudiences: {
    base: `
      campaignId segmentName impressions clicks cost spend purchases sales salesClicks unitsSold
      unitsSoldClicks costPerClick clickThroughRate campaignName campaignStatus campaignBudgetAmount
      campaignBudgetType marketplaceId segmentClassCode`,
  },
  sbCampaignPlacement: {
    base: `
      addToCart addToCartClicks addToCartRate addToList addToListFromClicks qualifiedBorrows
      qualifiedBorrowsFromClicks royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks brandedSearches
      brandedSearchesClicks campaignBudgetAmount campaignBudgetCurrencyCode campaignBudgetType campaignId
      campaignName campaignStatus clicks cost costType detailPageViews detailPageViewsClicks eCPAddToCart
      impressions kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d
      newToBrandDetailPageViewRate newToBrandDetailPageViews newToBrandDetailPageViewsClicks
      newToBrandECPDetailPageView newToBrandPurchases newToBrandPurchasesClicks newToBrandPurchasesPercentage
      newToBrandPurchasesRate newToBrandSales newToBrandSalesClicks newToBrandSalesPercentage
      newToBrandUnitsSold newToBrandUnitsSoldClicks newToBrandUnitsSoldPercentage purchases purchasesClicks
      purchasesPromoted sales salesClicks salesPromoted unitsSold unitsSoldClicks video5SecondViewRate
      video5SecondViews videoCompleteViews videoFirstQuartileViews videoMidpointViews videoThirdQuartileViews
      videoUnmutes viewabilityRate viewableImpressions viewClickThroughRate`,
    campaignPlacement: "placementClassification",
  },
  sbCampaigns: {
    base: `
      addToCart addToCartClicks addToCartRate addToList addToListFromClicks qualifiedBorrows
      qualifiedBorrowsFromClicks royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks brandedSearches
      brandedSearchesClicks campaignBudgetAmount campaignBudgetCurrencyCode campaignBudgetType campaignId
      campaignName campaignStatus clicks cost costType detailPageViews detailPageViewsClicks eCPAddToCart
      impressions kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d
      newToBrandDetailPageViewRate newToBrandDetailPageViews newToBrandDetailPageViewsClicks
      newToBrandECPDetailPageView newToBrandPurchases newToBrandPurchasesClicks newToBrandPurchasesPercentage
      newToBrandPurchasesRate newToBrandSales newToBrandSalesClicks newToBrandSalesPercentage
      newToBrandUnitsSold newToBrandUnitsSoldClicks newToBrandUnitsSoldPercentage purchases purchasesClicks
      purchasesPromoted sales salesClicks salesPromoted topOfSearchImpressionShare unitsSold unitsSoldClicks
      video5SecondViewRate video5SecondViews videoCompleteViews videoFirstQuartileViews videoMidpointViews
      videoThirdQuartileViews videoUnmutes viewabilityRate viewableImpressions viewClickThroughRate`,
    campaign: `
      campaignBudgetAmount campaignBudgetCurrencyCode campaignBudgetType longTermSales longTermROAS
      topOfSearchImpressionShare`,
  },
  sbGrossAndInvalids: {
    base: `
      campaignName campaignStatus clicks grossClickThroughs grossImpressions impressions
      invalidClickThroughRate invalidClickThroughs invalidImpressionRate invalidImpressions`,
  },
  sbPurchasedProduct: {
    base: `
      campaignId adGroupId campaignBudgetCurrencyCode campaignName campaignPriceTypeCode adGroupName
      attributionType purchasedAsin ordersClicks14d productName productCategory sales14d salesClicks14d
      orders14d unitsSold14d newToBrandSales14d newToBrandPurchases14d newToBrandUnitsSold14d
      newToBrandSalesPercentage14d newToBrandPurchasesPercentage14d newToBrandUnitsSoldPercentage14d
      unitsSoldClicks14d kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d`,
  },
  sbSearchTerm: {
    base: `
      adGroupId adGroupName addToList addToListFromClicks qualifiedBorrows qualifiedBorrowsFromClicks
      royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks campaignBudgetAmount
      campaignBudgetCurrencyCode campaignBudgetType campaignId campaignName campaignStatus clicks cost
      costType impressions keywordBid keywordId keywordText kindleEditionNormalizedPagesRead14d
      kindleEditionNormalizedPagesRoyalties14d matchType purchases purchasesClicks sales salesClicks
      searchTerm unitsSold video5SecondViewRate video5SecondViews videoCompleteViews videoFirstQuartileViews
      videoMidpointViews videoThirdQuartileViews videoUnmutes viewabilityRate viewableImpressions
      viewClickThroughRate`,
    searchTerm: "adKeywordStatus",
  },
  sbTargeting: {
    base: `
      addToCart addToCartClicks addToCartRate adGroupId adGroupName addToList addToListFromClicks
      qualifiedBorrows qualifiedBorrowsFromClicks royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks
      brandedSearches brandedSearchesClicks campaignBudgetAmount campaignBudgetCurrencyCode campaignBudgetType
      campaignId campaignName campaignStatus clicks cost costType detailPageViews detailPageViewsClicks
      eCPAddToCart impressions keywordBid keywordId adKeywordStatus keywordText keywordType matchType
      newToBrandDetailPageViewRate newToBrandDetailPageViews newToBrandDetailPageViewsClicks
      newToBrandECPDetailPageView newToBrandPurchases newToBrandPurchasesClicks newToBrandPurchasesPercentage
      newToBrandPurchasesRate newToBrandSales newToBrandSalesClicks newToBrandSalesPercentage
      newToBrandUnitsSold newToBrandUnitsSoldClicks newToBrandUnitsSoldPercentage purchases purchasesClicks
      purchasesPromoted sales salesClicks salesPromoted targetingExpression targetingId targetingText
      targetingType topOfSearchImpressionShare unitsSold`,
  },
  sdAdGroup: {
    base: `
      addToCart addToCartClicks addToCartRate addToCartViews adGroupId adGroupName addToList
      addToListFromClicks addToListFromViews qualifiedBorrows qualifiedBorrowsFromClicks
      qualifiedBorrowsFromViews royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks
      royaltyQualifiedBorrowsFromViews bidOptimization brandedSearches brandedSearchesClicks
      brandedSearchesViews brandedSearchRate campaignBudgetCurrencyCode campaignId campaignName clicks cost
      cumulativeReach detailPageViews detailPageViewsClicks eCPAddToCart eCPBrandSearch impressions
      impressionsViews newToBrandPurchases newToBrandPurchasesClicks newToBrandSales newToBrandSalesClicks
      newToBrandUnitsSold newToBrandUnitsSoldClicks purchases purchasesClicks purchasesPromotedClicks sales
      salesClicks salesPromotedClicks unitsSold unitsSoldClicks videoCompleteViews videoFirstQuartileViews
      videoMidpointViews videoThirdQuartileViews videoUnmutes viewabilityRate viewClickThroughRate`,
    adGroup: `
      cumulativeReach impressionsFrequencyAverage newToBrandDetailPageViewClicks newToBrandDetailPageViewRate
      newToBrandDetailPageViews newToBrandDetailPageViewViews newToBrandECPDetailPageView`,
    matchedTarget: "matchedTargetAsin",
  },
  sdAdvertisedProduct: {
    base: `
      addToCart addToCartRate addToCartViews addToCartClicks adGroupId adGroupName adId addToList
      addToListFromClicks qualifiedBorrows royaltyQualifiedBorrows addToListFromViews
      qualifiedBorrowsFromClicks qualifiedBorrowsFromViews royaltyQualifiedBorrowsFromClicks
      royaltyQualifiedBorrowsFromViews bidOptimization brandedSearches brandedSearchesClicks
      brandedSearchesViews brandedSearchRate campaignBudgetCurrencyCode campaignId campaignName clicks cost
      cumulativeReach detailPageViews detailPageViewsClicks eCPAddToCart eCPBrandSearch impressions
      impressionsFrequencyAverage impressionsViews newToBrandDetailPageViewClicks newToBrandDetailPageViewRate
      newToBrandDetailPageViews newToBrandDetailPageViewViews newToBrandECPDetailPageView newToBrandPurchases
      newToBrandPurchasesClicks newToBrandSales newToBrandSalesClicks newToBrandUnitsSold
      newToBrandUnitsSoldClicks promotedAsin promotedSku purchases purchasesClicks purchasesPromotedClicks
      sales salesClicks salesPromotedClicks unitsSold unitsSoldClicks videoCompleteViews
      videoFirstQuartileViews videoMidpointViews videoThirdQuartileViews videoUnmutes viewabilityRate
      viewClickThroughRate`,
  },
  sdCampaigns: {
    base: `
      addToCart addToCartClicks addToCartRate addToCartViews addToList addToListFromClicks addToListFromViews
      qualifiedBorrows qualifiedBorrowsFromClicks qualifiedBorrowsFromViews royaltyQualifiedBorrows
      royaltyQualifiedBorrowsFromClicks royaltyQualifiedBorrowsFromViews brandedSearches brandedSearchesClicks
      brandedSearchesViews brandedSearchRate campaignBudgetCurrencyCode campaignId campaignName clicks cost
      detailPageViews detailPageViewsClicks eCPAddToCart eCPBrandSearch impressions impressionsViews
      newToBrandPurchases newToBrandPurchasesClicks newToBrandSalesClicks newToBrandUnitsSold
      newToBrandUnitsSoldClicks purchases purchasesClicks purchasesPromotedClicks sales salesClicks
      salesPromotedClicks unitsSold unitsSoldClicks videoCompleteViews videoFirstQuartileViews
      videoMidpointViews videoThirdQuartileViews videoUnmutes viewabilityRate viewClickThroughRate`,
    campaign: `
      campaignBudgetAmount campaignStatus costType cumulativeReach impressionsFrequencyAverage longTermSales
      longTermROAS newToBrandDetailPageViewClicks newToBrandDetailPageViewRate newToBrandDetailPageViews
      newToBrandDetailPageViewViews newToBrandECPDetailPageView newToBrandSales`,
    matchedTarget: "matchedTargetAsin",
  },
  sdGrossAndInvalids: {
    base: `
      campaignName campaignStatus clicks grossClickThroughs grossImpressions impressions
      invalidClickThroughRate invalidClickThroughs invalidImpressionRate invalidImpressions`,
  },
  sdPurchasedProduct: {
    base: `
      adGroupId adGroupName asinBrandHalo addToList addToListFromClicks qualifiedBorrowsFromClicks
      royaltyQualifiedBorrowsFromClicks addToListFromViews qualifiedBorrows qualifiedBorrowsFromViews
      royaltyQualifiedBorrows royaltyQualifiedBorrowsFromViews campaignBudgetCurrencyCode campaignId
      campaignName conversionsBrandHalo conversionsBrandHaloClicks promotedAsin promotedSku salesBrandHalo
      salesBrandHaloClicks unitsSoldBrandHalo unitsSoldBrandHaloClicks`,
  },
  sdTargeting: {
    base: `
      addToCart addToCartClicks addToCartRate addToCartViews adGroupId adGroupName addToList
      addToListFromClicks addToListFromViews qualifiedBorrows qualifiedBorrowsFromClicks
      qualifiedBorrowsFromViews royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks
      royaltyQualifiedBorrowsFromViews brandedSearches brandedSearchesClicks brandedSearchesViews
      brandedSearchRate campaignBudgetCurrencyCode campaignId campaignName clicks cost detailPageViews
      detailPageViewsClicks eCPAddToCart eCPBrandSearch impressions impressionsViews newToBrandPurchases
      newToBrandPurchasesClicks newToBrandSales newToBrandSalesClicks newToBrandUnitsSold
      newToBrandUnitsSoldClicks purchases purchasesClicks purchasesPromotedClicks sales salesClicks
      salesPromotedClicks targetingExpression targetingId targetingText unitsSold unitsSoldClicks
      videoCompleteViews videoFirstQuartileViews videoMidpointViews videoUnmutes viewabilityRate`,
    targeting: `
      adKeywordStatus newToBrandDetailPageViewClicks newToBrandDetailPageViewRate newToBrandDetailPageViews
      newToBrandDetailPageViewViews newToBrandECPDetailPageView`,
    matchedTarget: "matchedTargetAsin",
  },
  spAdvertisedProduct: {
    base: `
      campaignName campaignId adGroupName adGroupId adId addToList qualifiedBorrows royaltyQualifiedBorrows
      portfolioId impressions clicks costPerClick clickThroughRate cost spend campaignBudgetCurrencyCode
      campaignBudgetAmount campaignBudgetType campaignStatus advertisedAsin advertisedSku purchases1d
      purchases7d purchases14d purchases30d purchasesSameSku1d purchasesSameSku7d purchasesSameSku14d
      purchasesSameSku30d unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d unitsSoldClicks30d sales1d
      sales7d sales14d sales30d attributedSalesSameSku1d attributedSalesSameSku7d attributedSalesSameSku14d
      attributedSalesSameSku30d salesOtherSku7d unitsSoldSameSku1d unitsSoldSameSku7d unitsSoldSameSku14d
      unitsSoldSameSku30d unitsSoldOtherSku7d kindleEditionNormalizedPagesRead14d
      kindleEditionNormalizedPagesRoyalties14d acosClicks7d acosClicks14d roasClicks7d roasClicks14d`,
  },
  spAudiences: {
    base: `
      campaignId segmentName segmentClassCode impressions clicks cost spend purchases1d purchases7d
      purchases14d purchases30d purchasesSameSku1d purchasesSameSku7d purchasesSameSku14d purchasesSameSku30d
      unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d unitsSoldClicks30d sales1d sales7d sales14d
      sales30d attributedSalesSameSku1d attributedSalesSameSku7d attributedSalesSameSku14d
      attributedSalesSameSku30d unitsSoldSameSku1d unitsSoldSameSku7d unitsSoldSameSku14d unitsSoldSameSku30d
      campaignBiddingStrategy costPerClick clickThroughRate campaignName campaignStatus campaignBudgetAmount
      campaignBudgetType marketplaceId`,
  },
  spCampaigns: {
    base: `
      impressions addToList qualifiedBorrows royaltyQualifiedBorrows clicks cost purchases1d purchases7d
      purchases14d purchases30d purchasesSameSku1d purchasesSameSku7d purchasesSameSku14d purchasesSameSku30d
      unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d unitsSoldClicks30d sales1d sales7d sales14d
      sales30d attributedSalesSameSku1d attributedSalesSameSku7d attributedSalesSameSku14d
      attributedSalesSameSku30d unitsSoldSameSku1d unitsSoldSameSku7d unitsSoldSameSku14d unitsSoldSameSku30d
      kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d campaignBiddingStrategy
      costPerClick clickThroughRate spend`,
    campaign: `
      campaignName campaignId campaignStatus campaignBudgetAmount campaignBudgetType
      campaignRuleBasedBudgetAmount campaignApplicableBudgetRuleId campaignApplicableBudgetRuleName
      campaignBudgetCurrencyCode topOfSearchImpressionShare`,
    adGroup: "adGroupName adGroupId adStatus",
    campaignPlacement: `
      placementClassification campaignName campaignId campaignStatus campaignBudgetAmount campaignBudgetType
      campaignRuleBasedBudgetAmount campaignApplicableBudgetRuleId campaignApplicableBudgetRuleName
      campaignBudgetCurrencyCode topOfSearchImpressionShare`,
  },
  spGrossAndInvalids: {
    base: `
      campaignName campaignStatus clicks grossClickThroughs grossImpressions impressions
      invalidClickThroughRate invalidClickThroughs invalidImpressionRate invalidImpressions`,
  },
  spPurchasedProduct: {
    base: `
      addToList addToListFromClicks qualifiedBorrows qualifiedBorrowsFromClicks royaltyQualifiedBorrows
      royaltyQualifiedBorrowsFromClicks portfolioId campaignName campaignId adGroupName adGroupId keywordId
      keyword keywordType advertisedAsin purchasedAsin advertisedSku campaignBudgetCurrencyCode matchType
      unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d unitsSoldClicks30d sales1d sales7d sales14d
      sales30d purchases1d purchases7d purchases14d purchases30d unitsSoldOtherSku1d unitsSoldOtherSku7d
      unitsSoldOtherSku14d unitsSoldOtherSku30d salesOtherSku1d salesOtherSku7d salesOtherSku14d
      salesOtherSku30d purchasesOtherSku1d purchasesOtherSku7d purchasesOtherSku14d purchasesOtherSku30d
      kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d`,
  },
  spSearchTerm: {
    base: `
      impressions addToList qualifiedBorrows royaltyQualifiedBorrows clicks costPerClick clickThroughRate cost
      purchases1d purchases7d purchases14d purchases30d purchasesSameSku1d purchasesSameSku7d
      purchasesSameSku14d purchasesSameSku30d unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d
      unitsSoldClicks30d sales1d sales7d sales14d sales30d attributedSalesSameSku1d attributedSalesSameSku7d
      attributedSalesSameSku14d attributedSalesSameSku30d unitsSoldSameSku1d unitsSoldSameSku7d
      unitsSoldSameSku14d unitsSoldSameSku30d kindleEditionNormalizedPagesRead14d
      kindleEditionNormalizedPagesRoyalties14d salesOtherSku7d unitsSoldOtherSku7d acosClicks7d acosClicks14d
      roasClicks7d roasClicks14d keywordId keyword campaignBudgetCurrencyCode portfolioId searchTerm
      campaignName campaignId campaignBudgetType campaignBudgetAmount campaignStatus keywordBid adGroupName
      adGroupId keywordType matchType targeting adKeywordStatus`,
    searchTerm: "adKeywordStatus",
  },
  spTargeting: {
    base: `
      impressions addToList qualifiedBorrows royaltyQualifiedBorrows clicks costPerClick clickThroughRate cost
      purchases1d purchases7d purchases14d purchases30d purchasesSameSku1d purchasesSameSku7d
      purchasesSameSku14d purchasesSameSku30d unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d
      unitsSoldClicks30d sales1d sales7d sales14d sales30d attributedSalesSameSku1d attributedSalesSameSku7d
      attributedSalesSameSku14d attributedSalesSameSku30d unitsSoldSameSku1d unitsSoldSameSku7d
      unitsSoldSameSku14d unitsSoldSameSku30d kindleEditionNormalizedPagesRead14d
      kindleEditionNormalizedPagesRoyalties14d salesOtherSku7d unitsSoldOtherSku7d acosClicks7d acosClicks14d
      roasClicks7d roasClicks14d keywordId keyword campaignBudgetCurrencyCode portfolioId campaignName
      campaignId campaignBudgetType campaignBudgetAmount campaignStatus keywordBid adGroupName adGroupId
      keywordType matchType targeting topOfSearchImpressionShare`,
    targeting: "adKeywordStatus",
  },
};
