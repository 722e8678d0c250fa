import type { Warehouse } from "../warehouse.ts";

const HOUR = 3_600_000;

interface Received {
  /** Hours of the day with records. */
  hours: Set<number>;
  /** Numbers of records by when they were received. */
  readonly at: [receivedAt: number, records: number][];
}

/**
 * Explanations for differences between the hours of a day and its report.
 *
 * @param table The table of the traffic.
 * @returns gives the note of a day, written `PROFILE DAY`, whose report was made at a time.
 */
export async function dayNotes(
  store: Warehouse,
  table: string,
  { start, end }: { start: string; end: string },
): Promise<(day: string, knownAt: number) => string> {
  const { rows } = await store.query(
    `SELECT profile_id, date, starts_at, received_at, count(*) AS records FROM ${table}
     WHERE date >= ? AND date <= ? GROUP BY profile_id, date, starts_at, received_at`,
    [start, end],
    { maxRows: Infinity },
  );
  const days = new Map<string, Received>();
  for (const row of rows) {
    const key = `${String(row["profile_id"])} ${String(row["date"])}`;
    let day = days.get(key);
    if (day === undefined) days.set(key, day = { hours: new Set(), at: [] });
    day.hours.add(Number(row["starts_at"]));
    day.at.push([Number(row["received_at"]), Number(row["records"])]);
  }
  return (key, knownAt) => {
    const day = days.get(key);
    if (day === undefined) return "no traffic in the stream";
    const parts: string[] = [];
    // A day has 23 hours when clocks go forward.
    if (day.hours.size < 23) parts.push(`${day.hours.size} hours in the stream`);
    const later = day.at.reduce((sum, [at, records]) => at > knownAt ? sum + records : sum, 0);
    if (later > 0) parts.push(`${later} records came after the report`);
    const last = Math.max(...day.at.map(([at]) => at));
    if (knownAt - last > HOUR) parts.push("the report is newer than the last record");
    return parts.join("; ");
  };
}
