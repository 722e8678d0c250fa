import { Buffer } from "node:buffer";
import { emptyResponse, type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { refusal } from "../../http/refusal.ts";
import { toWireInvoice, toWireSummary } from "./invoice_wire.ts";
import { makeInvoices } from "./make_invoices.ts";

const STATUSES = ["ISSUED", "PAID_IN_FULL", "PAID_IN_PART", "WRITTEN_OFF"];
const USUAL_PAGE = 10;
const MAX_PAGE = 100;
/** Countries whose profiles get 404 without a body, as observed. */
const WITHOUT_INVOICES = ["IN"];

interface InvoiceQuery {
  readonly statuses: readonly string[] | undefined;
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
  readonly count: number;
  readonly at: number;
}

export function listInvoices(context: Context): HttpResponse {
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
export function getInvoice(context: Context): HttpResponse {
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
  if (count <= MAX_PAGE) return count;
  throw refusal(400, `count must be a whole number from 0 to ${MAX_PAGE}`, "details");
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
