import { isObject } from "../../base/json/fields_of.ts";
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

export interface CallTarget {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly scope?: string | undefined;
  readonly limit?: ReachLimit | undefined;
  readonly clearance?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

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
 * @throws {SchemaError} with `strict`; nothing is sent.
 * @throws {TypeError} when an update would create; nothing is sent.
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
 * Converts a call to the platform's form: ids above 2^53 become bare numbers, the neutral word becomes the platform's
 * own, and list parameters are repeated.
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
 * Reads the files in a body. Streams are buffered, so that a throttled request can be retried; files are read when
 * they are sent.
 *
 * @throws {TypeError} when a file URL is invalid or cannot be opened; nothing is sent.
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
