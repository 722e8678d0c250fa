import type { PlannedCall } from "../../plans/model/planned_call.ts";
import type { CallQueryValue } from "../../platform/catalog/call_types.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { type CallInput, prepareCall } from "../../platform/catalog/prepare_call.ts";

export async function requestText(call: Omit<PlannedCall, "request">): Promise<string> {
  const operation = await catalog.get(call.operation);
  const { method, path } = prepareCall(operation, callInput({ ...call, request: "" }));
  return `${method} ${path}`;
}

export function callInput(call: PlannedCall): CallInput {
  return {
    body: call.body,
    pathParams: Object.fromEntries(
      Object.entries(call.path_params ?? {}).map(([name, value]) => [
        name,
        typeof value === "number" ? value : String(value),
      ]),
    ),
    query: Object.fromEntries(
      Object.entries(call.query ?? {}).map(([name, value]) => [name, queryValue(value)]),
    ),
    headers: call.headers ?? {},
    ...(call.content_type === undefined ? {} : { contentType: call.content_type }),
    ...(call.accept === undefined ? {} : { accept: call.accept }),
  };
}

function queryValue(value: unknown): CallQueryValue {
  if (Array.isArray(value)) return value.map((part) => typeof part === "number" ? part : String(part));
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}
