import type { Operation } from "../../platform/catalog/operation.ts";
import { onWire, type Platform } from "../../platform/connection/platform.ts";
import type { WireWords } from "../../platform/schema/wire_body.ts";
import { noteOrigin, originOf } from "../../platform/transport/unexpected_response.ts";
import type { ApiResponse } from "../../platform/transport/api_request.ts";
import { type OperationMatcher, operationMatcher } from "./operation_matcher.ts";

/** The words that a platform has on the wire in place of the neutral one. */
export function wireWords({ wireWord, wireShortWord = wireWord }: Platform): WireWords {
  return { word: (text) => onWire(text, wireWord), short: (text) => onWire(text, wireShortWord) };
}

/** A response with the neutral word where the platform sent its own, as far as that is published. */
export async function neutralResponse(
  operation: Operation,
  response: ApiResponse,
  platform: Platform,
): Promise<ApiResponse> {
  if (platform.wireWord === "platform") return response;
  const { loadApiShapes, neutralBody, responseShape } = await import("../../platform/schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const shape = shapes?.operation(operation.operationId);
  if (shapes === undefined || shape === undefined) return response;
  const contentType = (response.headers.get("content-type") ?? "").replaceAll(platform.wireWord, "platform");
  const node = responseShape(shape, { status: response.status, contentType });
  if (node === undefined) return response;
  const { status, headers, requestId } = response;
  const json = neutralBody(shapes, node, response.json, wireWords(platform));
  noteOrigin(json, originOf(response.json));
  return { status, headers, requestId, json };
}

/**
 * Puts the platform's own word into the bodies of requests that are written by hand or by a resource, and takes it out of
 * their responses: in the places where the description of the operation has it, and nowhere else.
 */
export class WireWording {
  readonly #platform: Platform;
  readonly #matcher: OperationMatcher;

  /** @param platform Names the words. */
  constructor(platform: Platform) {
    this.#platform = platform;
    this.#matcher = operationMatcher(platform.wireWord);
  }

  /** True where the platform's word is the neutral one, so that nothing is to be put in its place. */
  get isNeutral(): boolean {
    return this.#platform.wireWord === "platform";
  }

  /** The operation of a request; `undefined` where the platform's word is the neutral one, or none is described. */
  async operationOf(method: string, path: string): Promise<Operation | undefined> {
    return this.isNeutral ? undefined : await this.#matcher.find(method, path);
  }

  /** A body with the platform's own word. */
  async sent(operation: Operation | undefined, body: unknown, contentType?: string): Promise<unknown> {
    if (operation === undefined || body === undefined) return body;
    const { bodyShape, loadApiShapes, wordedBody } = await import("../../platform/schema/mod.ts");
    const shapes = await loadApiShapes(operation.api);
    const node = bodyShape(shapes?.operation(operation.operationId), contentType);
    if (shapes === undefined || node === undefined) return body;
    return wordedBody(shapes, node, body, wireWords(this.#platform));
  }

  /** A response with the neutral word. */
  async received(operation: Operation | undefined, response: ApiResponse): Promise<unknown> {
    if (operation === undefined) return response.json;
    return (await neutralResponse(operation, response, this.#platform)).json;
  }
}
