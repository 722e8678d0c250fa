import { spellReport } from "../../client/reports/requests/presets.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { coverageFor, type MissingDays, missingDays, type MissingDaysOptions } from "./missing_days.ts";

/** Missing days are unknown, not 0. */
export async function missingNotes(
  store: Pick<Warehouse, "coverage">,
  options: MissingDaysOptions & {
    readonly compared?: boolean;
  },
): Promise<string[]> {
  const all = await store.coverage();
  const { reports, compared = false } = options;
  if (coverageFor(all, options).length === 0) {
    return [
      `Nothing is stored for ${reports.map(spellReport).join(", ")}. Fetch it: sync() with the report ${
        reports.slice(0, 1).map(spellReport).join()
      }`,
    ];
  }
  const result = compared
    ? "totals exclude these days, and changes exclude the same days of both periods"
    : "totals and changes exclude these days";
  const unique = (texts: readonly string[]): string => [...new Set(texts)].toSorted().join(", ");
  const ranges = Map.groupBy(
    missingDays(all, options),
    ({ countryCode, start, end }) => [start, end, countryCode].join(),
  );
  const notes = [...ranges.values()].map((own) => {
    const [{ start, end, countryCode }] = own as [MissingDays];
    const days = start === end ? `on ${start}` : `from ${start} to ${end}`;
    return { countryCode, days, reports: unique(own.map(({ report }) => spellReport(report))) };
  });
  return [...Map.groupBy(notes, ({ reports, days }) => `${reports} ${days}`).values()].map((own) => {
    const [{ reports: names, days }] = own as [typeof notes[number]];
    const countries = unique(own.map(({ countryCode }) => countryCode));
    return `Not stored: ${names} for ${countries} ${days}, so ${result}`;
  });
}
