import { BatchResult } from "../../../platform/batch/batch_result.ts";
import { failure } from "../../../platform/batch/item_error.ts";
import type { Fields, ResourceWire, WireProblem } from "../model/resource_wire.ts";

export const NOT_ON_WIRE = "NOT_ON_WIRE";

/**
 * Sends the items without problems. Items with problems get the verdict `NOT_ON_WIRE` and are not sent.
 *
 * @param send Receives positions; indexes of its result refer to them.
 */
export async function sendFit(
  items: readonly Fields[],
  problems: readonly (readonly WireProblem[])[],
  send: (positions: readonly number[]) => Promise<BatchResult<Fields>>,
): Promise<BatchResult<Fields>> {
  const positions = [...items.keys()];
  if (problems.every((own) => own.length === 0)) return await send(positions);
  const fit = positions.filter((index) => problems[index]!.length === 0);
  const unfit = positions.filter((index) => problems[index]!.length > 0).map((index) => {
    const message = `Never sent: ${problems[index]!.map((one) => one.message).join("; ")}`;
    return failure({ index, item: items[index], outcome: "not_sent" }, { code: NOT_ON_WIRE, message });
  });
  if (fit.length === 0) return new BatchResult([], unfit);
  const { successes, errors, stoppedBy } = await send(fit);
  const placed = <Verdict extends { readonly index: number }>(verdict: Verdict): Verdict => ({
    ...verdict,
    index: fit[verdict.index]!,
  });
  return new BatchResult(
    successes.map(placed).sort((a, b) => a.index - b.index),
    [...unfit, ...errors.map(placed)].sort((a, b) => a.index - b.index),
    stoppedBy,
  );
}

export function refusingWire(
  wire: ResourceWire,
  problemsOf: NonNullable<ResourceWire["problems"]>,
): ResourceWire {
  const write = (op: "create" | "update"): ResourceWire["create"] => (scope, items, options) =>
    sendFit(
      items,
      items.map((item) => problemsOf(scope, item, op)),
      (positions) =>
        wire[op](
          scope,
          positions.length === items.length ? items : positions.map((at) => items[at]!),
          options,
        ),
    );
  return {
    ...wire,
    problems: (scope, item, op) => [
      ...problemsOf(scope, item, op),
      ...wire.problems?.(scope, item, op) ?? [],
    ],
    create: write("create"),
    update: write("update"),
  };
}

/** Returns the wire for items without tags, which exist only in the unified family: items with tags are rejected. */
export function withoutTags(wire: ResourceWire): ResourceWire {
  return refusingWire(
    wire,
    (_scope, { tags }) =>
      tags === undefined ? [] : [{
        field: "tags",
        message: "The older wire has no field for tags: the unified family alone has them there",
      }],
  );
}
