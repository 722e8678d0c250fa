import { Buffer } from "node:buffer";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { emptyResponse, type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import type { ProfileRecord } from "../../state/profile_record.ts";
import { type Invoice, makeInvoices } from "./make_invoices.ts";
import { moneyIn, paymentMethodOf, toWireInvoice, toWireSummary } from "./invoice_wire.ts";

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

const STATUSES = ["ISSUED", "PAID_IN_FULL", "PAID_IN_PART", "WRITTEN_OFF"];
const USUAL_PAGE = 10;
const MAX_COUNT = 100;

/** Countries whose profiles get 404 without a body, as observed. */
const WITHOUT_INVOICES = ["IN"];

interface InvoiceQuery {
  readonly statuses: readonly string[] | undefined;
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
  readonly count: number;
  readonly at: number;
}

function listInvoices(context: Context): HttpResponse {
  const { profile, clock } = context;
  if (WITHOUT_INVOICES.includes(profile.record.countryCode)) return emptyResponse(404);
  const query = readQuery(context.query);
  const found = makeInvoices(profile, clock.day(profile.record.timezone)).filter((invoice) => {
    // The open month has no date of its own yet: only a list without filters shows it.
    if (invoice.id === undefined) return (query.statuses ?? query.startDate ?? query.endDate) === undefined;
    return (query.statuses?.includes(invoice.status) ?? true) &&
      invoice.invoiceDate >= (query.startDate ?? "") &&
      invoice.invoiceDate <= (query.endDate ?? "9");
  });
  const { at, count } = query;
  const invoiceSummaries = found.slice(at, at + count).map((invoice) =>
    toWireSummary(invoice, profile.record)
  );
  const nextCursor = at + count < found.length
    ? { nextCursor: writeCursor({ ...query, at: at + count }) }
    : {};
  const previousCursor = at > 0
    ? { previousCursor: writeCursor({ ...query, at: Math.max(0, at - count) }) }
    : {};
  return wrapped({ invoiceSummaries, ...nextCursor, ...previousCursor }, context);
}

/** Returns an invoice. The open month has no id and cannot be requested. */
function getInvoice(context: Context): HttpResponse {
  const { profile, clock, params } = context;
  if (WITHOUT_INVOICES.includes(profile.record.countryCode)) return emptyResponse(404);
  const invoices = makeInvoices(profile, clock.day(profile.record.timezone));
  const invoice = invoices.find(({ id }) => id === params.invoiceId);
  if (invoice === undefined) throw refusal(404, `Invoice ${params.invoiceId} was not found`, "details");
  const portfolios = profile.collection("portfolios").all();
  const names = new Map(portfolios.map((each) => [String(each.portfolioId), String(each.name)]));
  return wrapped(toWireInvoice(invoice, profile.record, names), context);
}

function wrapped(payload: unknown, { responseType }: Context): HttpResponse {
  return jsonResponse(200, { status: "success", payload }, { type: responseType });
}

function readQuery(query: URLSearchParams): InvoiceQuery {
  const cursor = query.get("cursor");
  const count = query.get("count");
  if (cursor === null) {
    return {
      statuses: readStatuses(query),
      startDate: readDay(query, "startDate"),
      endDate: readDay(query, "endDate"),
      count: readCount(count),
      at: 0,
    };
  }
  if (count !== null) throw refusal(400, "count cannot be combined with cursor", "details");
  return readCursor(cursor);
}

function readStatuses(query: URLSearchParams): string[] | undefined {
  const statuses = query.getAll("invoiceStatuses").flatMap((text) => text.split(","));
  const unknown = statuses.find((status) => !STATUSES.includes(status));
  if (unknown !== undefined) {
    throw refusal(
      400,
      `invoiceStatuses includes invalid values: (${unknown}). Allowed values: (${STATUSES.join(", ")})`,
      "details",
    );
  }
  return statuses.length === 0 ? undefined : statuses;
}

function readDay(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const match = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text);
  if (match === null) throw refusal(400, `${name} must be a day`, "details");
  return match.slice(1).join("-");
}

function readCount(text: string | null): number {
  if (text === null || text === "0") return USUAL_PAGE;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (count <= MAX_COUNT) return count;
  throw refusal(400, `count must be a whole number from 0 to ${MAX_COUNT}`, "details");
}

/** A cursor contains the whole query, so no other parameters are sent with it. */
function writeCursor(query: InvoiceQuery): string {
  return Buffer.from(JSON.stringify(query)).toString("base64url");
}

function readCursor(cursor: string): InvoiceQuery {
  try {
    const query = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Number.isInteger(query.at) && Number.isInteger(query.count)) return query;
  } catch {
    // Falls through to the refusal.
  }
  throw refusal(400, "cursor is not valid", "details");
}
