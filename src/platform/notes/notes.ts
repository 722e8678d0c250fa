import {
  KEYWORD_TEXT,
  SPONSORED_BRANDS,
  SPONSORED_DISPLAY,
  SPONSORED_PRODUCTS,
  SUGGESTED_BIDS,
} from "./ad_products.ts";
import type { NoteGroup } from "./note.ts";

const REQUESTS: NoteGroup = {
  id: "requests",
  title: "Requests and batches",
  notes: [
    {
      id: "media-types",
      title: "The media type sets the version",
      text:
        "Nearly every operation has its own versioned media types, for the body and for the response. The catalog has both; a wrong one causes 415 or 406.",
    },
    {
      id: "multi-status",
      title: "207 does not mean success",
      text:
        "A batch gets 207 even if every item was refused. Check the outcomes: `result.ok`, `result.errors`, or `result.raiseForErrors()`.",
    },
    {
      id: "success-order",
      title: "The order of the success list is not guaranteed",
      text:
        "Match each success to its item by `index`, never by position. Brands keywords are the exception: their outcomes are a plain array in request order.",
    },
    {
      id: "empty-pages",
      title: "An empty page is not always the last one",
      text:
        "A page of a list can be empty and still have a `nextToken`. The list ends only when the token is missing.",
    },
    {
      id: "endless-lists",
      title: "Some lists never end",
      text:
        "They return the same page again and again, each time with a new `nextToken`. After two pages in a row without a new id, or 20 empty ones, the client throws an error that names the token and the page.",
    },
    {
      id: "unexpected-success",
      title: "A success status may carry an error",
      text:
        "A 200 may contain `{code, message, requestId}`, HTML or nothing, and a 207 may contain `{}`. Each throws `UnexpectedResponseError` with the platform's code, message and request id; after a write, the outcome is unknown.",
    },
    {
      id: "filter-limits",
      title: "Each filter has its own limit",
      text:
        "Sponsored Products accepts 1,000 ids of the entities themselves, but only 100 ids of their parents; Brands accepts 10 of either. The client splits longer lists at these limits. The state filter of portfolios accepts one state.",
    },
    {
      id: "big-ids",
      title: "Ids are 64-bit integers",
      text:
        "Many are greater than 2^53, where a JavaScript number loses digits. Ids are strings here. Where the API expects a number (Brands keywords, profiles, reports), the client sends all digits.",
    },
    {
      id: "throttling",
      title: "429 may come without Retry-After",
      text:
        "The limits are not published; they vary by region, operation and hour. The client waits as long as the platform asks, or else for a random, growing time. For the first ten seconds, all other requests of the client wait too. A longer wait only applies to the throttled profile, on that host and group of operations, until a second profile is throttled. After that, requests leave one after another, at the rate that the platform allowed. Suggested bids are throttled most. New reports are counted over a longer time than the retries of one request.",
    },
    {
      id: "accepted-429",
      title: "A report may exist even though its creation got a 429",
      text:
        "If the same body is sent again, the response is 425 with the id of that report. The client uses that report if it has the same configuration.",
    },
  ],
};

const ACCOUNTS: NoteGroup = {
  id: "accounts",
  title: "Accounts, regions and tokens",
  notes: [
    {
      id: "regional-profiles",
      title: "A regional host only lists its own profiles",
      text:
        "A host only lists the profiles of its own region; for other accounts the list is empty, without a hint that they have profiles elsewhere. `profiles()` asks all three hosts and joins the results. Australia, Japan and Singapore belong to the Far East; the United Kingdom and India belong to Europe.",
    },
    {
      id: "uk-not-gb",
      title: "The United Kingdom is UK, not GB",
      text: "The platform writes UK where ISO 3166 writes GB. Both are accepted here; UK is sent and stored.",
    },
    {
      id: "console-ids",
      title: "The campaign id in the console's address is not an API id",
      text:
        'It begins with the letter A, and the API does not know it. Brands responds with 400 "Id filter has invalid value".',
    },
    {
      id: "several-profiles",
      title: "A marketplace can have several profiles",
      text:
        'A company can have a seller and a vendor account, for example. Self-publishing authors have the type `vendor` and a `subType`. If several profiles match, `profile("DE")` throws an error that lists them.',
    },
    {
      id: "refresh-token-life",
      title: "Refresh tokens expire after a year",
      text:
        "Tokens issued since mid-2026 expire 365 days after consent, however often they are used. A new client secret invalidates all refresh tokens at once. The provider then responds with `invalid_grant`. If you set PLATFORM_ADS_CONSENT_DATE, the tools warn you 30 days ahead.",
    },
    {
      id: "scope-refused",
      title: "401 may be about the profile",
      text:
        '"Not authorized to access scope" means that the user who gave consent does not have access to that profile, or no longer has it. "No matching advertiser found for scope" means that the host does not know the profile. A new token does not help; the client renews it only once.',
    },
    {
      id: "advertiser-id",
      title: '400 "Advertiser ID cannot be decrypted" means that another id is needed',
      text:
        "The operation takes the id of an advertiser account as the platform lists it, not a profile id or an id from the console.",
    },
    {
      id: "unserved-path",
      title: "403 may mean that the path does not exist",
      text:
        "The gateway responds with 403 and a message about the authorization header to every path that it does not serve, including the tools of the hosted tool server. Check the path before the permissions.",
    },
  ],
};

const REPORTS: NoteGroup = {
  id: "reports",
  title: "Reports",
  notes: [
    {
      id: "report-duplicate",
      title: "A duplicate report is refused with the id of the first one",
      text:
        "The response is 425, and the id is in the text of the message. The first report may have failed: after five such refusals the client gives up, and the next sync requests the report again.",
    },
    {
      id: "report-range",
      title: "A report covers 31 days, and old days are deleted",
      text:
        "The client splits longer ranges. Rows are kept for about 95 days (65 for search terms, 60 for Brands). For older days, the report is empty, or the response is a 400 about the retention start date.",
    },
    {
      id: "report-date-column",
      title: "The date column depends on the time unit",
      text:
        "DAILY needs the column `date`. SUMMARY refuses it and uses `startDate` and `endDate`, which the report types of the demand-side platform do not have.",
    },
    {
      id: "report-restatement",
      title: "Figures change afterwards",
      text:
        "Impressions and clicks change for some days, conversions for up to 42 days. The store pulls those days again.",
    },
    {
      id: "report-values-now",
      title: "Bids, budgets and states in a report are current values",
      text:
        "`keywordBid`, `campaignBudgetAmount` and `campaignStatus` are the values when the report was created, regardless of the row's date.",
    },
    {
      id: "report-target-id",
      title: "A target's id is in the column keywordId",
      text: "This applies to product targets in `spTargeting`.",
    },
    {
      id: "report-search-terms",
      title: "Search terms without a click are not reported",
      text: "Totals over search terms therefore lack their impressions.",
    },
    {
      id: "report-brands-metrics",
      title: "Columns differ between Brands reports",
      text:
        "Sales and purchases include any product of the brand bought within 14 days of a click. Metric names have no 1d, 7d or 14d, except in `sbPurchasedProduct`, whose `attributionType` is Promoted or Brand Halo. `sbTargeting` refuses the page columns of e-readers; `sbSearchTerm` also refuses `detailPageViews`.",
    },
    {
      id: "report-brands-left-out",
      title: "Version 3 leaves out older Brands campaigns",
      text:
        "Brands reports are documented to contain only multi-ad-group campaigns. Figures and coverage name the campaigns that are not archived, have `isMultiAdGroupsEnabled` false and have no rows.",
    },
    {
      id: "report-file-headers",
      title: "Download report files without credentials",
      text:
        "The file's address is signed and on another host, which responds with 400 to an authorization header. It is valid for about an hour and changes with each status request.",
    },
    {
      id: "report-whole-account",
      title: "The new reports cover the whole advertiser account",
      text:
        "You request a report for an account, not for a profile. One file has the rows of all its marketplaces, in their own currencies, whatever the host's region. If an account has several, the client adds a filter on `campaign.country`, with country codes as in existing clients; `wholeAccount` removes the filter. Users have also seen whole marketplaces missing (2026-07), so an empty report says so.",
    },
    {
      id: "report-hours",
      title: "A report may take three hours",
      text:
        "Users consider this normal, so the client waits that long. A later retry of the request, or the next sync, resumes unfinished reports.",
    },
    {
      id: "report-two-at-a-time",
      title: "The platform builds about two new reports at a time",
      text:
        "A third request gets a 429 while the first two are being built, for ten minutes or more (seen by existing clients, not documented). The client requests further parts of a long report after it has read an earlier one.",
    },
    {
      id: "report-failed-names",
      title: "A failed report can have different statuses",
      text: "The statuses FAILED, FAILURE and CANCELLED have all been observed.",
    },
  ],
};

const INVOICES: NoteGroup = {
  id: "invoices",
  title: "Invoices",
  notes: [
    {
      id: "invoice-media-types",
      title: "The documented media types are refused",
      text: "The response is 406 with an empty body. `application/json` works, so the client sends it.",
    },
    {
      id: "invoice-wrapper",
      title: "The response is wrapped and uses a cursor for paging",
      text:
        "It is `{status, payload}`. To get the next page, send `payload.nextCursor` as `cursor`, without `count`. The last page has no `nextCursor`.",
    },
    {
      id: "invoice-open-period",
      title: "The open period is listed but cannot be fetched",
      text:
        "Its status is ACCUMULATING, and it has no id, `invoiceDate`, `toDate`, fees or tax amounts. The filter `invoiceStatuses` does not offer ACCUMULATING; leave the filter out to see that invoice.",
    },
    {
      id: "invoice-single-fields",
      title: "A single invoice has different fields than in the list",
      text:
        "The list has `adProductGroup` and `countryCode`; a single invoice has `issuerContactInformation`, `payerContactInformation`, `thirdPartyContactInformation`, and `invoiceLines` with `campaignAID`.",
    },
    {
      id: "invoice-404",
      title: "404 may mean a profile without invoices",
      text:
        "A profile in India responds to the list of invoices with 404 and an empty body. Treat it as an empty list, not as a wrong path.",
    },
    {
      id: "invoice-summaries",
      title: "Invoice summaries have no wrapper",
      text:
        "`POST /invoiceSummaries/list` uses `application/vnd.billingInvoiceSummary.v1+json` for the body and the response, as documented. `invoiceSummaries` is at the top level, with `nextToken` next to it if `maxResults` cut the list short.",
    },
  ],
};

const CHANGE_HISTORY: NoteGroup = {
  id: "change-history",
  title: "Change history",
  notes: [
    {
      id: "history-whole-advertiser",
      title: "Without ids, the history seems empty",
      text:
        "A request without entities or campaigns must explicitly ask for the whole advertiser, or it returns no events. The client does this for you.",
    },
    {
      id: "history-filters",
      title: "The history ignores its filters",
      text:
        "The platform also returns events of other change types and entity types; the client removes them.",
    },
    {
      id: "history-limits",
      title: "The history covers 90 days, and ten ids per request",
      text:
        "Older changes are not available, and the client splits longer lists of ids. Values are strings. The history does not say who made a change, and does not cover display ads.",
    },
    {
      id: "history-restorable",
      title: "Most values can be restored, but not archived entities or texts",
      text:
        "`rollbackPlan` restores bids, states, budgets, names, dates, portfolios, bidding strategies and placements, and pauses entities created since then. Archived entities stay archived; the plan's warnings name values that no update accepts.",
    },
  ],
};

export type { Note, NoteGroup } from "./note.ts";

/**
 * Undocumented behavior of the platform that users have observed. `docs/quirks.md` is generated from this list, and
 * the tool server's `api_notes` returns it.
 */
export const NOTES: readonly NoteGroup[] = [
  ACCOUNTS,
  REQUESTS,
  SPONSORED_PRODUCTS,
  SPONSORED_BRANDS,
  SPONSORED_DISPLAY,
  KEYWORD_TEXT,
  SUGGESTED_BIDS,
  CHANGE_HISTORY,
  REPORTS,
  INVOICES,
];
