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
}

/** Redraws the held-back group with the same number of units per stratum. */
export function redraw({ treated, held, count, random }: {
  treated: readonly Totals[];
  held: readonly Totals[];
  count: number;
  random: () => number;
}): Redraws {
  const units = [
    ...treated.map((unit) => ({ ...unit, isHeld: false })),
    ...held.map((unit) => ({ ...unit, isHeld: true })),
  ];
  const size = units.length;
  const before = Float64Array.from(units, (unit) => unit.before);
  const afterTreated = Float64Array.from(units, ({ isHeld, after }) => isHeld ? 0 : after);
  const afterHeld = Float64Array.from(units, ({ isHeld, after }) => isHeld ? after : 0);
  const strata = Map.groupBy(Array.from({ length: size }, (_, at) => at), (at) => units[at]!.stratum ?? 0);
  const drawn = [...strata.values()].map((members) => ({
    members: Int32Array.from(members),
    held: members.filter((at) => units[at]!.isHeld).length,
  }));

  const sums = {
    count,
    afterTreated: new Float64Array(count),
    afterHeld: new Float64Array(count),
    before: new Float64Array(count),
  };
  for (let draw = 0; draw < count; draw++) {
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
  const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
  return {
    ...sums,
    totals: { afterTreated: total(afterTreated), afterHeld: total(afterHeld), before: total(before) },
  };
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
