import { isObject } from "../../base/json/is_object.ts";
import type { BaseCallOptions } from "../../platform/catalog/call_types.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { checkPublished } from "../../platform/catalog/check_published.ts";
import type { Operation } from "../../platform/catalog/operation.ts";
import { deprecationText } from "../../platform/catalog/operation_json.ts";
import { type CallInput, prepareCall, type PreparedCall } from "../../platform/catalog/prepare_call.ts";
import type { Platform } from "../../platform/connection/platform.ts";
import { dayOf } from "../../base/time/calendar.ts";
import type { ApiRequest, ApiResponse } from "../../platform/transport/api_request.ts";
import type { ReachLimit } from "../../platform/transport/profile_scope.ts";
import type { Transport } from "../../platform/transport/transport.ts";
import { neutralResponse, wireWords } from "./wire_wording.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";

export type CallRequest = CallInput & Pick<BaseCallOptions, "check" | "signal" | "onResponse">;

/** Destination of a call. */
export interface CallTarget {
  readonly transport: Transport;
  readonly baseUrl: string;
  /** Profile id; `undefined` for calls about an account. */
  readonly scope?: string | undefined;
  /** Limit to some profiles of the login. @default none */
  readonly limit?: ReachLimit | undefined;
  /** Clearance for a call of an admitted plan. */
  readonly clearance?: object | undefined;
  /** Headers, each sent with the operations that document it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Finds an operation, checks the call against its description, sends it, and returns the response. */
export async function sendCall(
  id: string,
  call: CallRequest,
  target: CallTarget & {
    readonly watch?: Partial<Pick<ApiRequest, "beforeAttempt" | "onNothingDone" | "idempotent">>;
  },
): Promise<ApiResponse> {
  const { check = "warn", signal, onResponse, ...rest } = call;
  const given = { ...rest, body: await withFiles(rest.body) };
  const { transport, baseUrl, scope, clearance, watch } = target;
  const operation = await catalog.get(id);
  if (operation.deprecated?.shutoff !== undefined) {
    const text = deprecationText(operation.deprecated, dayOf(transport.now()));
    transport.warn(`${operation.id} ${text}`, { once: true });
  }
  const input = { ...given, headers: completedHeaders(operation, given.headers, target.headers) };
  const { wireWord } = transport.platform;
  const prepared = prepareCall(operation, input, { wireWord });
  await warnOfDifferences(operation, {
    ...input,
    body: prepared.form === undefined ? prepared.json : given.body,
    check,
  }, target);
  const request = await asPublished(operation, prepared, transport.platform);
  const response = await transport.send({ ...request, baseUrl, scope, clearance, signal, ...watch });
  onResponse?.(response);
  return await neutralResponse(operation, response, transport.platform);
}

/**
 * Warns of differences between a call and its published operation.
 *
 * @throws {SchemaError} with `strict`, and `TypeError` for an update that would create. Nothing was sent.
 */
export async function warnOfDifferences(
  operation: Operation,
  { check = "warn", ...input }: CallRequest,
  { transport }: Pick<CallTarget, "transport">,
): Promise<void> {
  const { warnings, unchecked } = await checkPublished(operation, input, check);
  if (unchecked && check === "strict") {
    transport.warn(`Not checked: no description is published for "${operation.id}"`);
  }
  for (const warning of warnings) transport.warn(`${operation.id}: ${warning}`);
}

/** Headers of the call, and those of the account that the operation documents. */
function completedHeaders(
  operation: Operation,
  given: Readonly<Record<string, string>> = {},
  known: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const documented = new Set(operation.headers.map(({ name }) => name.toLowerCase()));
  const present = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const added = Object.entries(known).filter(([name]) =>
    documented.has(name.toLowerCase()) && !present.has(name.toLowerCase())
  );
  return { ...Object.fromEntries(added), ...given };
}

/**
 * Request in published form: ids past 2^53 as bare numbers, the platform's own word in the body, and repeated list
 * parameters.
 */
async function asPublished(
  operation: Operation,
  prepared: PreparedCall,
  platform: Platform,
): Promise<PreparedCall> {
  const { params, headers } = prepared;
  const isNeutral = platform.wireWord === "platform";
  const lists = Object.entries(params).filter(([, value]) => Array.isArray(value));
  const worded = isNeutral ? [] : [...Object.keys(params), ...Object.keys(headers)];
  if (prepared.json === undefined && lists.length + worded.length === 0) return prepared;
  const { bodyShape, loadApiShapes, wireBody, wireParameters } = await import("../../platform/schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const shape = shapes?.operation(operation.operationId);
  if (shapes === undefined || shape === undefined) return prepared;
  const words = wireWords(platform);
  const body = bodyShape(shape, prepared.contentType);
  const json = body === undefined || prepared.json === undefined
    ? prepared.json
    : wireBody(shapes, body, prepared.json, words);
  return { ...prepared, ...wireParameters(shapes, shape, { params, headers }, words), json };
}

/**
 * A body whose streams and addresses of files are files, ready for a form. A stream is read to its end first, so that a
 * request that is throttled can be sent again; a file is read from its path when it is sent.
 *
 * @throws {TypeError} for an address that is not one of a file, or a file that cannot be opened. Nothing was sent.
 */
async function withFiles(body: unknown): Promise<unknown> {
  if (!isObject(body) || body instanceof FormData) {
    return body;
  }
  const fields = Object.entries(body);
  if (!fields.some(([, value]) => value instanceof ReadableStream || value instanceof URL)) return body;
  return Object.fromEntries(
    await Promise.all(fields.map(async ([name, value]) => [name, await fileOf(name, value)] as const)),
  );
}

async function fileOf(name: string, value: unknown): Promise<unknown> {
  if (value instanceof ReadableStream) return await new Response(value).blob();
  return value instanceof URL ? await fileAt(name, value) : value;
}

async function fileAt(name: string, address: URL): Promise<File> {
  if (address.protocol !== "file:") {
    throw new TypeError(`Cannot send "${name}": ${address.protocol} is not the address of a file`);
  }
  const files = fileSystem();
  const path = decodeURIComponent(address.pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  try {
    return new File([await files.openBlob(path)], files.basename(path));
  } catch (cause) {
    throw new TypeError(`Cannot send "${name}": the file "${path}" cannot be opened`, { cause });
  }
}
