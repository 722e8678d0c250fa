import { readBody } from "../../platform/transport/unexpected_response.ts";
import type { BatchResult } from "../../platform/batch/batch_result.ts";
import { parseMultiStatus } from "../../platform/batch/parse_multi_status.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import type { Operation } from "../../platform/catalog/operation.ts";
import { writeBatch } from "../entities/resource/write_batch.ts";
import { chunks } from "../../base/json/chunks.ts";
import { type CallRequest, type CallTarget, sendCall, warnOfDifferences } from "./send_call.ts";

const DEFAULT_LIMIT = 100;

interface ItemList {
  readonly field: string | undefined;
  readonly limit: number;
}

export async function callBatch<Item>(
  id: string,
  { items, ...call }: Omit<CallRequest, "body"> & { readonly items: readonly Item[] },
  target: CallTarget,
): Promise<BatchResult<Item>> {
  const operation = await catalog.get(id);
  const { field, limit } = await itemListOf(operation);
  const bodyOf = (part: readonly Item[]): unknown => field === undefined ? part : { [field]: part };
  // All of them are checked before the first is sent.
  for (const part of chunks(items, limit)) {
    await warnOfDifferences(operation, { ...call, body: bodyOf(part) }, target);
  }
  return await writeBatch(items, {
    limit,
    signal: call.signal,
    // A create that is sent again could be done twice; an update or a deletion cannot.
    resendInternalErrors: operation.method !== "POST" ||
      /(?:delete|update|archive)/i.test(operation.operationId),
    transport: target.transport,
    send: async (part, watch) => {
      const { json } = await sendCall(id, { ...call, body: bodyOf(part), check: "off" }, {
        ...target,
        watch,
      });
      const what =
        `Cannot read the verdicts of "${operation.id}": the response has none. The items may have been done`;
      return readBody(json, what, () => parseMultiStatus(json, part));
    },
  });
}

async function itemListOf(operation: Operation): Promise<ItemList> {
  const { bodyShape, flatShape, loadApiShapes } = await import("../../platform/schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const body = bodyShape(shapes?.operation(operation.operationId), operation.contentType);
  if (shapes !== undefined && body !== undefined) {
    const flat = flatShape(shapes, body);
    if (flat.items !== undefined) {
      return { field: undefined, limit: flat.parts[0]?.maxItems ?? DEFAULT_LIMIT };
    }
    const lists = [...flat.fields].filter(([, field]) => flatShape(shapes, field).items !== undefined);
    const [first] = lists.filter(([name]) => flat.required.has(name)).concat(lists);
    if (first !== undefined) {
      const [name, node] = first;
      return { field: name, limit: shapes.resolve(node).maxItems ?? DEFAULT_LIMIT };
    }
  }
  throw new TypeError(
    `Cannot send items through "${operation.id}": its body is not known to hold a list of them`,
  );
}
