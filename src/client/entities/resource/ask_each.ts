import { BatchResult } from "../../../platform/batch/batch_result.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";
import { sendOnce } from "./send_once.ts";
import { chunks } from "../../../base/json/chunks.ts";

interface ResponseLists {
  readonly success: readonly Fields[];
  readonly error: readonly Fields[];
}

interface AskEachOptions {
  readonly limit: number;
  readonly spec: ResourceSpec;
  readonly ask: (ids: readonly string[]) => Promise<ResponseLists>;
}

export async function askEach<Entry>(
  ids: readonly string[],
  options: AskEachOptions,
): Promise<BatchResult<string, Entry>> {
  return await sendOnce(ids, {}, (unique) => askAll<Entry>(unique, options)) as BatchResult<string, Entry>;
}

async function askAll<Entry>(
  ids: readonly string[],
  { limit, spec, ask }: AskEachOptions,
): Promise<BatchResult<string, Entry>> {
  const parts: BatchResult<string, Entry>[] = [];
  let offset = 0;
  for (const part of chunks(ids, limit)) {
    parts.push(pair(await ask(part), { ids: part, idField: spec.idField, offset }));
    offset += part.length;
  }
  return BatchResult.join(parts);
}

function pair<Entry>(
  response: ResponseLists,
  { ids, idField, offset }: { ids: readonly string[]; idField: string; offset: number },
): BatchResult<string, Entry> {
  const byIndex = new Map(response.success.map(({ index, ...entry }) => [Number(index), entry as Entry]));
  const verdicts = parseMultiStatus<string, Entry>(response, ids, { idField, offset });
  const successes = verdicts.successes.map((success) => ({
    ...success,
    entity: byIndex.get(success.index - offset),
  }));
  return new BatchResult(successes, verdicts.errors);
}
