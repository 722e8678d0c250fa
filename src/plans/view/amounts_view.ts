import { valueAt } from "../../base/json/field_path.ts";
import type { Change } from "../model/change.ts";

export interface AmountsView {
  readonly raised: number;
  readonly lowered: number;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
}

export function amountsView(
  changes: Iterable<Change>,
  fields: readonly string[],
  isCounted: (change: Change) => boolean = () => true,
): AmountsView {
  const sums = { raised: 0, lowered: 0, before: 0, after: 0 };
  for (const change of changes) {
    if (!isCounted(change)) continue;
    for (const field of fields) {
      const [from, to] = [valueAt(change.before, field), valueAt(change.after, field)];
      if (typeof from !== "number" || typeof to !== "number" || from === to) continue;
      if (to > from) sums.raised += 1;
      else sums.lowered += 1;
      sums.before += from;
      sums.after += to;
    }
  }
  const [before, after] = [exact(sums.before), exact(sums.after)];
  return { ...sums, before, after, difference: exact(after - before) };
}

/** Removes binary rounding errors: 0.1 + 0.2 is 0.3. */
export function exact(value: number): number {
  return Number(value.toPrecision(12));
}
