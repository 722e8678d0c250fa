/** The operations that do what a tool of the hosted tool server does, by the tool's id, where a match is known. */
export const HOSTED_TOOL_MATCHES: Readonly<Record<string, readonly string[]>> = {
  "mcp-billing:list_invoices": [
    "advertising-billing:getAdvertiserInvoices",
    "advertising-billing:getInvoice",
  ],
  "mcp-billing:list_invoice_summaries": ["advertising-billing:GetBillingInvoiceSummaries"],
};
