import type { DayRange } from "../../internal/calendar.ts";
import type { Row } from "../results/text_table.ts";
import type { StoreAccess } from "./store_access.ts";

/** Contents of the store, a row for each profile and report. */
export async function coverageRows(store: StoreAccess): Promise<Row[]> {
  const lines = await (await store.warehouse()).coverage();
  return lines.map((line) => ({
    country: line.countryCode,
    profile_id: line.profileId,
    report: line.report,
    first_day: line.firstDay,
    last_day: line.lastDay,
    days: line.days,
    rows: line.rows,
    last_pull: line.lastPull,
    ...(line.gaps.length === 0 ? {} : { gaps: texts(line.gaps) }),
    ...(line.available.length === 0
      ? {}
      : { still_available: texts(line.available), fetch_by: line.fetchBy }),
    ...(line.lost.length === 0 ? {} : { lost_for_good: texts(line.lost) }),
  }));
}

function texts(ranges: readonly DayRange[]): string[] {
  return ranges.map(({ start, end }) => `${start}..${end}`);
}
