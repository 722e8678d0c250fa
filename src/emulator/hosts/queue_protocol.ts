import { randomUUID } from "node:crypto";
import { isObject, type JsonObject, objectsIn, parseJson } from "../core/json.ts";
import { type HttpResponse, jsonResponse, rawResponse } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";

export interface QueueRequest {
  readonly action: string;
  /** True for a JSON request; otherwise the request is a form and gets an XML response. */
  readonly isJson: boolean;
  value(name: string): string | undefined;
  readonly entries: readonly JsonObject[];
}

export function readQueueRequest(request: IncomingRequest): QueueRequest | undefined {
  const target = request.headers["x-amz-target"];
  if (target !== undefined) return fromJson(target, request);
  const form = new URLSearchParams(
    request.method === "POST" && request.mediaType.includes("form") ? request.text() : request.queryText,
  );
  const action = form.get("Action");
  if (action === null) return undefined;
  return {
    action,
    isJson: false,
    value: (name) => form.get(name) ?? undefined,
    entries: formEntries(form, `${action}RequestEntry`),
  };
}

function fromJson(target: string, request: IncomingRequest): QueueRequest | undefined {
  let body: unknown;
  try {
    body = parseJson(request.text() || "{}");
  } catch {
    return undefined;
  }
  if (!isObject(body)) return undefined;
  const fields = body;
  const { Entries: entries } = fields;
  return {
    action: target.split(".").at(-1) ?? "",
    isJson: true,
    value: (name) => fields[name] === undefined ? undefined : String(fields[name]),
    entries: objectsIn(entries) ?? [],
  };
}

function formEntries(form: URLSearchParams, prefix: string): JsonObject[] {
  const entries: JsonObject[] = [];
  for (let number = 1; form.has(`${prefix}.${number}.Id`); number++) {
    const start = `${prefix}.${number}.`;
    entries.push(
      Object.fromEntries(
        [...form].filter(([name]) => name.startsWith(start)).map(([name, value]) => [
          name.slice(start.length),
          value,
        ]),
      ),
    );
  }
  return entries;
}

export function queueResponse(
  { action, isJson }: QueueRequest,
  result: JsonObject,
  names: Readonly<Record<string, string>>,
): HttpResponse {
  if (isJson) return jsonResponse(200, result, { type: "application/x-amz-json-1.0" });
  const inner = Object.entries(result).map(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => element(names[name] ?? name, item)).join("")
  ).join("");
  return rawResponse(
    200,
    `<?xml version="1.0"?><${action}Response>${
      inner === "" ? "" : `<${action}Result>${inner}</${action}Result>`
    }<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`,
    { type: "text/xml" },
  );
}

export function queueRefusal(
  isJson: boolean,
  { code, message, status = 400 }: { code: string; message: string; status?: number },
): HttpResponse {
  if (isJson) {
    return jsonResponse(status, { __type: `queue#${code}`, message }, { type: "application/x-amz-json-1.0" });
  }
  return rawResponse(
    status,
    `<?xml version="1.0"?><ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${
      escaped(message)
    }</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
    { type: "text/xml" },
  );
}

function element(name: string, value: unknown): string {
  const inner = isObject(value)
    ? Object.entries(value).map(([field, each]) => element(field, each)).join("")
    : escaped(String(value));
  return `<${name}>${inner}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  )
    .replaceAll("\r", "&#xD;");
}
