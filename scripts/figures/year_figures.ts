import type { RecordedLine } from "../../tests/bench/record.ts";
import type { Curve, Panel } from "../pictures/growth_svg.ts";
import { table } from "../reference/table.ts";

const NAME = /^year of ([\d,]+) rows in (SQLite|PostgreSQL): (.+)$/;
/** Kept beside each figure of the processor; on a machine with other work it says little. */
const CLOCK = ", by the clock";
const AS_OF = ", as of a day before";

/** What is drawn, by the name of a measurement. */
const PANELS: readonly (readonly [title: string, what: string])[] = [
  ["Load, rows a second", "load"],
  ["Pulled again, rows a second", "42 days again, 5 % changed"],
  ["performance of a profile, ms", "performance: a month of one profile by campaign"],
  ["budget_pressure of a profile, ms", "budget_pressure: a month of one profile"],
  [
    "search_term_performance of a profile, ms",
    "search_term_performance: terms of a month of one profile that no keyword has",
  ],
  ["sp_targeting of all profiles, ms", "sp_targeting: spend of the last week by profile"],
  ["performance of all profiles, ms", "performance: a month of all profiles by product"],
  ["Maturity, ms", "maturity, as sync judges it at its end"],
];

interface Figure {
  readonly size: number;
  readonly place: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

/** A table of each database: a row for each measurement, a column for each size. */
export function yearTables(lines: readonly RecordedLine[]): string[] {
  const figures = figuresOf(lines);
  return [...Map.groupBy(figures, ({ place }) => place)].flatMap(([place, some]) => {
    const sizes = [...new Set(some.map(({ size }) => size))];
    const names = new Set(some.map(({ what }) => what).filter((what) => !what.endsWith(CLOCK)));
    const cell = (what: string, size: number): string => {
      const found = some.find((figure) => figure.what === what && figure.size === size);
      return found?.value.toLocaleString("en-US", { maximumSignificantDigits: 3 }) ?? "";
    };
    const rows = [...names].map((what) => {
      const { unit } = some.find((figure) => figure.what === what)!;
      return [`${what}, ${unit}`, ...sizes.map((size) => cell(what, size))];
    });
    return [...table([`${place}, rows`, ...sizes.map((size) => size.toLocaleString("en-US"))], rows), ""];
  });
}

/** The curves of the measurements by size, of both databases. */
export function yearPanels(lines: readonly RecordedLine[]): Panel[] {
  const figures = figuresOf(lines);
  return PANELS.map(([title, what]) => ({
    title,
    curves: ["PostgreSQL", "SQLite"].flatMap((place): Curve[] =>
      [what, what + AS_OF].flatMap((name): Curve[] => {
        const points = figures.filter((figure) => figure.place === place && figure.what === name);
        const isDashed = name.endsWith(AS_OF);
        return points.length === 0 ? [] : [{ name: isDashed ? "as of" : place, points, isDashed }];
      })
    ),
  })).filter(({ curves }) => curves.length > 0);
}

function figuresOf(lines: readonly RecordedLine[]): Figure[] {
  return lines.flatMap(({ name, value, unit }) => {
    const [, size, place, what] = NAME.exec(name) ?? [];
    if (size === undefined || place === undefined || what === undefined) return [];
    return [{ size: Number(size.replaceAll(",", "")), place, what, value, unit }];
  });
}
