import { type HttpResponse, jsonResponse } from "../http/http_response.ts";
import { isObject } from "../core/json.ts";
import type { FaultEffects } from "./fault_rule.ts";

/** The response after the faults that change its content have acted on it. */
export function corruptResponse(response: HttpResponse, effects: FaultEffects): HttpResponse {
  let spoiled = response;
  if (effects.unknownEnum !== undefined && spoiled.value !== undefined) {
    const { field, value } = effects.unknownEnum;
    spoiled = jsonResponse(spoiled.status, withField(spoiled.value, field, value), {
      headers: spoiled.headers,
    });
  }
  if (effects.corruptGzip && typeof spoiled.body !== "string") {
    spoiled = { ...spoiled, body: flipped(spoiled.body) };
  }
  return spoiled;
}

function withField(value: unknown, field: string, replacement: string): unknown {
  if (Array.isArray(value)) return value.map((part) => withField(part, field, replacement));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === field ? replacement : withField(part, field, replacement),
    ]),
  );
}

function flipped(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes);
  const middle = result.length >> 1;
  result[middle] = (result[middle] ?? 0) ^ 0xff;
  return result;
}
