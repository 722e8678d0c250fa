/** The day and hour that a moment is in, in a time zone. */
interface LocalHour {
  /** Day, `YYYY-MM-DD`. */
  readonly date: string;
  /** Hour of the day, 0 to 23. */
  readonly hour: number;
}

const HOUR = 3_600_000;
/** Hours that are remembered for a zone before they are forgotten together. */
const MAX_KNOWN = 20_000;

const zones = new Map<string, { format: Intl.DateTimeFormat; known: Map<number, LocalHour> }>();

/**
 * The day and hour of a moment in a time zone.
 *
 * @param time Milliseconds since the epoch.
 * @throws {RangeError} when there is no such zone.
 */
export function localHour(time: number, timeZone: string): LocalHour {
  const zone = zones.get(timeZone) ?? makeZone(timeZone);
  // Zones differ from UTC in quarters of an hour.
  const key = Math.floor(time / (HOUR / 4));
  const found = zone.known.get(key);
  if (found !== undefined) return found;
  const parts = Object.fromEntries(zone.format.formatToParts(time).map(({ type, value }) => [type, value]));
  const date = `${parts["year"]}-${parts["month"]}-${parts["day"]}`.padStart("YYYY-MM-DD".length, "0");
  const hour = { date, hour: Number(parts["hour"]) };
  if (zone.known.size >= MAX_KNOWN) zone.known.clear();
  zone.known.set(key, hour);
  return hour;
}

function makeZone(timeZone: string): { format: Intl.DateTimeFormat; known: Map<number, LocalHour> } {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
  });
  const zone = { format, known: new Map<number, LocalHour>() };
  zones.set(timeZone, zone);
  return zone;
}
