import { listInvoiceSummaries } from "./invoice_summaries.ts";
import { getInvoice, listInvoices } from "./invoices.ts";
import type { Route } from "../../routing/route.ts";

const SUMMARY_TYPES = ["application/vnd.billingInvoiceSummary.v1+json"];

/** Invoices. The first two respond with plain JSON only: their documented media types get 406, as from the live service. */
export const INVOICE_ROUTES: readonly Route[] = [
  {
    operation: "advertising-billing:getAdvertiserInvoices",
    method: "GET",
    path: "/invoices",
    responseTypes: ["application/json"],
    errors: "details",
    handle: listInvoices,
  },
  {
    operation: "advertising-billing:getInvoice",
    method: "GET",
    path: "/invoices/{invoiceId}",
    responseTypes: ["application/json"],
    errors: "details",
    handle: getInvoice,
  },
  {
    operation: "advertising-billing:GetBillingInvoiceSummaries",
    method: "POST",
    path: "/invoiceSummaries/list",
    requestTypes: SUMMARY_TYPES,
    responseTypes: SUMMARY_TYPES,
    errors: "details",
    handle: listInvoiceSummaries,
  },
];
