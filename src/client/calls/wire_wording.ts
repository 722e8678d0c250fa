import type { Operation } from "../../platform/catalog/operation.ts";
import { onWire, type Platform } from "../../platform/connection/platform.ts";
import type { WireWords } from "../../platform/schema/wire_body.ts";
import { noteOrigin, originOf } from "../../platform/transport/unexpected_response.ts";
import type { ApiResponse } from "../../platform/transport/api_request.ts";
import { type OperationMatcher, operationMatcher } from "./operation_matcher.ts";

/** Words on the wire in place of the neutral one. */
export function wireWords({ wireWord, wireShortWord = wireWord }: Platform): WireWords {
  return { word: (text) => onWire(text, wireWord), short: (text) => onWire(text, wireShortWord) };
}

/** Response with the neutral word in place of the platform's, where published. */
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
 * Converts bodies of requests and responses between the neutral word and the platform's own, exactly where the
 * operation's description has it.
 */
export class WireWording {
  readonly #platform: Platform;
  /** Finds operations by paths as they stand on the wire. */
  readonly matcher: OperationMatcher;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.matcher = operationMatcher(platform.wireWord);
  }

  /** True where the platform's word is the neutral one. */
  get isNeutral(): boolean {
    return this.#platform.wireWord === "platform";
  }

  /** Described operation of a request; `undefined` with the neutral word. */
  async operationOf(method: string, path: string): Promise<Operation | undefined> {
    return this.isNeutral ? undefined : await this.matcher.find(method, path);
  }

  /** Body with the platform's own word. */
  sent(operation: Operation | undefined, body: unknown, contentType?: string): Promise<unknown> {
    return this.#converted("wordedBody", operation, { body, contentType });
  }

  /** Body of a request with the neutral word. */
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

  /** Response with the neutral word. */
  async received(operation: Operation | undefined, response: ApiResponse): Promise<unknown> {
    if (operation === undefined) return response.json;
    return (await neutralResponse(operation, response, this.#platform)).json;
  }
}
