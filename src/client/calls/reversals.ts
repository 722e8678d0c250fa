import { isObject } from "../../base/json/fields_of.ts";
import { NotFoundError } from "../../errors.ts";
import type { CallState, PlannedCall } from "../../plans/model/planned_call.ts";
import { requestText } from "./request_text.ts";
import { sendCall } from "./send_call.ts";
import type { CallTarget } from "./send_call.ts";

interface Definitions {
  readonly api: string;
  readonly get: string;
  readonly create: string;
  readonly replace: string;
  readonly remove: string;
  readonly id: string;
  readonly envelope: string;
}

const DEFINITIONS: readonly Definitions[] = ["Workflow", "Schedule"].map((name) => ({
  api: "workflow-management-service",
  get: `get${name}`,
  create: `create${name}`,
  replace: `update${name}`,
  remove: `delete${name}`,
  id: `${name.toLowerCase()}Id`,
  envelope: name.toLowerCase(),
}));

export async function definitionState(
  call: PlannedCall,
  target: CallTarget,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<CallState | undefined> {
  const found = DEFINITIONS.find(({ api, create, replace, remove }) =>
    [create, replace, remove].some((name) => call.operation === `${api}:${name}`)
  );
  if (found === undefined) return undefined;
  const { api, id, envelope } = found;
  const isCreate = call.operation === `${api}:${found.create}`;
  const { path_params = {}, headers, body } = call;
  const given = isObject(body) ? body[id] : undefined;
  const path = isCreate ? { ...path_params, [id]: given } : path_params;
  const now = await read();
  const other = async (
    name: string,
    rest: Omit<PlannedCall, "operation" | "request">,
  ): Promise<PlannedCall> => {
    const undo = { operation: `${api}:${name}`, ...rest, ...(headers === undefined ? {} : { headers }) };
    return { ...undo, request: await requestText(undo) };
  };
  if (isCreate) {
    // One that is there already is put back, and never deleted.
    return now === undefined
      ? { undo: await other(found.remove, { path_params: path }) }
      : { body: now, undo: await other(found.replace, { path_params: path, body: now }) };
  }
  if (now === undefined) return undefined;
  if (call.operation === `${api}:${found.replace}`) {
    return { body: now, undo: await other(found.replace, { path_params, body: now }) };
  }
  const { [id]: _, ...place } = path_params;
  return { entity: now, undo: await other(found.create, { path_params: place, body: now }) };

  async function read(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const pathParams = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]));
    const request = { pathParams, headers: headers ?? {}, check: "off", ...(signal && { signal }) } as const;
    try {
      const { json } = await sendCall(`${api}:${found?.get}`, request, target);
      const entity = isObject(json) ? json[envelope] ?? json : undefined;
      return isObject(entity) ? entity : undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}
