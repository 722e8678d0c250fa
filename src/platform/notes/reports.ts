import type { NoteGroup } from "./note.ts";

export const REPORTS: NoteGroup = {
  id: "reports",
  title: "Reports",
  notes: [
    {
      id: "report-duplicate",
      title: "A second report of the same kind is refused with the first one's id",
      text:
        "425, and the id stands in the text of the message. It may be the id of a report that has failed: after five such refusals the request is given up, and made again by the next sync.",
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
      text:
        "DAILY wants the column `date`; SUMMARY refuses it and takes `startDate` and `endDate`, which the types of the demand-side platform do not have.",
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
      id: "report-brands-left-out",
      title: "Version 3 leaves out older Brands campaigns",
      text:
        "Reports of Brands were published to have multi-ad-group campaigns alone. Figures and coverage name campaigns that are not archived, have `isMultiAdGroupsEnabled` false and no row.",
    },
    {
      id: "report-file-headers",
      title: "The file's address takes no credentials",
      text:
        "It is signed and on another host, which responds with 400 to an authorization header. It lasts about an hour and changes with every look at the status.",
    },
    {
      id: "report-whole-account",
      title: "Reporting 1 answers for the whole advertiser account",
      text:
        "It is asked for an account and not for a profile, and rows of all its marketplaces come in one file, in their own currencies and whatever the region of the host. Where an account has several, reports here have a condition on `campaign.country`, whose values existing clients write as country codes; `wholeAccount` leaves it out. Users have also seen whole marketplaces missing (2026-07), so an empty report says so.",
    },
    {
      id: "report-hours",
      title: "A report may take three hours",
      text:
        "Users call it normal. That is how long reports are waited for; a request that is repeated later, and the next sync, resume what is still being built.",
    },
    {
      id: "report-two-at-a-time",
      title: "Reporting 1 builds about two reports at a time",
      text:
        "A third request gets a 429 for as long as the first ones are built, ten minutes and more (seen by existing clients, published nowhere). Further parts of a long report are asked for once an earlier one is read.",
    },
    {
      id: "report-failed-names",
      title: "A failure has several names",
      text: "FAILED, FAILURE and CANCELLED were all met.",
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
      text: "406 with an empty body; `application/json` works and is what is sent.",
    },
    {
      id: "invoice-wrapper",
      title: "The response is wrapped, and pages by cursor",
      text:
        "`{status, payload}`; pass `payload.nextCursor` back as `cursor`, without `count`. The key is absent on the last page.",
    },
    {
      id: "invoice-open-period",
      title: "The open period is listed and cannot be fetched",
      text:
        "Its status is ACCUMULATING, and it has no id, `invoiceDate`, `toDate`, fees or tax amounts. The filter `invoiceStatuses` does not offer ACCUMULATING: leave the filter out to see that invoice.",
    },
    {
      id: "invoice-single-fields",
      title: "A single invoice has other fields than its line in the list",
      text:
        "The list gives `adProductGroup` and `countryCode`; a single invoice has `issuerContactInformation`, `payerContactInformation`, `thirdPartyContactInformation`, and `invoiceLines` with `campaignAID`.",
    },
    {
      id: "invoice-404",
      title: "404 may mean a profile without invoices",
      text:
        "A profile in India responds to the list of invoices with 404 and an empty body. Take it for an empty list, not for a wrong path.",
    },
    {
      id: "invoice-summaries",
      title: "Invoice summaries have no wrapper",
      text:
        "`POST /invoiceSummaries/list` takes `application/vnd.billingInvoiceSummary.v1+json` for the body and the response, as documented. `invoiceSummaries` stands at the top level, with `nextToken` beside it when `maxResults` cut the list short.",
    },
  ],
};

export const CHANGE_HISTORY: NoteGroup = {
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
      title: "Most values can be put back, archives and texts not",
      text:
        "`rollbackPlan` puts back bids, states, budgets, names, dates, portfolios, bidding strategies and placements, and pauses what was created since. What is archived stays archived; what no update takes is named in the plan's warnings.",
    },
  ],
};
