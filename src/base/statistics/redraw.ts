interface Totals {
  readonly before: number;
  readonly after: number;
  readonly stratum?: number | undefined;
}

export interface Redraws {
  readonly count: number;
  readonly afterTreated: Float64Array;
  readonly afterHeld: Float64Array;
  readonly before: Float64Array;
  readonly totals: { readonly afterTreated: number; readonly afterHeld: number; readonly before: number };
  /** Makes the draws up to this one, where they are not made yet; their sums are 0 until then. */
  readonly drawTo: (last: number) => void;
}

/** Redraws the held-back group with the same number of units per stratum, as often as it is asked to. */
export function redrawing({ treated, held, count, random }: {
  treated: readonly Totals[];
  held: readonly Totals[];
  count: number;
  random: () => number;
}): Redraws {
  const units = [...treated, ...held];
  const before = Float64Array.from(units, (unit) => unit.before);
  const after = (isCounted: (at: number) => boolean): Float64Array =>
    Float64Array.from(units, (unit, at) => isCounted(at) ? unit.after : 0);
  const isHeld = (at: number): boolean => at >= treated.length;
  const [afterTreated, afterHeld] = [after((at) => !isHeld(at)), after(isHeld)];
  const strata = Map.groupBy(units.keys(), (at) => units[at]!.stratum ?? 0);
  const drawn = [...strata.values()].map((members) => ({
    members: Int32Array.from(members),
    held: members.filter(isHeld).length,
  }));
  const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
  const sums = {
    afterTreated: new Float64Array(count),
    afterHeld: new Float64Array(count),
    before: new Float64Array(count),
  };
  let draw = 0;
  return {
    count,
    ...sums,
    totals: { afterTreated: total(afterTreated), afterHeld: total(afterHeld), before: total(before) },
    drawTo: (last) => {
      for (; draw <= last; draw++) {
        for (const { members, held } of drawn) {
          // A partial Fisher-Yates shuffle: the first `held` places are the draw.
          for (let place = 0; place < held; place++) {
            const other = place + Math.floor(random() * (members.length - place));
            const unit = members[other]!;
            members[other] = members[place]!;
            members[place] = unit;
            sums.before[draw]! += before[unit]!;
            sums.afterTreated[draw]! += afterTreated[unit]!;
            sums.afterHeld[draw]! += afterHeld[unit]!;
          }
        }
      }
    },
  };
}

/** Redraws the held-back group `count` times. */
export function redraw(request: Parameters<typeof redrawing>[0]): Redraws {
  const draws = redrawing(request);
  draws.drawTo(request.count - 1);
  return draws;
}

export interface GroupSums {
  readonly treated: { readonly before: number; readonly after: number };
  readonly held: { readonly before: number; readonly after: number };
}

/**
 * Sums the groups of a redraw, assuming that the change had the given effect on every changed unit. The effect is
 * removed from the units actually changed and applied to those that the redraw changes.
 *
 * @param factor 1.2 is +20 %.
 */
export function redrawnSums(draws: Redraws, at: number, factor: number): GroupSums {
  const { totals } = draws;
  const held = draws.afterTreated[at]! / factor + draws.afterHeld[at]!;
  const all = totals.afterTreated / factor + totals.afterHeld;
  const before = draws.before[at]!;
  return {
    treated: { before: totals.before - before, after: factor * (all - held) },
    held: { before, after: held },
  };
}

/** Equal draws must count as equal whatever the order in which they were summed. */
export const TOLERANCE = 1e-9;

/** Returns the log of the growth ratio in a redraw, if the change multiplied what was after by `scale`. */
export function drawnDifference(draws: Redraws, at: number, scale: number): number {
  const { afterTreated, afterHeld, before, totals } = draws;
  const after = afterTreated[at]! * scale + afterHeld[at]!;
  const all = totals.afterTreated * scale + totals.afterHeld;
  return Math.log((all - after) / (totals.before - before[at]!)) - Math.log(after / before[at]!);
}

export function growthRatio({ treated, held }: GroupSums): number {
  return (treated.after / treated.before) / (held.after / held.before);
}

/**
 * Returns the mean of the log ratios, with small units shrunk towards the overall growth. Unlike a ratio of sums, it
 * is not dominated by a few large units.
 */
export function unitGrowthRatio(treated: readonly Totals[], held: readonly Totals[]): number {
  const units = [...treated, ...held];
  const sum = (when: "before" | "after"): number => units.reduce((total, unit) => total + unit[when], 0);
  const growth = sum("after") / sum("before");
  const weight = 0.1 * sum("before") / units.length;
  const mean = (group: readonly Totals[]): number =>
    group.reduce(
      (total, { before, after }) => total + Math.log((after + weight * growth) / (before + weight)),
      0,
    ) / group.length;
  return Math.exp(mean(treated) - mean(held));
}

export function finiteMean(count: number, value: (at: number) => number): number {
  let [sum, finite] = [0, 0];
  for (let at = 0; at < count; at++) {
    const one = value(at);
    if (!Number.isFinite(one)) continue;
    sum += one;
    finite++;
  }
  return sum / finite;
}
