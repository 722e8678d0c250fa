import type { BaseCallOptions } from "../catalog/call_types.ts";
import { catalog } from "../catalog/catalog.ts";
import type { Operation } from "../catalog/operation.ts";
import { type CallInput, prepareCall } from "../catalog/prepare_call.ts";
import type { ApiResponse } from "../transport/api_request.ts";
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
}

/** Finds an operation, checks the call against what is published, sends it, and returns the response. */
export async function sendCall(id: string, call: CallRequest, target: CallTarget): Promise<ApiResponse> {
  const { check = "warn", signal, ...input } = call;
  const { transport, baseUrl, scope } = target;
  const operation = await catalog.get(id);
  const { wireWord } = transport.platform;
  const prepared = prepareCall(operation, input, { wireWord });
  if (check !== "off") {
    await checkPublished(operation, { ...input, body: prepared.json }, { check, transport });
  }
  const json = prepared.json === undefined ? undefined : await withBareIntegers(operation, prepared);
  return await transport.send({ ...prepared, json, baseUrl, scope, signal });
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

/** The body with ids past 2^53, which are texts here, as the bare numbers that the operation wants. */
async function withBareIntegers(
  operation: Operation,
  { json, contentType }: { json: unknown; contentType: string | undefined },
): Promise<unknown> {
  const { bodyShape, loadApiShapes, wireBody } = await import("../schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const shape = bodyShape(shapes?.operation(operation.operationId), contentType);
  if (shapes === undefined || shape === undefined) return json;
  return wireBody(shapes, shape, json, AS_IT_IS);
}

const AS_IT_IS = { word: (text: string): string => text, short: (text: string): string => text };
