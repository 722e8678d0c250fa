import { BatchResult } from "../batch/batch_result.ts";
import { parseMultiStatus } from "../batch/parse_multi_status.ts";
import type { Fields } from "./resource_wire.ts";
import { split } from "./split.ts";

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
  /** Field of an entry that holds its id. */
  readonly idField: string;
  /** Asks about some of them. */
  readonly ask: (ids: readonly string[]) => Promise<AnswerLists>;
}

/** Asks about many ids in as many requests as it takes; `entity` of each success is what was answered about the id. */
export async function askEach<Answer>(
  ids: readonly string[],
  options: AskEachOptions,
): Promise<BatchResult<string, Answer>> {
  const distinct = [...new Set(ids)];
  const parts: BatchResult<string, Answer>[] = [];
  let offset = 0;
  for (const part of split(distinct, options.limit)) {
    const answer = await options.ask(part);
    parts.push(pair(answer, { ids: part, idField: options.idField, offset }));
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
