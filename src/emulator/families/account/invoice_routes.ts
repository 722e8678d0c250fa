import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { refusal } from "../../http/refusal.ts";
import type { ProfileRecord } from "../../state/profile_record.ts";
import type { Invoice } from "./invoice.ts";
import { moneyIn, paymentMethodOf } from "./invoice_wire.ts";
import { makeInvoices } from "./make_invoices.ts";
import { getInvoice, listInvoices } from "./invoices.ts";
import type { Route } from "../../routing/route.ts";

type Issued = Invoice & { readonly id: string };
type Filter = (value: JsonObject) => (invoice: Issued) => boolean;

const MAX_PAGE = 1000;
const PLAIN_FIELDS = ["maxResults", "nextToken", "sort", "aggregation"];
const SORTABLE: Readonly<Record<string, (invoice: Issued) => string | number>> = {
  issuedDate: (invoice) => invoice.invoiceDate,
  dueDate: (invoice) => invoice.dueDate,
  amountDue: (invoice) => invoice.total,
  remainingAmountDue: (invoice) => invoice.remaining,
};

/** Mimics the live service: no wrapper, filters and order in the body, and a token for the next page. */
function listInvoiceSummaries(context: Context): HttpResponse {
  const { profile, clock, body = {} } = context;
  if (!isObject(body)) throw bad("Request body must be an object");
  const matches = readFilters(body, profile.record);
  const found = makeInvoices(profile, clock.day(profile.record.timezone)).filter(isIssued).filter(matches);
  const ordered = inOrder(found, body.sort);
  const size = readNumber(body.maxResults ?? MAX_PAGE, "maxResults", MAX_PAGE);
  const start = readStart(body.nextToken, ordered);
  const invoiceSummaries = ordered.slice(start, start + size).map((invoice) =>
    toWire(invoice, profile.record)
  );
  const next = ordered[start + size];
  const nextToken = next === undefined ? {} : { nextToken: next.id };
  return jsonResponse(200, { invoiceSummaries, ...nextToken }, { type: context.responseType });
}

function readFilters(body: JsonObject, record: ProfileRecord): (invoice: Issued) => boolean {
  const filters: Readonly<Record<string, Filter>> = {
    invoiceNumberFilter: including((invoice) => invoice.id),
    statusValueFilter: including((invoice) => invoice.status),
    countryValueFilter: including(() => record.countryCode),
    paymentMethodTypeValueFilter: including(() => paymentMethodOf(record)),
    reserveOrderNumberFilter: including(() => ""),
    invoiceIssuedDateRangeFilter: within((invoice) => invoice.invoiceDate),
    invoiceDueDateRangeFilter: within((invoice) => invoice.dueDate),
  };
  const predicates = Object.entries(body).flatMap(([name, value]) => {
    if (PLAIN_FIELDS.includes(name) || value === undefined || value === null) return [];
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (filter === undefined) throw bad(`The noted field is not allowed with this API endpoint : ${name}`);
    if (!isObject(value)) throw bad(`${name} must be an object`);
    return [filter(value)];
  });
  return (invoice) => predicates.every((matches) => matches(invoice));
}

function including(read: (invoice: Issued) => string): Filter {
  return ({ include }) => {
    if (!Array.isArray(include) || include.length === 0) {
      throw bad("include must be a non-empty list");
    }
    return (invoice) => include.includes(read(invoice));
  };
}

function within(read: (invoice: Issued) => string): Filter {
  return ({ startDate = "", endDate = "9" }) => (invoice) =>
    read(invoice) >= String(startDate) && read(invoice) <= String(endDate);
}

function inOrder(invoices: Issued[], sort: Json | undefined): Issued[] {
  if (sort === undefined || sort === null) return invoices;
  const { attribute, direction = "ASC" } = isObject(sort) ? sort : {};
  const read = Object.hasOwn(SORTABLE, String(attribute)) ? SORTABLE[String(attribute)] : undefined;
  if (read === undefined || (direction !== "ASC" && direction !== "DESC")) {
    throw bad(`sort must be {attribute: ${Object.keys(SORTABLE).join(" or ")}, direction: ASC or DESC}`);
  }
  const ascending = [...invoices].sort((a, b) => read(a) < read(b) ? -1 : read(a) > read(b) ? 1 : 0);
  return direction === "ASC" ? ascending : ascending.reverse();
}

function readStart(token: Json | undefined, invoices: readonly Issued[]): number {
  if (token === undefined || token === null) return 0;
  const start = invoices.findIndex(({ id }) => id === token);
  if (start < 0) throw bad("nextToken is not valid for this request");
  return start;
}

function readNumber(value: Json, name: string, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw bad(`${name} must be a whole number from 1 to ${most}`);
}

function toWire(invoice: Issued, record: ProfileRecord): JsonObject {
  const money = moneyIn(record);
  const coded = (code: string) => ({ code, value: code.replaceAll("_", " ").toLowerCase() });
  return {
    id: invoice.id,
    status: { ...coded(invoice.status), description: "" },
    country: { code: record.countryCode, value: record.countryCode },
    issuedDate: invoice.invoiceDate,
    dueDate: invoice.dueDate,
    amountDue: money(invoice.total),
    remainingAmountDue: money(invoice.remaining),
    paymentMethodType: coded(paymentMethodOf(record)),
  };
}

function isIssued(invoice: Invoice): invoice is Issued {
  return invoice.id !== undefined;
}

function bad(text: string): Error {
  return refusal(400, text, "details");
}

const SUMMARY_TYPES = ["application/vnd.billingInvoiceSummary.v1+json"];

/** The first two routes only respond with plain JSON: as on the live service, their documented media types get 406. */
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
