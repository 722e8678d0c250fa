import { catalog } from "../../platform/catalog/catalog.ts";
import { prepareCall } from "../../platform/catalog/prepare_call.ts";
import type { PlannedCall } from "../../plans/model/planned_call.ts";
import { callInput } from "./call_input.ts";

export async function requestText(call: Omit<PlannedCall, "request">): Promise<string> {
  const operation = await catalog.get(call.operation);
  const { method, path } = prepareCall(operation, callInput({ ...call, request: "" }));
  return `${method} ${path}`;
}
