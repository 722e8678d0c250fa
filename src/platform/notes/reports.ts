import type { NoteGroup } from "./note.ts";

export const REPORTS: NoteGroup = {
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

export const INVOICES: NoteGroup = {
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

export const CHANGE_HISTORY: NoteGroup = {
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
