import type { NoteGroup } from "./note.ts";

/** Sponsored Products and portfolios. */
export const SPONSORED_PRODUCTS: NoteGroup = {
  id: "sponsored-products",
  title: "Sponsored Products and portfolios",
  notes: [
    {
      id: "sp-budget-object",
      title: "A budget is an object, and a bare number a riddle",
      text:
        "The wire wants `{budget, budgetType}`. A bare number gets a 400 that names no field. The library widens a number in all four ways of writing; `planUpdate` keeps the budget type the campaign has, the others take DAILY.",
    },
    {
      id: "sp-negative-ids",
      title: "Negative keywords change the name of their id",
      text:
        "They are read and updated by `keywordId`; verdicts call it `negativeKeywordId`, or `campaignNegativeKeywordId` for those of campaigns.",
    },
    {
      id: "sp-keyword-fixed",
      title: "Text and match type of a keyword are fixed",
      text:
        "An update that carries them is refused, so they are left out. Make a new keyword and pause the old one.",
    },
    {
      id: "sp-default-bidding",
      title: "A campaign without a bidding strategy lowers bids",
      text: "Left out on create, `dynamicBidding` becomes dynamic bids, down only.",
    },
    {
      id: "archive-forever",
      title: "Archiving cannot be undone",
      text:
        "An archived entity stays listed when asked for (`states: null`) and refuses every change, as do the entities below it: PARENT_ARCHIVED_FORBIDS_UPDATES. Plans that archive say so, and their results offer no undo.",
    },
    {
      id: "portfolio-states",
      title: "Portfolios are listed in every state, and nothing archives them",
      text: "ENABLED is the only state the platform describes.",
    },
  ],
};

export const SPONSORED_BRANDS: NoteGroup = {
  id: "sponsored-brands",
  title: "Sponsored Brands",
  notes: [
    {
      id: "sb-two-generations",
      title: "Two generations side by side",
      text:
        "Campaigns, ad groups and ads are of version 4: JSON lists by POST, ten items a call. Keywords, targets and their negatives are of version 3: a hundred items a call, lower-case states, ids as bare numbers; keywords are listed by GET with commas, targets by POST with filters of a type and values. The same methods serve all of them here.",
    },
    {
      id: "sb-targets-by-id",
      title: "Lists of Brands targets take no ids",
      text:
        "Their filters are for campaigns, ad groups, states and types of creatives, three at most. Up to 20 ids are asked for one by one; more are picked from a list of all, 5,000 a page.",
    },
    {
      id: "sb-target-words",
      title: "Brands targets have expressions, in words of their own",
      text:
        "The field is `expressions`, its predicates are `asinSameAs`, `asinCategorySameAs`, `asinBrandSameAs` and kin; those of Sponsored Products (`ASIN_SAME_AS`) are rewritten. New ones take no state and are enabled; updates change state and bid and repeat the parents, of negative targets the ad group alone; each is archived by a request of its own.",
    },
    {
      id: "sb-keyword-state",
      title: "A new Brands keyword takes no state",
      text:
        'Sent with one, it is refused: INVALID_ARGUMENT, "The noted field is not allowed with this API endpoint : state". Every new keyword is enabled; pause it afterwards.',
    },
    {
      id: "sb-keyword-parents",
      title: "Updates of Brands keywords repeat their parents",
      text:
        "`campaignId` and `adGroupId` must stand in every update. Left out, they are read from the account first; a keyword the account does not have gets a NOT_FOUND verdict, and the others are sent.",
    },
    {
      id: "sb-keyword-archive",
      title: "Brands keywords are archived one request each",
      text:
        "There is no batch for it. A missing keyword gets 404, which becomes a NOT_FOUND verdict on that item alone.",
    },
    {
      id: "sb-negative-states",
      title: "Brands negative keywords and targets are never paused",
      text:
        "They are enabled or archived. Lists of keywords take one state a request; both list the enabled ones unless told otherwise.",
    },
    {
      id: "sb-ad-formats",
      title: "There is no common address for new ads",
      text:
        "Each format has its own: `/sb/v4/ads/productCollectionExtended`, `/video` and so on. `adFormat` of the item chooses it and is never sent; without it an ad is a `productCollectionExtended`, for `productCollection` ended on 2024-11-30. One call makes ads of one format. Lists, updates and archives share `/sb/v4/ads`.",
    },
    {
      id: "sb-ad-creatives",
      title: "An ad shows other products or words by a new version of its creative",
      text:
        "The update of ads takes name and state alone. Where `creative` is updated or planned, the ad is read and a version that takes over the rest is sent to the operation of its type, one request for each ad, after the name and state: `CreateExtendedProductCollectionCreative`, `CreateStoreSpotlightCreative`, `CreateVideoCreative`, `CreateBrandVideoCreative`, `UpdateSponsoredBrandsManualCollectionAds` or `UpdateSponsoredBrandsAutoCollectionAds`. A version goes through moderation; `sponsored-brands-v4:ListCreatives` lists them. The products of a video cannot be changed. `landingPage` of an update is left out, and a plan says so.",
    },
    {
      id: "sb-manual-collection",
      title: "A manual collection's landing page moves",
      text: "It goes into the creative on create and comes back beside it on read.",
    },
    {
      id: "sb-serving-campaign",
      title: "A Brands campaign serves only when it is whole",
      text:
        "A campaign without an ad group and an ad is accepted and never shown. Make the three in order; creative and landing page belong to the ad.",
    },
    {
      id: "sb-ads-without-id",
      title: "Older Brands ads have no id",
      text:
        "`adId` and `name` are optional where ads are read, and ads of older campaigns lack both. So are the ids of Brands keywords and targets and of all of Display. What has no id is listed, counted and shown, and never planned.",
    },
    {
      id: "sb-author-goals",
      title: "Authors may not create goal campaigns",
      text:
        "With `goal` or `costType` the platform responds with AUTHOR_CREATED_GOAL_CAMPAIGNS_DISABLED. Without them it fills in goal PAGE_VISIT, cost type CPC and KPI CLICKS by itself.",
    },
    {
      id: "sb-placements",
      title: "Four placements are read, three may be described",
      text:
        "`bidding.bidAdjustmentsByPlacement` is the only way to the top-of-search premium. A read gives four placements though the description of the update allows three; what was read is accepted back as it is.",
    },
    {
      id: "sb-budget-number",
      title: "A Brands budget is a plain number",
      text: "`budgetType` stands beside it and cannot be changed.",
    },
  ],
};

export const SPONSORED_DISPLAY: NoteGroup = {
  id: "sponsored-display",
  title: "Sponsored Display",
  notes: [
    {
      id: "sd-flat",
      title: "Lists by GET, bodies and verdicts as bare lists",
      text:
        "Lists take filters with commas and a start index; writes take a list of up to a hundred items and answer 207 with a verdict for each in the same order. Ids are bare numbers that can exceed 2^53, states and most words are in lower case.",
    },
    {
      id: "sd-days",
      title: "Days have no hyphens",
      text:
        "`startDate` and `endDate` are written 20261001. Methods, plans and files accept 2026-10-01 as well; entities keep the platform's spelling.",
    },
    {
      id: "sd-tactic",
      title: "The tactic decides what can be targeted",
      text:
        "A campaign with the tactic T00020 targets products and content, one with T00030 also audiences: `views`, `purchases`, `audience`, whose value is a list of predicates. Tactic and cost type (`cpc` or `vcpm`) cannot be changed; bids for a thousand viewable impressions have limits of their own. The unified family has no tactic: there it follows from the targets.",
    },
    {
      id: "sd-archive",
      title: "Display is archived one request each",
      text:
        "There is no batch for it. What is missing gets 404, which becomes a NOT_FOUND verdict on that item alone.",
    },
    {
      id: "sd-negative-targets",
      title: "Negative targets do not say their campaign",
      text:
        "They are listed by campaign and name only their ad group; and of their two lists only the extended one finds them by id, so that it is always used.",
    },
    {
      id: "sd-extended",
      title: "Dates and serving status are at an address of their own",
      text:
        "`extended` asks `/sd/campaigns/extended` and kin, which add `creationDate`, `lastUpdatedDate` and `servingStatus` and leave out a few other fields.",
    },
    {
      id: "sd-history",
      title: "The change history knows nothing of Display",
      text: "What changed is found by comparing the entities of the store: `sync --entities`, then `drift`.",
    },
  ],
};

export const KEYWORD_TEXT: NoteGroup = {
  id: "keyword-text",
  title: "Keyword texts",
  notes: [
    {
      id: "keyword-length",
      title: "80 characters, ten words; four for most negatives",
      text:
        "A negative exact keyword may have ten words like any other, every other negative four. `checkKeywordText` says what is wrong before the platform does.",
    },
    {
      id: "keyword-characters",
      title: "Few signs are accepted",
      text:
        "Hyphen, plus and period inside a word; ampersand, square brackets and both quotes anywhere. Round brackets and the colon never; the percent sign only in the Emirates, Saudi Arabia and Egypt. No space at either end.",
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
      title: "Keywords and products do not mix",
      text:
        'A request that holds both gets 422 "All targeting expressions should have the same targeting type". They are asked for apart here, a hundred expressions at a time.',
    },
    {
      id: "bids-pat-asin",
      title: "Product targets go by another name",
      text:
        "A target ASIN_SAME_AS is asked for as PAT_ASIN; its own name gets 422. No bid at all is suggested for ASIN_EXPANDED_FROM and for expressions of several parts: `forTargets` lists them in `unsupported`.",
    },
    {
      id: "bids-missing",
      title: "A price may be missing",
      text:
        "Some expressions come back without values, and some marketplaces give none for whole families (Australia for products). Such a suggestion is there with `undefined` prices; fewer than three values are a bid without a range.",
    },
    {
      id: "bids-themes",
      title: "Suggestions depend on the season",
      text:
        "CONVERSION_OPPORTUNITIES is there all year; before sales events a second theme such as BFCM_HOLIDAY stands beside it.",
    },
  ],
};
