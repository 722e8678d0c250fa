import { valueAt } from "../../internal/field_path.ts";
import type { Change } from "../change.ts";

/** What a plan does to amounts of one sort. */
export interface AmountsView {
  /** How many go up. */
  readonly raised: number;
  /** How many go down. */
  readonly lowered: number;
  /** Their sum before. */
  readonly before: number;
  /** Their sum after. */
  readonly after: number;
  /** After less before. */
  readonly difference: number;
}

/** Sums up the amounts at some paths that change from one amount to another. */
export function amountsView(changes: readonly Change[], fields: readonly string[]): AmountsView {
  const pairs = changes.flatMap(({ before, after }) =>
    fields.flatMap((field) => {
      const [from, to] = [valueAt(before, field), valueAt(after, field)];
      return typeof from === "number" && typeof to === "number" && from !== to ? [{ from, to }] : [];
    })
  );
  const before = exact(pairs.reduce((sum, { from }) => sum + from, 0));
  const after = exact(pairs.reduce((sum, { to }) => sum + to, 0));
  return {
    raised: pairs.filter(({ from, to }) => to > from).length,
    lowered: pairs.filter(({ from, to }) => to < from).length,
    before,
    after,
    difference: exact(after - before),
  };
}

/** Takes off what binary fractions add: 0.1 + 0.2 is 0.3. */
export function exact(value: number): number {
  return Number(value.toPrecision(12));
}
