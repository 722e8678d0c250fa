import { isMap, parseDocument } from "yaml";
import { ConfigurationError } from "../errors.ts";
import { parseSchedules } from "./load_schedules.ts";
import { type Schedule, type ScheduleCell, type Weekday, WEEKDAYS } from "./schedule.ts";
import { factorAt, minutesOf } from "./wanted_at.ts";

/** A Monday in a zone without changes of the clock. */
const MONDAY = Date.UTC(2024, 0, 1);

/**
 * Factors by day and hour, Monday first: of an hour with several, that of its first quarter. Days and events of the
 * schedule are left out.
 */
export function weekFactors(schedule: Schedule): number[][] {
  const { from: _from, to: _to, events: _events, ...grid } = schedule;
  return WEEKDAYS.map((_, day) =>
    Array.from(
      { length: 24 },
      (_, hour) => factorAt({ ...grid, zone: "UTC" }, MONDAY + (day * 24 + hour) * 3_600_000),
    )
  );
}

/** True where every cell of a grid begins and ends with an hour, so that 24 factors a day say everything. */
export function hasWholeHours({ grid }: Pick<Schedule, "grid">): boolean {
  return grid.every(({ hours }) =>
    minutesOf(hours).every(({ from, to }) => from % 60 === 0 && to % 60 === 0)
  );
}

/** The fewest cells for factors by day and hour: days with equal hours share theirs, and a factor of 1 needs none. */
export function gridOf(factors: readonly (readonly number[])[]): ScheduleCell[] {
  const days = Map.groupBy(WEEKDAYS, (_, at) => JSON.stringify(factors[at]));
  const cells = [...days].flatMap(([row, names]) => {
    const hours = JSON.parse(row) as number[];
    const byFactor = new Map<number, string[]>();
    for (let from = 0; from < 24;) {
      let to = from + 1;
      while (to < 24 && hours[to] === hours[from]) to++;
      const factor = hours[from]!;
      if (factor !== 1) byFactor.set(factor, [...byFactor.get(factor) ?? [], `${two(from)}-${two(to)}`]);
      from = to;
    }
    const own: { days?: Weekday[] } = names.length === WEEKDAYS.length ? {} : { days: names };
    return [...byFactor].map(([factor, ranges]): ScheduleCell => {
      const all = ranges.join(",");
      return { ...own, ...(all === "00-24" ? {} : { hours: all }), factor };
    });
  });
  return cells.length > 0 ? cells : [{ factor: 1 }];
}

/**
 * The text of a file of schedules with other factors for one of them; everything else stays, comments too.
 *
 * @param factors Seven days of 24 factors, Monday first.
 * @throws {ConfigurationError} for factors that a schedule cannot have, or a grid with steps below an hour.
 */
export function withFactors(
  text: string,
  { source, name, factors }: {
    readonly source: string;
    readonly name: string;
    readonly factors: readonly (readonly number[])[];
  },
): string {
  const schedule = parseSchedules(text, source).schedules.find((one) => one.name === name);
  if (schedule === undefined) {
    throw new ConfigurationError(`Cannot change schedule "${name}": ${source} has none`);
  }
  if (!hasWholeHours(schedule)) {
    throw new ConfigurationError(
      `Cannot change the factors of "${name}" by the hour: its grid in ${source} has steps of quarters. Edit the file`,
    );
  }
  if (factors.length !== 7 || factors.some((row) => row.length !== 24)) {
    throw new ConfigurationError(`Cannot change schedule "${name}": expected seven days of 24 factors`);
  }
  const document = parseDocument(text);
  const cells = gridOf(factors).map((cell) => {
    const node = document.createNode(cell);
    if (isMap(node)) node.flow = true;
    return node;
  });
  document.setIn(["schedules", name, "grid"], document.createNode(cells));
  const changed = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  parseSchedules(changed, source);
  return changed;
}

function two(hour: number): string {
  return String(hour).padStart(2, "0");
}
