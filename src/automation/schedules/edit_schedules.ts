import { isMap, parseDocument } from "yaml";
import { ConfigurationError } from "../../errors.ts";
import { parseSchedules } from "./load_schedules.ts";
import type { ScheduleCell } from "./schedule.ts";

/** A new grid for one schedule in a file. */
export interface GridEdit {
  /** Name of the schedule. */
  readonly name: string;
  /** Its new cells. */
  readonly grid: readonly ScheduleCell[];
  /** Comment lines above the grid, for example the figures behind it. @default none */
  readonly comment?: readonly string[] | undefined;
  /** Comments next to the cells, in the order of the grid. @default none */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Replaces the grid of one schedule in a file and leaves the rest of the file unchanged, including comments. A person
 * reviews the difference and saves it.
 *
 * @param source Name of the file, for errors.
 * @returns The new text of the file.
 * @throws {ConfigurationError} where there is no such schedule, or the file would not be valid.
 *
 * @example
 * ```ts
 * import { editGrid } from "@platform/ads/schedules";
 *
 * const text = "version: 1\nschedules:\n  nights: { move: bid, grid: [{ hours: 00-06, factor: 0.5 }] }\n";
 * const grid = [{ hours: "00-05", factor: 0.6 }];
 * console.log(editGrid(text, { name: "nights", grid }, "schedules.yaml"));
 * ```
 */
export function editGrid(
  text: string,
  { name, grid, comment = [], notes = [] }: GridEdit,
  source: string,
): string {
  parseSchedules(text, source);
  const document = parseDocument(text);
  const schedule = document.getIn(["schedules", name], true);
  if (!isMap(schedule)) throw new ConfigurationError(`Cannot edit ${source}: it has no schedule "${name}"`);
  const cells = document.createNode(grid.map(({ days, hours, factor }) => ({
    ...(days === undefined ? {} : { days }),
    ...(hours === undefined ? {} : { hours }),
    factor,
  })));
  for (const [at, cell] of cells.items.entries()) {
    if (!isMap(cell)) continue;
    cell.flow = true;
    if (notes[at] !== undefined) cell.comment = ` ${notes[at].replace(/\s/g, " ")}`;
  }
  if (comment.length + notes.length > 0) {
    // A schedule in one line has no room for comments.
    schedule.flow = false;
    cells.flow = false;
    if (comment.length > 0) {
      cells.commentBefore = comment.map((line) => ` ${line.replace(/\s/g, " ")}`).join("\n");
    }
  }
  schedule.set("grid", cells);
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  parseSchedules(edited, source);
  return edited;
}

/**
 * Merges schedules into a file. Schedules of the same name are replaced; the rest of the file stays unchanged,
 * including comments. A person reviews the difference and saves it.
 *
 * @param present Text of the file. `undefined`: there is none yet.
 * @param proposed Text with one schedule or more, in the form of the file.
 * @param source Name of the file, for errors.
 * @returns The new text of the file.
 * @throws {ConfigurationError} where either would not be valid.
 *
 * @example
 * ```ts
 * import { putSchedules } from "@platform/ads/schedules";
 *
 * const nights = "version: 1\nschedules:\n  nights: { move: bid, grid: [{ hours: 00-06, factor: 0.5 }] }\n";
 * const days = "version: 1\nschedules:\n  days: { move: budget, grid: [{ hours: 09-17, factor: 1.2 }] }\n";
 * console.log(putSchedules(nights, days, "schedules.yaml"));
 * ```
 */
export function putSchedules(present: string | undefined, proposed: string, source: string): string {
  const { schedules } = parseSchedules(proposed, source);
  if (present === undefined) return proposed;
  parseSchedules(present, source);
  const [document, other] = [parseDocument(present), parseDocument(proposed)];
  for (const { name } of schedules) {
    document.setIn(["schedules", name], other.getIn(["schedules", name], true));
  }
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  parseSchedules(edited, source);
  return edited;
}
