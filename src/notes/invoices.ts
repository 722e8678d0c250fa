import type { NoteGroup } from "./note.ts";

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
