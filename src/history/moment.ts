/** A moment: a `Date`, milliseconds since the epoch, or ISO 8601 text; without a time zone it is UTC, a day its midnight. */
export type Moment = Date | number | string;

const DAY_AND_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/i;

/**
 * A moment in milliseconds since the epoch.
 *
 * @throws {TypeError} when it is none.
 */
export function milliseconds(moment: Moment): number {
  const time = moment instanceof Date
    ? moment.getTime()
    : typeof moment === "number"
    ? moment
    : fromText(moment);
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `Cannot use "${
      String(moment)
    }" as a moment: give a Date, milliseconds, or a text such as 2026-09-30T12:00:00Z`,
  );
}

function fromText(text: string): number {
  const [, day, time = "00:00", zone = "Z"] = DAY_AND_TIME.exec(text) ?? [];
  if (day === undefined) return NaN;
  const midnight = Date.parse(`${day}T00:00Z`);
  // A runtime takes 31 November for 1 December.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return NaN;
  return Date.parse(`${day}T${time}${zone.toUpperCase()}`);
}
