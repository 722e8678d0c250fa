import type { BaseCallOptions } from "../catalog/call_types.ts";
import { catalog } from "../catalog/catalog.ts";
import type { Operation } from "../catalog/operation.ts";
import { deprecationText } from "../catalog/operation_deprecation.ts";
import { type CallInput, prepareCall, type PreparedCall } from "../catalog/prepare_call.ts";
import { onWire } from "../connection/platform.ts";
import { dayOf } from "../internal/calendar.ts";
import type { WireWords } from "../schema/wire_body.ts";
import type { ApiRequest, ApiResponse } from "../transport/api_request.ts";
import type { Transport } from "../transport/transport.ts";

/** A call of an operation: its body, parameters and options. */
export type CallRequest = CallInput & Pick<BaseCallOptions, "check" | "signal">;

/** Where a call goes. */
export interface CallTarget {
  /** Sends it. */
  readonly transport: Transport;
  /** Address of the host. */
  readonly baseUrl: string;
  /** Id of the profile that it is about; `undefined` for one about an account. */
  readonly scope?: string | undefined;
  /** Shown to the policy for a call of a plan that it admitted. */
  readonly clearance?: object | undefined;
  /** Headers by name; each is sent with the operations that document it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Finds an operation, checks the call against what is published, sends it, and returns the response. */
export async function sendCall(
  id: string,
  call: CallRequest,
  target: CallTarget & { readonly watch?: Pick<ApiRequest, "beforeAttempt" | "onNothingDone"> },
): Promise<ApiResponse> {
  const { check = "warn", signal, ...given } = call;
  const { transport, baseUrl, scope, clearance, watch } = target;
  const operation = await catalog.get(id);
  if (operation.deprecated?.shutoff !== undefined) {
    const text = deprecationText(operation.deprecated, dayOf(transport.now()));
    transport.warn(`${operation.id} ${text}`, { once: true });
  }
  const input = { ...given, headers: completedHeaders(operation, given.headers, target.headers) };
  const { wireWord } = transport.platform;
  const prepared = prepareCall(operation, input, { wireWord });
  if (check !== "off") {
    await checkPublished(operation, { ...input, body: checkedBody(prepared, given) }, { check, transport });
  }
  const request = await asPublished(operation, prepared, wireWord);
  const response = await transport.send({ ...request, baseUrl, scope, clearance, signal, ...watch });
  return wireWord === "platform" ? response : await neutralResponse(operation, response, wireWord);
}

/** A response with the neutral word where the platform sent its own, as far as that is published. */
async function neutralResponse(
  operation: Operation,
  response: ApiResponse,
  wireWord: string,
): Promise<ApiResponse> {
  const { loadApiShapes, neutralBody, responseShape } = await import("../schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const shape = shapes?.operation(operation.operationId);
  if (shapes === undefined || shape === undefined) return response;
  const contentType = neutral(response.headers.get("content-type") ?? "", wireWord);
  const node = responseShape(shape, { status: response.status, contentType });
  if (node === undefined) return response;
  return { ...response, json: neutralBody(shapes, node, response.json, wordsOf(wireWord)) };
}

function neutral(text: string, wireWord: string): string {
  return text.replaceAll(wireWord, "platform");
}

function wordsOf(wireWord: string): WireWords {
  const word = (text: string): string => onWire(text, wireWord);
  return { word, short: word };
}

/** The headers of a call and, of those of the account, what the operation documents. */
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

/** Files of a form are not compared. */
function checkedBody({ json, form }: PreparedCall, { body }: CallInput): unknown {
  if (form === undefined) return json;
  const fields = typeof body === "object" && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(fields.map(([name, value]) => [name, typeof value === "string" ? value : ""]));
}

async function checkPublished(
  operation: Operation,
  input: CallInput,
  { check, transport }: { check: "warn" | "strict"; transport: Transport },
): Promise<void> {
  const findings = await operation.check(input);
  if (findings === undefined) {
    if (check === "strict") transport.warn(`Not checked: nothing is published of "${operation.id}"`);
    return;
  }
  if (findings.length === 0) return;
  const { findingText, SchemaError } = await import("../schema/mod.ts");
  if (check === "strict") throw new SchemaError(operation.id, findings);
  for (const finding of findings) transport.warn(`${operation.id}: ${findingText(finding)}`);
}

/**
 * The request in the form that the operation wants: ids past 2^53, which are texts here, as bare numbers, the platform's own
 * word where names and values of the body have it, and lists of the query as repeated parameters where they are published
 * so.
 */
async function asPublished(
  operation: Operation,
  prepared: PreparedCall,
  wireWord: string,
): Promise<PreparedCall> {
  const lists = Object.entries(prepared.params).filter(([, value]) => Array.isArray(value));
  if (prepared.json === undefined && lists.length === 0) return prepared;
  const { bodyShape, loadApiShapes, wireBody } = await import("../schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const shape = shapes?.operation(operation.operationId);
  if (shapes === undefined || shape === undefined) return prepared;
  const params = { ...prepared.params };
  for (const [name, value] of lists) {
    const schema = shape.parameters.find((parameter) => parameter.in === "query" && parameter.name === name)
      ?.schema;
    const isRepeated = schema?.explode !== false && [schema?.type ?? []].flat().includes("array");
    if (isRepeated && Array.isArray(value)) params[name] = { repeated: value };
  }
  const body = bodyShape(shape, prepared.contentType);
  const json = body === undefined || prepared.json === undefined
    ? prepared.json
    : wireBody(shapes, body, prepared.json, wordsOf(wireWord));
  return { ...prepared, params, json };
}
