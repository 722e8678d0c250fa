import { z } from "zod";
import { SELECT_FIELDS } from "../../plans/policy/campaign_select.ts";
import { ruleFile } from "../../base/runtime/rule_file.ts";
import type { Parts } from "../../base/runtime/valid_parts.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { type Schedule, WEEKDAYS } from "./schedule.ts";
import { platformSchedule } from "./schedule_rules.ts";
import { localTime, MAX_PLACEMENT, minutesOf } from "./wanted_at.ts";

/** Contents of a schedules file. */
export interface ScheduleFile {
  /** Path of the file. */
  readonly source: string;
  /** The schedules, in the order of the file. */
  readonly schedules: readonly Schedule[];
}

const Factor = z.number().min(0, "Expected a factor of 0 or more").max(10, "Expected a factor of 10 at most");
const Day = z.iso.date();
const textThat = (check: (text: string) => string | undefined) =>
  z.string().min(1).superRefine((text, context) => {
    const message = check(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
const Hours = textThat((text) => problemOf(() => minutesOf(text)));
const Zone = textThat((text) =>
  problemOf(() => localTime(0, text)) &&
  `There is no time zone "${text}": expected one such as America/New_York`
);
function problemOf(check: () => unknown): string | undefined {
  try {
    check();
  } catch (error) {
    return (error as Error).message;
  }
}

const { portfolios: _, ...OWN_SELECT } = SELECT_FIELDS;

const ScheduleShape = z.strictObject({
  select: z.strictObject({
    ...OWN_SELECT,
    products: z.array(z.enum(["sp", "sb", "sd"])).min(1).optional(),
  }).optional(),
  move: z.enum(["bid", "budget", "placement_top", "placement_product", "placement_rest", "state"], {
    error: "Expected bid, budget, placement_top, placement_product, placement_rest or state",
  }),
  zone: Zone.optional(),
  on: z.enum(["worker", "platform"]).default("worker"),
  expires: z.string().regex(/^[1-9]\d{0,2}[hd]$/, "Expected hours or days such as 12h or 2d")
    .transform((text) => Number.parseInt(text) * (text.endsWith("d") ? 24 : 1)).optional(),
  foreign_edits: z.enum(["keep", "adopt", "insist"], { error: "Expected keep, adopt or insist" }).default(
    "keep",
  ),
  priority: z.int().optional(),
  combine: z.enum(["replace", "multiply"]).optional(),
  min: z.number().nonnegative().optional(),
  max: z.number().positive().optional(),
  from: Day.optional(),
  to: Day.optional(),
  events: z.array(z.strictObject({ name: z.string().optional(), from: Day, to: Day, factor: Factor }))
    .optional(),
  experiment: z.strictObject({
    from: Day,
    weeks: z.int().min(12, "Expected 12 weeks or more: a comparison needs at least six pairs").max(
      52,
    )
      .multipleOf(2, "Expected an even number of weeks, which make pairs"),
    seed: z.string().min(1).max(64),
  }).optional(),
  grid: z.array(z.strictObject({
    days: z.array(z.enum(WEEKDAYS, { error: `Expected ${WEEKDAYS.join(", ")}` })).min(1).optional(),
    hours: Hours.optional(),
    factor: Factor,
  })).min(1, "Expected at least one cell"),
});

const readFile = ruleFile({
  key: "schedules",
  entry: ScheduleShape,
  more: {},
  consequence: ", so nothing is scheduled",
});

/**
 * Reads a schedules file, YAML or JSON.
 *
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`. Nothing was sent.
 *
 * @example
 * ```ts
 * import { loadSchedules, wantedAt } from "@platform/ads/schedules";
 *
 * async function now(path: string): Promise<void> {
 *   const { schedules } = await loadSchedules(path);
 *   for (const schedule of schedules) console.log(schedule.name, wantedAt(schedule, 1, new Date()));
 * }
 * ```
 */
export async function loadSchedules(path: string): Promise<ScheduleFile> {
  return parseSchedules(await readNamedFile(path, "the schedule file"), path);
}

/**
 * Parses the text of a schedules file.
 *
 * @example
 * ```ts
 * import { parseSchedules } from "@platform/ads/schedules";
 *
 * const text = "version: 1\nschedules: { nights: { move: bid, grid: [{ hours: 00-06, factor: 0.5 }] } }";
 * console.log(parseSchedules(text, "nights.yaml").schedules[0]?.name); // nights
 * ```
 * @param source Name of the file, for errors.
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`.
 */
export function parseSchedules(text: string, source: string): ScheduleFile {
  const file = readFile(text, source);
  const schedules = file.entries.map(([name, { foreign_edits, expires, ...shape }]): Schedule => ({
    name,
    foreignEdits: foreign_edits,
    ...(expires === undefined ? {} : { expiresHours: expires }),
    ...shape,
  }));
  const parts = file.parts();
  for (const [index, [name, part]] of parts.entries()) {
    const whole = schedules.find((schedule) => schedule.name === name);
    const before = parts.slice(0, index);
    for (const [path, message] of [...meaningProblems(part, whole), ...sameCalendar(part, before)]) {
      file.at(name, path, message);
    }
  }
  file.refuse();
  return { source, schedules };
}

function sameCalendar(
  { experiment }: ScheduleParts,
  before: readonly (readonly [name: string, part: ScheduleParts])[],
): Problem[] {
  if (experiment?.seed === undefined || experiment.from === undefined) return [];
  const other = before.find(([, part]) =>
    part.experiment?.seed === experiment.seed && part.experiment?.from === experiment.from
  );
  if (other === undefined) return [];
  const message = `Schedule "${
    other[0]
  }" has the same first day and seed, so that both would be on and off together`;
  return [[["experiment", "seed"], `${message}: write another seed`]];
}

type Problem = readonly [path: readonly (string | number)[], message: string];

type ScheduleParts = Parts<z.infer<typeof ScheduleShape>>;

function meaningProblems(part: ScheduleParts, whole: Schedule | undefined): Problem[] {
  const { grid = [], move = "", select, on, min, max, from, to, events = [] } = part;
  const problems: Problem[] = [];
  const taken = new Map<string, number>();
  for (const [at, cell] of grid.entries()) {
    if (cell === undefined) continue;
    const { hours, factor } = cell;
    const days = (cell.days ?? WEEKDAYS).filter((day) => day !== undefined);
    const areKnown = (["days", "hours"] as const).every((key) =>
      !Object.hasOwn(cell, key) || cell[key] !== undefined
    );
    const cells = !areKnown
      ? []
      : days.flatMap((day) =>
        minutesOf(hours).flatMap(({ from, to }) =>
          Array.from({ length: (to - from) / 15 }, (_, step) => `${day} ${from + 15 * step}`)
        )
      );
    const other = cells.map((cell) => taken.get(cell)).find((found) => found !== undefined);
    if (other !== undefined) {
      problems.push([
        ["grid", at],
        `Some of these hours are also in cell ${other + 1}; each hour takes one factor`,
      ]);
    }
    for (const cell of cells) if (!taken.has(cell)) taken.set(cell, at);
    if (factor === undefined) continue;
    if (move === "state" && factor !== 0 && factor !== 1) {
      problems.push([["grid", at, "factor"], "With move: state, expected 1 (enabled) or 0 (paused)"]);
    }
    if (move !== "" && move !== "state" && factor === 0 && !move.startsWith("placement")) {
      problems.push([
        ["grid", at, "factor"],
        `A ${move} of 0 does not exist. To pause at these hours write move: state`,
      ]);
    }
  }
  const products = select?.products ?? ["sp"];
  if (move.startsWith("placement") && products.some((product) => product !== "sp")) {
    problems.push([["select", "products"], "Only Sponsored Products has placement adjustments"]);
  }
  if (on === "platform") {
    const message = whole && problemOf(() => platformSchedule(whole, undefined));
    if (message !== undefined) problems.push([["on"], message.replace(/^[^:]*: /, "")]);
  }
  if (on === "platform" && part.experiment !== undefined) {
    problems.push([
      ["experiment"],
      "Platform rules run every week, so they cannot be tested. Write on: worker",
    ]);
  }
  if (on === "platform" && products.some((product) => product !== "sp")) {
    problems.push([["on"], "Only Sponsored Products has bid rules. Write on: worker"]);
  }
  if (on === "platform" && part.expires !== undefined) {
    problems.push([["expires"], "Platform rules run without ticks: use expires only with on: worker"]);
  }
  for (const [key, bound] of [["min", min], ["max", max]] as const) {
    if (bound === undefined || !move.startsWith("placement") || bound <= MAX_PLACEMENT) continue;
    problems.push([[key], `The platform takes ${MAX_PLACEMENT} percent at most for a placement`]);
  }
  if (min !== undefined && max !== undefined && min > max) {
    problems.push([["max"], `It is below min, ${min}`]);
  }
  if (from !== undefined && to !== undefined && from > to) {
    problems.push([["to"], "The schedule ends before it begins"]);
  }
  for (const [at, event = {}] of events.entries()) {
    if (event.from !== undefined && event.to !== undefined && event.from > event.to) {
      problems.push([["events", at, "to"], "The event ends before it begins"]);
    }
  }
  return problems;
}
