import type { Operation } from "../../platform/catalog/operation.ts";
import { onWire, type Platform } from "../../platform/connection/platform.ts";
import type { WireWords } from "../../platform/schema/wire_body.ts";
import { noteOrigin, originOf } from "../../platform/transport/unexpected_response.ts";
import type { ApiResponse } from "../../platform/transport/api_request.ts";

export function wireWords({ wireWord, wireShortWord = wireWord }: Platform): WireWords {
  return { word: (text) => onWire(text, wireWord), short: (text) => onWire(text, wireShortWord) };
}

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
 * Replaces the neutral word `platform` with the platform's own (`wireWord`) in request bodies, and back in responses,
 * only in the names and values that the operation's schema publishes with it.
 */
export class WireWording {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  get isNeutral(): boolean {
    return this.#platform.wireWord === "platform";
  }

  async operationOf(method: string, path: string): Promise<Operation | undefined> {
    return this.isNeutral ? undefined : await this.matching(method, path);
  }

  /** Returns the operation of a request, whether or not the platform has its own word. */
  async matching(method: string, path: string): Promise<Operation | undefined> {
    const { operationMatcher } = await import("./operation_matcher.ts");
    return await operationMatcher(this.#platform.wireWord).find(method, path);
  }

  sent(operation: Operation | undefined, body: unknown, contentType?: string): Promise<unknown> {
    return this.#converted("wordedBody", operation, { body, contentType });
  }

  unsent(operation: Operation | undefined, body: unknown, contentType?: string): Promise<unknown> {
    return this.#converted("neutralBody", operation, { body, contentType });
  }

  async #converted(
    convert: "wordedBody" | "neutralBody",
    operation: Operation | undefined,
    { body, contentType }: { readonly body: unknown; readonly contentType: string | undefined },
  ): Promise<unknown> {
    if (operation === undefined || body === undefined || this.isNeutral) return body;
    const schema = await import("../../platform/schema/mod.ts");
    const shapes = await schema.loadApiShapes(operation.api);
    const node = schema.bodyShape(shapes?.operation(operation.operationId), contentType);
    if (shapes === undefined || node === undefined) return body;
    return schema[convert](shapes, node, body, wireWords(this.#platform));
  }

  async received(operation: Operation | undefined, response: ApiResponse): Promise<unknown> {
    if (operation === undefined) return response.json;
    return (await neutralResponse(operation, response, this.#platform)).json;
  }
}
