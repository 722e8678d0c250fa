import type { NoteGroup } from "./note.ts";

export const REPORTS: NoteGroup = {
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
      id: "report-file-headers",
      title: "The file's address takes no credentials",
      text:
        "It is signed and on another host, which responds with 400 to an authorization header. It lasts about an hour and changes with every look at the status.",
    },
    {
      id: "report-failed-names",
      title: "A failure has several names",
      text: "FAILED, FAILURE and CANCELLED were all met.",
    },
  ],
};
