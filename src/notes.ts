/** Something the platform does that its own documentation does not say. */
export interface Note {
  /** Name that stays the same, for example `sb-keyword-state`. */
  readonly id: string;
  /** One line for people who look for it. */
  readonly title: string;
  /** What happens, and what this package does about it. */
  readonly text: string;
}

/** Notes about one part of the platform. */
export interface NoteGroup {
  /** Name that stays the same, for example `sponsored-brands`. */
  readonly id: string;
  /** Heading. */
  readonly title: string;
  /** The notes. */
  readonly notes: readonly Note[];
}

/**
 * The platform's undocumented behaviours, as met by people who use it. `docs/quirks.md` is made from this list, and the
 * tool server's `api_notes` serves it.
 */
export const NOTES: readonly NoteGroup[] = [
  {
    id: "accounts",
    title: "Accounts, regions and tokens",
    notes: [
      {
        id: "regional-profiles",
        title: "A regional host knows only its own profiles",
        text:
          "Asked for profiles, a host lists those of its region and an empty list for all others; it never says that more exist elsewhere. `profiles()` asks all three hosts and joins the answers. Australia, Japan and Singapore belong to the Far East; the United Kingdom and India to Europe.",
      },
      {
        id: "uk-not-gb",
        title: "The United Kingdom is UK, not GB",
        text:
          "The platform writes UK where ISO 3166 writes GB. Both are accepted here, and UK is what is sent and stored.",
      },
      {
        id: "console-ids",
        title: "The campaign id in the console's address is another id",
        text:
          'It begins with the letter A and means nothing to the API. Brands answers 400 "Id filter has invalid value" to it.',
      },
      {
        id: "several-profiles",
        title: "One marketplace can hold several profiles",
        text:
          'A seller and a vendor account of one company, for example. Self-publishing authors have the type `vendor` and a `subType`. `profile("DE")` refuses to guess and lists the candidates.',
      },
      {
        id: "refresh-token-life",
        title: "Refresh tokens end after a year",
        text:
          "Those given since the middle of 2026 end 365 days after consent, however often they are used. A new client secret ends every refresh token at once. The provider then answers `invalid_grant`. Set PLATFORM_ADS_CONSENT_DATE and the tools warn 30 days ahead.",
      },
      {
        id: "unserved-path",
        title: "403 may mean that the path does not exist",
        text:
          "The gateway answers 403 with a message about the authorization header to every path it does not serve, the tools of the hosted tool server among them. Check the path before the permissions.",
      },
    ],
  },
  {
    id: "requests",
    title: "Requests and batches",
    notes: [
      {
        id: "media-types",
        title: "Media types are versions",
        text:
          "Nearly every operation has a media type of its own with a version in it, for the body and for the answer. The catalog holds both; a wrong one is answered with 415 or 406.",
      },
      {
        id: "multi-status",
        title: "207 says nothing about success",
        text:
          "A batch is answered with 207 even when every item was refused. Read the verdicts: `result.ok`, `result.errors`, or `result.raiseForErrors()`.",
      },
      {
        id: "success-order",
        title: "The success list is in no promised order",
        text:
          "Pair each success with its item by `index`, never by position. Brands keywords are the exception: their verdicts are a plain array in request order.",
      },
      {
        id: "empty-pages",
        title: "An empty page is not the last one",
        text: "A list can answer no entity at all together with a `nextToken`. Only a missing token ends it.",
      },
      {
        id: "filter-limits",
        title: "Each filter has a limit of its own",
        text:
          "Sponsored Products takes 1,000 ids of the entities themselves but 100 of their parents; Brands takes 10 of either. Longer lists are split here, each at its own limit. The state filter of portfolios takes one state.",
      },
      {
        id: "big-ids",
        title: "Ids are 64-bit integers",
        text:
          "Many are past 2^53, where a JavaScript number loses its last digits. They are strings here, in and out; where the wire wants a bare number (Brands keywords, profiles, reports) it gets one without a lost digit.",
      },
      {
        id: "throttling",
        title: "429 comes with or without Retry-After",
        text:
          "The client waits as long as it is told, else a random time that grows, and keeps every other request of the same client waiting too. Suggested bids are throttled hardest; creating reports is counted over a window longer than one request's repeats.",
      },
      {
        id: "accepted-429",
        title: "A report that was answered 429 may exist",
        text:
          "Sending the same body again is then answered with 425 and the id of the report, which is taken over when its configuration is the same.",
      },
    ],
  },
  {
    id: "sponsored-products",
    title: "Sponsored Products and portfolios",
    notes: [
      {
        id: "sp-budget-object",
        title: "A budget is an object, and a bare number a riddle",
        text:
          "The wire wants `{budget, budgetType}`. A bare number is answered with a 400 that names no field. The library widens a number in all four ways of writing; `planUpdate` keeps the budget type the campaign has, the others take DAILY.",
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
  },
  {
    id: "sponsored-brands",
    title: "Sponsored Brands",
    notes: [
      {
        id: "sb-two-generations",
        title: "Two generations side by side",
        text:
          "Campaigns, ad groups and ads are of version 4: JSON lists by POST, ten items a call. Keywords and negative keywords are of version 3: lists by GET with commas, a hundred items a call, lower-case states, ids as bare numbers. The same methods serve both here.",
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
          "There is no batch for it. A keyword that is not there is answered with 404, which becomes a NOT_FOUND verdict on that item alone.",
      },
      {
        id: "sb-negative-states",
        title: "Brands negative keywords are never paused",
        text:
          "They are enabled or archived. Lists take one state a request, and list the enabled ones unless told otherwise.",
      },
      {
        id: "sb-ad-formats",
        title: "There is no common address for new ads",
        text:
          "Each format has its own: `/sb/v4/ads/productCollection`, `/video` and so on. `adFormat` of the item chooses it and is never sent; one call makes ads of one format. Lists, updates and archives share `/sb/v4/ads`.",
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
        id: "sb-author-goals",
        title: "Authors may not create goal campaigns",
        text:
          "With `goal` or `costType` the platform answers AUTHOR_CREATED_GOAL_CAMPAIGNS_DISABLED. Without them it fills in goal PAGE_VISIT, cost type CPC and KPI CLICKS by itself.",
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
  },
  {
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
  },
  {
    id: "suggested-bids",
    title: "Suggested bids",
    notes: [
      {
        id: "bids-one-family",
        title: "Keywords and products do not mix",
        text:
          'A request that holds both is answered with 422 "All targeting expressions should have the same targeting type". They are asked for apart here, a hundred expressions at a time.',
      },
      {
        id: "bids-pat-asin",
        title: "Product targets go by another name",
        text:
          "A target ASIN_SAME_AS is asked for as PAT_ASIN; its own name is answered with 422. No bid at all is suggested for ASIN_EXPANDED_FROM and for expressions of several parts: `forTargets` lists them in `unsupported`.",
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
  },
  {
    id: "change-history",
    title: "Change history",
    notes: [
      {
        id: "history-whole-advertiser",
        title: "Without ids the history seems empty",
        text:
          "A question that names neither entities nor campaigns must ask for the whole advertiser in so many words, or no event comes back. It is done for you.",
      },
      {
        id: "history-filters",
        title: "The filters of the history do not filter",
        text: "Events of other change types and other entity types come back too, and are sorted out here.",
      },
      {
        id: "history-limits",
        title: "90 days, ten ids, no names",
        text:
          "Older changes are forgotten; longer lists of ids are split; values are texts; who made a change is not recorded, and changes of display ads are not at all.",
      },
      {
        id: "history-restorable",
        title: "Bids and states can be put back, other values not",
        text:
          "Budgets, names and dates appear in the history in forms that no update takes; `rollbackPlan` names them in its warnings.",
      },
    ],
  },
  {
    id: "reports",
    title: "Reports",
    notes: [
      {
        id: "report-duplicate",
        title: "A second report of the same kind is refused with the first one's id",
        text: "425, and the id stands in the text of the message.",
      },
      {
        id: "report-range",
        title: "31 days a report, and days that are gone",
        text:
          "Longer ranges are split. Rows are kept about 95 days, 65 for search terms and 60 for Brands; older days come back empty, or with a 400 about the retention start date.",
      },
      {
        id: "report-date-column",
        title: "The date column depends on the time unit",
        text: "DAILY wants the column `date`; SUMMARY refuses it and takes `startDate` and `endDate`.",
      },
      {
        id: "report-restatement",
        title: "Numbers change afterwards",
        text:
          "Impressions and clicks for some days, conversions for up to 42 days. The store pulls those days again.",
      },
      {
        id: "report-values-now",
        title: "Bids, budgets and states in a report are today's",
        text:
          "`keywordBid`, `campaignBudgetAmount` and `campaignStatus` are the values when the report was made, whatever the day of the row.",
      },
      {
        id: "report-target-id",
        title: "A target's id is in the column keywordId",
        text: "In `spTargeting` the rows of product targets have their target id there.",
      },
      {
        id: "report-search-terms",
        title: "Search terms without a click are not reported",
        text: "Their impressions are missing from sums over search terms.",
      },
      {
        id: "report-brands-metrics",
        title: "Brands reports differ among themselves",
        text:
          "Sales and purchases count any product of the brand bought within 14 days of a click. Metrics carry no 1d, 7d or 14d, except in `sbPurchasedProduct`, whose `attributionType` is Promoted or Brand Halo. `sbTargeting` refuses the page columns of e-readers, `sbSearchTerm` those and `detailPageViews`.",
      },
      {
        id: "report-file-headers",
        title: "The file's address takes no credentials",
        text:
          "It is signed and on another host, which answers 400 to an authorization header. It lasts about an hour and changes with every look at the status.",
      },
      {
        id: "report-failed-names",
        title: "A failure has several names",
        text: "FAILED, FAILURE and CANCELLED were all met.",
      },
    ],
  },
  {
    id: "invoices",
    title: "Invoices",
    notes: [
      {
        id: "invoice-media-types",
        title: "The documented media types are refused",
        text: "406 with an empty body; `application/json` works and is what is sent.",
      },
      {
        id: "invoice-wrapper",
        title: "The answer is wrapped, and pages by cursor",
        text:
          "`{status, payload}`; pass `payload.nextCursor` back as `cursor`, without `count`. The key is absent on the last page.",
      },
      {
        id: "invoice-open-period",
        title: "The open period is listed and cannot be fetched",
        text: "Its status is ACCUMULATING, and it has no id, dates of its own, fees or taxes.",
      },
    ],
  },
];
