import { isObject } from "../../base/json/fields_of.ts";
import { onWire } from "../connection/platform.ts";
import { UnsupportedOperationError } from "../../errors.ts";
import type { BaseCallOptions, CallQueryValue } from "./call_types.ts";
import { formatPath, type PathValue } from "./path_segment.ts";
import type { Operation } from "./operation.ts";
import type { OperationParameter } from "./operation_json.ts";

export interface CallInput extends Omit<BaseCallOptions, "check" | "signal" | "onResponse"> {
  readonly body?: unknown;
  readonly pathParams?: Readonly<Record<string, PathValue>>;
}

type PreparedValue = string | number | boolean | readonly string[] | {
  readonly repeated: readonly string[];
};

export interface PreparedCall {
  readonly method: string;
  /** Encoded path, in which `wireWord` replaces the placeholder `platform`. */
  readonly path: string;
  readonly params: Readonly<Record<string, PreparedValue>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly json: unknown;
  readonly form: FormData | undefined;
  readonly idempotent: boolean;
}

const FILLED_BY_THE_CLIENT = /^(?:authorization|user-agent|host|content-length|.*-(?:clientid|scope))$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Builds the request of an operation, and sends nothing.
 *
 * @param options.wireWord Replaces `platform` in the path and query names.
 * @throws {UnsupportedOperationError} when the operation cannot be sent, or takes neither JSON nor a form.
 * @throws {TypeError} for a missing required parameter or header, a value of the wrong type, or a body of a GET.
 * @throws {RangeError} when a path parameter could leave its segment.
 */
export function prepareCall(
  operation: Operation,
  input: CallInput = {},
  { wireWord = "platform" }: { wireWord?: string } = {},
): PreparedCall {
  operation.ensureSendable();
  const wire = (text: string): string => onWire(text, wireWord);
  const path = formatPath(operation, input.pathParams ?? {}, { literal: wire });
  const query = checkedQuery(operation, input.query ?? {});
  const params = Object.fromEntries(Object.entries(query).map(([name, value]) => [wire(name), value]));
  const headers = checkedHeaders(operation, input.headers ?? {});
  ensurePresent(operation, params, headers, wire);
  const contentType = input.contentType ?? operation.contentType;
  const isForm = contentType !== undefined && /^multipart\/form-data\b/i.test(contentType);
  return {
    method: operation.method,
    path,
    params,
    headers,
    contentType,
    accept: input.accept ?? acceptFor(operation, input.contentType),
    json: isForm ? undefined : bodyOf(operation, input.body, contentType),
    form: isForm && input.body !== undefined ? formOf(operation.id, input.body) : undefined,
    idempotent: operation.readOnly,
  };
}

function checkedQuery(
  operation: Operation,
  query: Readonly<Record<string, CallQueryValue>>,
): Record<string, PreparedValue> {
  const checked: Record<string, PreparedValue> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (overridesMethod(name)) throw otherMethod(operation, `the query parameter "${name}"`);
    if (!(Array.isArray(value) ? value : [value]).every(isPlain)) {
      throw refusal(
        operation,
        `the query parameter "${name}" is not text, a number, true, false or a list of those`,
      );
    }
    checked[name] = Array.isArray(value)
      ? value.map(String)
      : typeof value === "bigint"
      ? String(value)
      : value as PreparedValue;
  }
  return checked;
}

function isPlain(value: unknown): boolean {
  return ["string", "boolean", "bigint"].includes(typeof value) || Number.isFinite(value);
}

export function checkedHeaders(
  operation: Operation,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    if (!HEADER_NAME.test(name)) throw refusal(operation, `"${name}" is not the name of a header`);
    if (typeof value !== "string" || !HEADER_VALUE.test(value)) {
      throw refusal(operation, `the value of the header "${name}" is not one line of text`);
    }
    if (overridesMethod(name)) throw otherMethod(operation, `the header "${name}"`);
    if (FILLED_BY_THE_CLIENT.test(name)) {
      throw refusal(operation, `the header "${name}" is filled in by the client. Leave it out`);
    }
    if (/^(?:accept|content-type)$/i.test(name)) {
      const option = name.toLowerCase() === "accept" ? "accept" : "contentType";
      throw refusal(operation, `the header "${name}" is set by the option "${option}". Pass that`);
    }
  }
  return Object.fromEntries(entries);
}

function otherMethod(operation: Operation, what: string): TypeError {
  return refusal(operation, `${what} could turn it into another operation. Call that one by its id`);
}

function ensurePresent(
  operation: Operation,
  params: PreparedCall["params"],
  headers: PreparedCall["headers"],
  wire: (text: string) => string,
): void {
  const given = new Set(Object.keys(headers).map((name) => wire(name).toLowerCase()));
  const missing = [
    ...required(operation.query).filter((name) => !Object.hasOwn(params, wire(name)))
      .map((name) => `the query parameter "${name}"`),
    ...required(operation.headers).filter((name) => !given.has(wire(name).toLowerCase()))
      .map((name) => `the header "${name}"`),
  ];
  if (missing.length === 0) return;
  throw refusal(
    operation,
    `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} required and missing`,
  );
}

function required(parameters: readonly OperationParameter[]): string[] {
  return parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
}

/** A pinned version of the request body also selects that version of the response, if documented. */
function acceptFor(operation: Operation, pinned: string | undefined): string | undefined {
  const matches = pinned !== undefined && !operation.corrected && operation.accepts.includes(pinned);
  return matches ? pinned : operation.accept;
}

function bodyOf(operation: Operation, body: unknown, contentType: string | undefined): unknown {
  if (body === undefined || body === null) {
    // A list without filters is an empty object; no body at all is malformed JSON to the platform.
    return operation.method === "POST" && operation.readOnly && operation.hasBody ? {} : undefined;
  }
  if (operation.method === "GET") {
    throw refusal(operation, "a GET has no body. Pass what narrows it as query");
  }
  if (contentType !== undefined && !/^application\/(?:[^;]*\+)?json\b/i.test(contentType)) {
    throw new UnsupportedOperationError(
      `Cannot call "${operation.id}" with a body: it takes "${contentType}", and only JSON bodies and forms are written`,
    );
  }
  if (typeof body === "function" || typeof body === "symbol") {
    throw refusal(operation, `the body is a ${typeof body}, which JSON cannot hold`);
  }
  return body;
}

function refusal(operation: Operation, why: string): TypeError {
  return new TypeError(`Cannot call "${operation.id}": ${why}`);
}

/**
 * A `Blob`, `File` or bytes become a file, objects and lists JSON, everything else text.
 *
 * @throws {TypeError} for a body that is not an object.
 */
function formOf(operationId: string, body: unknown): FormData {
  if (body instanceof FormData) return body;
  if (!isObject(body)) {
    throw new TypeError(
      `Cannot call "${operationId}": its body is a form. Pass an object with a value for each field`,
    );
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : name);
    else if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), name);
    else form.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return form;
}

/** Headers and query parameters that some gateways treat as the method, which could turn a read into a write. */
const OTHER_METHOD = /^[_$]?(?:x[-_]?)?(?:http[-_]?)?method(?:[-_]?override)?$/i;

export function overridesMethod(name: string): boolean {
  return OTHER_METHOD.test(name);
}
