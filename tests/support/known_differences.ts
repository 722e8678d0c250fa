/** A difference between the emulator and what is published that is known, and why it stays for now. */
export interface KnownDifference {
  /** Matches `<operation id> <status or request>: <path>: <problem>`. */
  readonly finding: RegExp;
  /** Why it is there. */
  readonly reason: string;
}

/** What tests may find different. An entry goes when its reason does. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    finding: /^v1-all-events:CreateEvent 207: error\[\d+\]\.index: /,
    reason: "The description shares the errors of operations on one item; a request has up to 500 events",
  },
  {
    finding: /^creative-assets:(?:getAsset|searchAssets) 200: .*(?:assetS|s)tatus: "INACTIVE" is not allowed/,
    reason: "The description lacks the status of an asset whose processing failed, which the guide names",
  },
  {
    finding: /^advertising-billing:(?:getAdvertiserInvoices|getInvoice|GetBillingInvoiceSummaries) 200: /,
    reason:
      "The emulator sends the fields that were seen of the live service, which is ahead of the description",
  },
  {
    finding: /^sponsored-products:\w+Campaigns 207: .*entityNotFoundError\.entityType: "PORTFOLIO"/,
    reason: "The description has no entity type for a portfolio that a campaign names and that is not there",
  },
  {
    finding: /^sponsored-brands-v4:\w+ 207: .*errorValue\.\w+: unknown field/,
    reason:
      "The description of Brands has few kinds of item errors; the emulator uses those of Sponsored Products",
  },
  {
    finding:
      /^sponsored-brands-v4:ListSponsoredBrandsCampaigns 200: .*(?:kpi|bidOptimizationStrategy): unknown field/,
    reason: "The emulator keeps what a create or update sets, which the description of the list lacks",
  },
  {
    finding: /^sponsored-brands-v4:ListSponsoredBrandsAds 200: ads\[\d+\]\.creative\.(?:type|subpages): /,
    reason:
      "The description of the list has no collection ads, which can be created; a test makes a page of one product",
  },
  {
    finding: /^sponsored-brands-v4:CreateSponsoredBrands(?:Auto|Manual)CollectionAds request: /,
    reason: "A test sends every kind of ad the fields of all kinds",
  },
  {
    finding: /^platform-attribution:getAttributionTagsByCampaign 200: (?:reports\[\d*\]\.|cursorId: is null)/,
    reason: "The description lacks the metrics of a report, and the live service ends with a cursor of null",
  },
  {
    finding: /^v1-all-ads:\w+ 20[07]: .*creative\b/,
    reason:
      "The description has one creative for all products, of which each alternative requires what only one product has",
  },
  {
    finding:
      /^dsp-campaigns:(?:GetConversionTrackings|getLineItems|getOrders?) 200: .*is not allowed, expected/,
    reason:
      "Later versions add values by a second enumeration that all values must be in as well, so that none fits",
  },
  {
    finding: /^platform-attribution:getPublishers 200: publisher\[\d+\]\.id: /,
    reason: "The description wants a text that is an object as well",
  },
  {
    finding: /^sponsored-products:AssociateOptimizationRulesToCampaign 400: details: unknown field/,
    reason:
      "The emulator words a refusal as the other operations on budgets do, by details; published is message",
  },
  {
    finding: /^sponsored-products:ListSponsoredProductsCampaigns 200: .*HIBERNATING/,
    reason: "A test writes an unknown state into the state file",
  },
  {
    finding:
      /^sponsored-products:CreateSponsoredProductsCampaigns 207: .*entityType: "PORTFOLIO" is not allowed/,
    reason: "No published kind of entity fits a portfolio that does not exist",
  },
  {
    finding: /^portfolios:CreatePortfolios 207: .*(?:duplicateValueError|currencyError)/,
    reason:
      "The emulator sends the reasons of the published error families, of which this operation lists few",
  },
  {
    finding: /^v1-all-targets:\w+ 207: (?:success|error)\[\d*\]: the field "index" is required and missing/,
    reason:
      "The quirk unifiedSingleIndex leaves out the position of a single item, as was seen of the live service",
  },
];
