import type { Schedule, Weekday } from "./schedule.ts";
import { WEEKDAYS } from "./schedule.ts";
import { amountFor, minutesOf } from "./wanted_at.ts";

/** A platform rule that raises bids at certain hours. Increments of overlapping rules add up. */
export interface CompiledRule {
  /** Days of the week. */
  readonly days: readonly Weekday[];
  /** First hour, 0 to 23. */
  readonly from: number;
  /** Hour at which it ends, 1 to 24. */
  readonly to: number;
  /** Percent by which the bid is raised. */
  readonly increment: number;
}

/** Platform rules for a schedule, or the number of rules needed if there are too many. */
export type CompiledSchedule =
  | {
    /** Bid at the lowest factor of the grid. It remains in effect if a rule fails. */
    readonly base: number;
    readonly rules: readonly CompiledRule[];
    readonly tooMany?: undefined;
  }
  | { readonly tooMany: true; readonly needed: number };

/** Maximum number of rules per campaign, according to the platform's guide. */
export const MAX_RULES = 20;

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * Compiles a schedule of bids into platform rules. Rules can only raise bids, so the bid is set to the lowest of the
 * grid and rules raise it from there. Picks the variant with the fewest rules.
 *
 * @param base The bid without the schedule, in the account's currency.
 * @example
 * ```ts
 * import { compileSchedule } from "@platform/ads/schedules";
 *
 * const grid = [{ hours: "00-06", factor: 0.5 }];
 * const compiled = compileSchedule({ name: "nights", move: "bid", grid }, 1.2);
 * if (!compiled.tooMany) console.log(compiled.base, compiled.rules); // 0.6, and + 100 % from 6 to 24
 * ```
 * @returns the lowest bid and at most 20 rules, or how many would be needed.
 * @throws {RangeError} for what rules cannot express: moves other than bids, hours that do not begin on the hour, days
 * and events.
 */
export function compileSchedule(schedule: Schedule, base: number): CompiledSchedule {
  refuseUnsayable(schedule);
  const wanted = WEEKDAYS.map((day) =>
    HOURS.map((hour) => amountFor(factorOf(schedule, day, hour), base, schedule))
  );
  const lowest = Math.min(...wanted.flat());
  if (!(lowest > 0)) {
    throw new RangeError(`Cannot compile schedule "${schedule.name}": its lowest bid is ${lowest}`);
  }
  const raises = wanted.map((day) => day.map((bid) => rounded((bid / lowest - 1) * 100)));
  const daily = HOURS.map((hour) => Math.min(...raises.map((day) => day[hour]!)));
  const above = raises.map((day) => day.map((raise, hour) => rounded(raise - daily[hour]!)));
  const ways: Rule[][] = [];
  for (const parts of [blocks, layers]) {
    ways.push(merged(raises, parts));
    for (const common of [blocks, layers]) {
      ways.push([...common(daily).map((part) => ({ ...part, days: WEEKDAYS })), ...merged(above, parts)]);
    }
  }
  const rules = ways.reduce((fewest, way) => way.length < fewest.length ? way : fewest);
  return rules.length > MAX_RULES ? { tooMany: true, needed: rules.length } : { base: lowest, rules };
}

type Part = Omit<CompiledRule, "days">;
type Rule = CompiledRule;

function blocks(day: readonly number[]): Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < 24;) {
    let to = from + 1;
    while (to < 24 && day[to] === day[from]) to += 1;
    if (day[from]! > 0) parts.push({ from, to, increment: day[from]! });
    from = to;
  }
  return parts;
}

function layers(day: readonly number[]): Part[] {
  const parts: Part[] = [];
  const lay = (from: number, to: number, floor: number): void => {
    if (from >= to) return;
    const level = Math.min(...day.slice(from, to));
    if (level > floor) parts.push({ from, to, increment: rounded(level - floor) });
    for (let start = from; start < to;) {
      while (start < to && day[start] === level) start += 1;
      let end = start;
      while (end < to && day[end]! > level) end += 1;
      lay(start, end, level);
      start = end;
    }
  };
  lay(0, 24, 0);
  return parts;
}

function merged(days: readonly (readonly number[])[], parts: (day: readonly number[]) => Part[]): Rule[] {
  const found = new Map<string, { part: Part; days: Weekday[] }>();
  for (const [at, day] of days.entries()) {
    for (const part of parts(day)) {
      const key = JSON.stringify(part);
      const known = found.get(key) ?? { part, days: [] };
      known.days.push(WEEKDAYS[at]!);
      found.set(key, known);
    }
  }
  return [...found.values()].map(({ part, days }) => ({ ...part, days }));
}

function factorOf({ grid }: Schedule, day: Weekday, hour: number): number {
  const cell = grid.find(({ days, hours }) =>
    (days === undefined || days.includes(day)) &&
    minutesOf(hours).some(({ from, to }) => hour * 60 >= from && hour * 60 < to)
  );
  return cell?.factor ?? 1;
}

function refuseUnsayable({ name, move, grid, events, from, to }: Schedule): void {
  const refused = (why: string): RangeError =>
    new RangeError(`Cannot compile schedule "${name}" into platform rules: ${why}. Write on: worker`);
  if (move !== "bid") throw refused(`platform rules change bids, not ${move}`);
  if (from !== undefined || to !== undefined || (events ?? []).length > 0) {
    throw refused("platform rules support no from, to or events");
  }
  for (const { hours } of grid) {
    if (minutesOf(hours).some((range) => range.from % 60 !== 0 || range.to % 60 !== 0)) {
      throw refused(`platform rules start on the hour, and ${hours} does not`);
    }
  }
}

/** Rounds a percentage to two decimals, which is precise to the cent for any bid. */
function rounded(percent: number): number {
  return Math.round(percent * 100) / 100;
}
