import { BatchResult } from "../../../platform/batch/batch_result.ts";
import type { WriteOptions } from "../../../plans/model/plan_target.ts";

/**
 * Sends each id once and copies its verdict to every position where it occurs; indexes refer to the original list.
 *
 * @param send Receives unique ids; its indexes refer to that list.
 */
export async function sendOnce(
  ids: readonly string[],
  options: WriteOptions,
  send: (ids: readonly string[], options: WriteOptions) => Promise<BatchResult>,
): Promise<BatchResult> {
  const unique = [...new Set(ids)];
  if (unique.length === ids.length) return await send(ids, options);
  const places = Map.groupBy(ids.keys(), (place) => ids[place]!);
  const placesOf = (index: number): number[] => places.get(unique[index]!)!;
  const spread = ({ successes, errors, stoppedBy }: BatchResult): BatchResult =>
    new BatchResult(
      successes.flatMap((success) => placesOf(success.index).map((index) => ({ ...success, index }))),
      errors.flatMap((error) => placesOf(error.index).map((index) => ({ ...error, index }))),
      stoppedBy,
    );
  const result = await send(unique, {
    ...options,
    onSending: (indexes) => options.onSending?.(indexes.flatMap(placesOf)),
    onVerdicts: (verdicts) => options.onVerdicts?.(spread(verdicts)),
  });
  return spread(result);
}
