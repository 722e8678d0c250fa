import { type HttpResponse, jsonResponse, rawResponse, type Reply } from "../http/http_response.ts";
import type { JournalEntry } from "../http/journal.ts";
import type { Faults } from "./fault_engine.ts";
import type { FaultEffects, FaultResponse } from "./fault_rule.ts";
import { isObject } from "../core/json.ts";

export async function respondUnderFaults(
  faults: Faults,
  entry: JournalEntry,
  { act, wait }: { act: () => Promise<HttpResponse>; wait: (seconds: number) => Promise<void> },
): Promise<Reply> {
  if (faults.delay !== undefined) await wait(faults.delay);
  if (faults.drop === "before") return cut(entry, "before");
  const isEarly = faults.response !== undefined && !faults.response.acted;
  const real = isEarly ? undefined : await act();
  if (faults.drop === "after") return cut(entry, "after");
  const response = faults.response !== undefined
    ? faultResponse(faults.response)
    : faults.acceptedBut429 && real!.status < 300
    ? jsonResponse(429, { code: "429", detail: "Too Many Requests" })
    : corruptResponse(real!, faults);
  entry.status = response.status;
  return { response, ...(faults.truncate === undefined ? {} : { truncate: faults.truncate }) };
}

function cut(entry: JournalEntry, when: "before" | "after"): Reply {
  entry.dropped = when;
  return { response: undefined };
}

function faultResponse(fault: FaultResponse): HttpResponse {
  const headers: Record<string, string> = {};
  if (fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers[name.toLowerCase()] = value;
  if (fault.body === undefined) return { status: fault.status, headers, body: "" };
  if (typeof fault.body === "string") return rawResponse(fault.status, fault.body, { headers });
  return jsonResponse(fault.status, fault.body, { headers });
}

function corruptResponse(response: HttpResponse, effects: FaultEffects): HttpResponse {
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
