import { type Answer, jsonAnswer, rawAnswer } from "../answer.ts";
import type { FaultAnswer } from "./fault_rule.ts";

/** The answer that a fault puts in place of the real one. */
export function faultAnswer(fault: FaultAnswer): Answer {
  const headers: Record<string, string> = {};
  if (fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers[name.toLowerCase()] = value;
  if (fault.body === undefined) return { status: fault.status, headers, body: "" };
  if (typeof fault.body === "string") return rawAnswer(fault.status, fault.body, { headers });
  return jsonAnswer(fault.status, fault.body, { headers });
}
