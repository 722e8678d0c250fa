import { listInvoiceSummaries } from "../billing/answer_invoice_summaries.ts";
import { getInvoice, listInvoices } from "../billing/answer_invoices.ts";
import type { Route } from "../route.ts";

const SUMMARY_TYPES = ["application/vnd.billingInvoiceSummary.v1+json"];

/** Invoices. The first two answer plain JSON only: their documented media types get 406, as from the live service. */
export const INVOICE_ROUTES: readonly Route[] = [
  {
    operation: "advertising-billing:getAdvertiserInvoices",
    method: "GET",
    path: "/invoices",
    answerTypes: ["application/json"],
    errors: "details",
    handle: listInvoices,
  },
  {
    operation: "advertising-billing:getInvoice",
    method: "GET",
    path: "/invoices/{invoiceId}",
    answerTypes: ["application/json"],
    errors: "details",
    handle: getInvoice,
  },
  {
    operation: "advertising-billing:GetBillingInvoiceSummaries",
    method: "POST",
    path: "/invoiceSummaries/list",
    requestTypes: SUMMARY_TYPES,
    answerTypes: SUMMARY_TYPES,
    errors: "details",
    handle: listInvoiceSummaries,
  },
];
