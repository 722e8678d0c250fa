import type { NoteGroup } from "./note.ts";

export const SPONSORED_PRODUCTS: NoteGroup = {
  id: "sponsored-products",
  title: "Sponsored Products and portfolios",
  notes: [
    {
      id: "sp-budget-object",
      title: "A budget is an object, not a number",
      text:
        "The API expects `{budget, budgetType}`. A bare number causes a 400 that doesn't name the field. All four writing methods of the library convert a number; `planUpdate` keeps the campaign's budget type, and the others use DAILY.",
    },
    {
      id: "sp-negative-ids",
      title: "The id of a negative keyword has two names",
      text:
        "Lists and updates use `keywordId`. Outcomes use `negativeKeywordId`, or `campaignNegativeKeywordId` for negative keywords of campaigns.",
    },
    {
      id: "sp-keyword-fixed",
      title: "The text and match type of a keyword cannot be changed",
      text:
        "The platform refuses updates that contain them, so the client leaves them out. Create a new keyword and pause the old one.",
    },
    {
      id: "sp-default-bidding",
      title: "The default bidding strategy only lowers bids",
      text: "If you leave out `dynamicBidding` on create, the campaign gets dynamic bids, down only.",
    },
    {
      id: "archive-forever",
      title: "Archiving cannot be undone",
      text:
        "Archived entities are still listed with `states: null`. Changes to them, and to the entities below them, are refused: PARENT_ARCHIVED_FORBIDS_UPDATES. Plans that archive say so, and their results offer no undo.",
    },
    {
      id: "portfolio-states",
      title: "Portfolios are listed in every state and cannot be archived",
      text: "ENABLED is the only state that the platform documents.",
    },
  ],
};

export const SPONSORED_BRANDS: NoteGroup = {
  id: "sponsored-brands",
  title: "Sponsored Brands",
  notes: [
    {
      id: "sb-two-generations",
      title: "Brands uses two API versions",
      text:
        "Campaigns, ad groups and ads use version 4: lists by POST with JSON, ten items per call. Keywords, targets and their negatives use version 3: a hundred items per call, lower-case states, ids as numbers. Keywords are listed by GET with comma-separated filters, targets by POST with filters that have a type and values. The library has the same methods for all.",
    },
    {
      id: "sb-targets-by-id",
      title: "Brands targets cannot be listed by id",
      text:
        "They can be filtered by campaign, ad group, state and creative type, with at most three filters. The client reads up to 20 ids one by one; for more, it reads the whole list, 5,000 per page.",
    },
    {
      id: "sb-target-words",
      title: "Brands targets name their expressions differently",
      text:
        "The field is `expressions`; its predicates are `asinSameAs`, `asinCategorySameAs`, `asinBrandSameAs` and similar. The client converts the names of Sponsored Products (`ASIN_SAME_AS`). New targets take no state and are enabled. Updates change state and bid, and must repeat the parents (for negative targets, only the ad group). Each target is archived in its own request.",
    },
    {
      id: "sb-keyword-state",
      title: "A new Brands keyword takes no state",
      text:
        'With a state, it is refused: INVALID_ARGUMENT, "The noted field is not allowed with this API endpoint : state". New keywords are enabled; pause them afterwards.',
    },
    {
      id: "sb-keyword-parents",
      title: "Updates of Brands keywords repeat their parents",
      text:
        "Every update must include `campaignId` and `adGroupId`. If you leave them out, the client reads them from the account first; keywords that the account does not have get NOT_FOUND, and the others are sent.",
    },
    {
      id: "sb-keyword-archive",
      title: "Brands keywords are archived one per request",
      text:
        "There is no batch operation. A missing keyword gets 404, which is reported as NOT_FOUND for that item only.",
    },
    {
      id: "sb-negative-states",
      title: "Brands negative keywords and targets cannot be paused",
      text:
        "They are enabled or archived. By default, lists only contain enabled ones; lists of keywords take one state per request.",
    },
    {
      id: "sb-ad-formats",
      title: "New ads have one address per ad format",
      text:
        "Examples are `/sb/v4/ads/productCollectionExtended` and `/sb/v4/ads/video`. The item's `adFormat` selects the address and is never sent; without it, an ad is a `productCollectionExtended`, because `productCollection` ended on 2024-11-30. One call creates ads of one format. Lists, updates and archives share `/sb/v4/ads`.",
    },
    {
      id: "sb-ad-creatives",
      title: "To change an ad's products or texts, add a version of its creative",
      text:
        "An update of ads only changes name and state. If you update or plan `creative`, the client reads the ad and creates a new version that keeps the other values, in one request per ad, after the name and state. The operation depends on the type: `CreateExtendedProductCollectionCreative`, `CreateStoreSpotlightCreative`, `CreateVideoCreative`, `CreateBrandVideoCreative`, `UpdateSponsoredBrandsManualCollectionAds` or `UpdateSponsoredBrandsAutoCollectionAds`. Each version is moderated; `sponsored-brands-v4:ListCreatives` lists them. The products of a video cannot be changed. `landingPage` is left out of updates, and a plan says so.",
    },
    {
      id: "sb-manual-collection",
      title: "A manual collection's landing page changes places",
      text: "On create it is part of the creative; on read it is next to the creative.",
    },
    {
      id: "sb-serving-campaign",
      title: "A Brands campaign needs an ad group and an ad to be shown",
      text:
        "A campaign without them is accepted but never shown. Create all three in order; the creative and landing page belong to the ad.",
    },
    {
      id: "sb-ads-without-id",
      title: "Older Brands ads have no id",
      text:
        "`adId` and `name` are optional on read, and ads of older campaigns have neither. The ids of Brands keywords and targets and of all Display entities are optional too. Entities without an id are listed, counted and shown, but can't be part of a plan.",
    },
    {
      id: "sb-author-goals",
      title: "Authors cannot create goal campaigns",
      text:
        "With `goal` or `costType`, the platform responds with AUTHOR_CREATED_GOAL_CAMPAIGNS_DISABLED. Without them, it sets goal PAGE_VISIT, cost type CPC and KPI CLICKS.",
    },
    {
      id: "sb-placements",
      title: "Reads return four placements, but updates document three",
      text:
        "`bidding.bidAdjustmentsByPlacement` is the only way to set the top-of-search premium. The documentation of updates allows three placements; the platform also accepts the four that it returned, unchanged.",
    },
    {
      id: "sb-budget-number",
      title: "A Brands budget is a plain number",
      text: "`budgetType` is a separate field, and cannot be changed.",
    },
  ],
};

export const SPONSORED_DISPLAY: NoteGroup = {
  id: "sponsored-display",
  title: "Sponsored Display",
  notes: [
    {
      id: "sd-flat",
      title: "Display lists use GET, and bodies are plain arrays",
      text:
        "Lists take comma-separated filters and a start index. Writes take an array of up to a hundred items; the response is 207 with an array of outcomes in the same order. Ids are numbers that can exceed 2^53; states and most other constants are in lower case.",
    },
    {
      id: "sd-days",
      title: "Dates have no hyphens",
      text:
        "`startDate` and `endDate` are written 20261001. Methods, plans and files also accept 2026-10-01; entities keep the platform's format.",
    },
    {
      id: "sd-tactic",
      title: "The tactic decides what can be targeted",
      text:
        "Campaigns with the tactic T00020 target products and content; those with T00030 also target audiences: `views`, `purchases`, `audience`, whose value is a list of predicates. Tactic and cost type (`cpc` or `vcpm`) cannot be changed. Bids per thousand viewable impressions have their own limits. The unified family has no tactic; the targets decide instead.",
    },
    {
      id: "sd-archive",
      title: "Display entities are archived one per request",
      text:
        "There is no batch operation. A missing entity gets 404, which is reported as NOT_FOUND for that item only.",
    },
    {
      id: "sd-negative-targets",
      title: "Negative targets do not contain their campaign id",
      text:
        "They can be listed by campaign, but only contain the id of their ad group. Only the extended list can filter by id, so the client always uses it.",
    },
    {
      id: "sd-extended",
      title: "Dates and serving status have a separate address",
      text:
        "`extended` uses `/sd/campaigns/extended` and similar addresses, which add `creationDate`, `lastUpdatedDate` and `servingStatus` and leave out a few other fields.",
    },
    {
      id: "sd-history",
      title: "The change history does not cover Display",
      text: "To find changes, compare the stored entities: `sync --entities`, then `drift`.",
    },
  ],
};

export const KEYWORD_TEXT: NoteGroup = {
  id: "keyword-text",
  title: "Keyword texts",
  notes: [
    {
      id: "keyword-length",
      title: "At most 80 characters and ten words; four words in most negatives",
      text:
        "Negative exact keywords can have ten words, like other keywords; all other negatives can have four. `checkKeywordText` finds errors before anything is sent.",
    },
    {
      id: "keyword-characters",
      title: "Few special characters are accepted",
      text:
        "Hyphen, plus and period are allowed inside a word; ampersand, square brackets and both quotes anywhere. Parentheses and colons are never allowed; the percent sign only in the Emirates, Saudi Arabia and Egypt. A keyword cannot begin or end with a space.",
    },
    {
      id: "keyword-reserved",
      title: "One phrase is reserved",
      text: '"Automatically Selected Keywords" is refused as a keyword.',
    },
  ],
};

export const SUGGESTED_BIDS: NoteGroup = {
  id: "suggested-bids",
  title: "Suggested bids",
  notes: [
    {
      id: "bids-one-family",
      title: "A request cannot mix keywords and products",
      text:
        'A request with both gets 422 "All targeting expressions should have the same targeting type". The client sends them separately, a hundred expressions at a time.',
    },
    {
      id: "bids-pat-asin",
      title: "Product targets have another name in suggested bids",
      text:
        "ASIN_SAME_AS must be sent as PAT_ASIN; otherwise the response is 422. The platform does not suggest bids for ASIN_EXPANDED_FROM or for expressions of several parts; `forTargets` lists them in `unsupported`.",
    },
    {
      id: "bids-missing",
      title: "A suggestion may have no bids",
      text:
        "The platform returns some expressions without values, and some marketplaces have none for whole families (Australia for products). Such a suggestion is returned with `undefined` bids; with fewer than three values, it is a bid without a range.",
    },
    {
      id: "bids-themes",
      title: "Suggestions depend on the season",
      text:
        "CONVERSION_OPPORTUNITIES is available all year; before sales events, there is also a second theme, such as BFCM_HOLIDAY.",
    },
  ],
};
