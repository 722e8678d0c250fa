import { BatchResult } from "../batch/batch_result.ts";
import { parseMultiStatus } from "../batch/parse_multi_status.ts";
import { checkIds } from "./fields/check_items.ts";
import type { ResourceSpec } from "./resource_spec.ts";
import type { Fields } from "./wire/resource_wire.ts";
import { sendOnce } from "./send_once.ts";
import { chunks } from "../internal/chunks.ts";

/** An answer about several ids: entries that name their position, and entries that say why there is none. */
export interface AnswerLists {
  /** What was answered. */
  readonly success: readonly Fields[];
  /** Why there is no answer. */
  readonly error: readonly Fields[];
}

/** How a question about many ids is asked. */
export interface AskEachOptions {
  /** Most ids a request takes. */
  readonly limit: number;
  /** The kind of entities that is asked about. */
  readonly spec: ResourceSpec;
  /** Asks about some of them. */
  readonly ask: (ids: readonly string[]) => Promise<AnswerLists>;
}

/**
 * Asks about many ids in as many requests as it takes; `entity` of each success is what was answered about the id.
 *
 * @throws {TypeError} for what is not an id. Nothing was sent.
 */
export async function askEach<Answer>(
  ids: readonly string[],
  options: AskEachOptions,
): Promise<BatchResult<string, Answer>> {
  checkIds(options.spec, ids);
  return await sendOnce(ids, {}, (unique) => askAll<Answer>(unique, options)) as BatchResult<string, Answer>;
}

async function askAll<Answer>(
  ids: readonly string[],
  { limit, spec, ask }: AskEachOptions,
): Promise<BatchResult<string, Answer>> {
  const parts: BatchResult<string, Answer>[] = [];
  let offset = 0;
  for (const part of chunks(ids, limit)) {
    parts.push(pair(await ask(part), { ids: part, idField: spec.idField, offset }));
    offset += part.length;
  }
  return BatchResult.join(parts);
}

function pair<Answer>(
  answer: AnswerLists,
  { ids, idField, offset }: { ids: readonly string[]; idField: string; offset: number },
): BatchResult<string, Answer> {
  const byIndex = new Map(answer.success.map(({ index, ...entry }) => [Number(index), entry as Answer]));
  const verdicts = parseMultiStatus<string, Answer>(answer, ids, { idField, offset });
  const successes = verdicts.successes.map((success) => ({
    ...success,
    entity: byIndex.get(success.index - offset),
  }));
  return new BatchResult(successes, verdicts.errors);
}
