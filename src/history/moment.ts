/** A moment: a `Date`, milliseconds since the epoch, or ISO 8601 text (a day alone is its midnight UTC). */
export type Moment = Date | number | string;

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
    : /^\d{4}-\d{2}-\d{2}([T ]|$)/.test(moment)
    ? Date.parse(moment)
    : NaN;
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `Cannot use "${
      String(moment)
    }" as a moment: give a Date, milliseconds, or a text such as 2026-09-30T12:00:00Z`,
  );
}
