import { z } from "zod";
import { countDays } from "../../base/time/calendar.ts";
import { ruleFile } from "../../base/runtime/rule_file.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { SELECT_FIELDS } from "../../plans/policy/campaign_select.ts";
import { type ScheduleSelect, type Weekday, WEEKDAYS } from "../schedules/schedule.ts";
import { channelsOf, ChannelsShape, type WatchChannel } from "../watch/watch_file.ts";

/** Campaigns that share an amount; a campaign must match all given conditions. */
export interface PacingSelect extends Omit<ScheduleSelect, "when"> {
  /** Ids or names of portfolios; `*` matches any text. */
  readonly portfolios?: readonly string[] | undefined;
}

/** How to react to campaigns that spend too fast. */
export type PacingOver = "alert" | "lower" | "pause";

/** An amount for a period, and the campaigns that spend it. */
export interface PacedBudget {
  /** Name, as in the file. */
  readonly name: string;
  /** Amount for the whole period, in the currency of the profile. */
  readonly amount: number;
  /** ISO 4217 code that the profile must have. @default not checked */
  readonly currency?: string | undefined;
  /** First and last day, `YYYY-MM-DD`. @default each calendar month */
  readonly dates?: { readonly from: string; readonly to: string } | undefined;
  /** Campaigns that spend the amount. @default every campaign of the profile */
  readonly select?: PacingSelect | undefined;
  /**
   * Weight of each weekday as a multiple of a usual day; `learned` derives it from earlier stored weeks.
   *
   * @default learned
   */
  readonly weekdays?: "learned" | { readonly [Day in Weekday]?: number | undefined } | undefined;
  /** Largest change of a daily budget in one day, as a share: 0.2 for 20 %. @default 0.2 */
  readonly maxStep?: number | undefined;
  /** Lowest daily budget of a campaign. @default that of the market */
  readonly floor?: number | undefined;
  /** Highest daily budget of a campaign. @default that of the market */
  readonly ceiling?: number | undefined;
  /** `alert` changes nothing, `lower` lowers daily budgets, `pause` also pauses when the amount is spent. @default alert */
  readonly over?: PacingOver | undefined;
  /** Percent of the amount at which an alert is raised. @default 70, 90, 100 */
  readonly alerts?: readonly number[] | undefined;
}

/** Contents of a pacing file. */
export interface PacingFile {
  /** Path of the file, for errors. */
  readonly source: string;
  /** Amounts, in the order of the file. */
  readonly budgets: readonly PacedBudget[];
  /** Alert channels; standard output if the file names none. */
  readonly channels: readonly WatchChannel[];
}

const MAX_STEP = 0.5;
const MAX_DAYS = 1100;

const Percent = z.union([
  z.string().regex(/^\d+(\.\d+)?%$/).transform((text) => Number.parseFloat(text) / 100),
  z.number(),
], { error: "Expected a percentage such as 20%" }).pipe(
  z.number().gt(0, "Expected more than 0%").max(MAX_STEP, "Expected 50% at most, such as 20%"),
);
const Amount = z.number().positive("Expected an amount above 0");
const Weights = z.strictObject(
  Object.fromEntries(WEEKDAYS.map((day) => [day, z.number().min(0).max(10).optional()])) as Record<
    Weekday,
    z.ZodOptional<z.ZodNumber>
  >,
);
const { when: _, ...OWN_SELECT } = SELECT_FIELDS;

const BudgetShape = z.strictObject({
  amount: Amount,
  currency: z.string().regex(/^[A-Z]{3}$/, "Expected a code such as USD").optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  select: z.strictObject({
    ...OWN_SELECT,
    products: z.array(z.enum(["sp", "sb", "sd"])).min(1).optional(),
  }).optional(),
  weekdays: z.union([z.literal("learned"), Weights], {
    error: `Expected learned, or a share for each of ${WEEKDAYS.join(", ")} such as { sat: 0.7 }`,
  }).default("learned"),
  max_step: Percent.default(0.2),
  floor: Amount.optional(),
  ceiling: Amount.optional(),
  over: z.enum(["alert", "lower", "pause"], { error: "Expected alert, lower or pause" }).default("alert"),
  alerts: z.array(z.int().min(1).max(200)).default([70, 90, 100]),
});

const readFile = ruleFile({
  key: "budgets",
  entry: BudgetShape,
  more: { channels: ChannelsShape },
  consequence: ", so nothing is paced",
  needs: "budget",
});

/**
 * Reads a pacing file, YAML or JSON.
 *
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`. Nothing was sent.
 *
 * @example
 * ```ts
 * import { loadPacing } from "@platform/ads/pacing";
 *
 * async function amounts(path: string): Promise<string[]> {
 *   const { budgets } = await loadPacing(path);
 *   return budgets.map(({ name, amount }) => `${name}: ${amount}`);
 * }
 * ```
 */
export async function loadPacing(path: string): Promise<PacingFile> {
  return parsePacing(await readNamedFile(path, "the pacing file"), path);
}

/**
 * Parses the text of a pacing file.
 *
 * @param source Name of the file, for errors.
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`.
 *
 * @example
 * ```ts
 * import { parsePacing } from "@platform/ads/pacing";
 *
 * const { budgets } = parsePacing("version: 1\nbudgets: { all: { amount: 9000 } }", "pacing.yaml");
 * console.log(budgets[0]?.over); // alert
 * ```
 */
export function parsePacing(text: string, source: string): PacingFile {
  const file = readFile(text, source);
  const budgets = file.entries.map(([name, shape]): PacedBudget => {
    const { from, to, max_step: maxStep, ...rest } = shape;
    const dates = from === undefined || to === undefined ? {} : { dates: { from, to } };
    return { name, ...dates, maxStep, ...rest };
  });
  for (const [name, part] of file.parts()) {
    const { from, to, floor, ceiling, weekdays } = part;
    const at = (key: string, message: string): void => file.at(name, [key], message);
    const [hasFrom, hasTo] = [Object.hasOwn(part, "from"), Object.hasOwn(part, "to")];
    if (hasFrom !== hasTo) {
      at(
        hasFrom ? "from" : "to",
        "Write from and to together, or neither for each calendar month",
      );
    }
    if (from !== undefined && to !== undefined) {
      if (from > to) at("to", "The period ends before it begins");
      else if (countDays({ start: from, end: to }) > MAX_DAYS) {
        at(
          "to",
          `The period has more than ${MAX_DAYS} days. Divide it into shorter ones, such as a year each`,
        );
      }
    }
    if (floor !== undefined && ceiling !== undefined && floor > ceiling) {
      at("ceiling", `It is below the floor, ${floor}`);
    }
    if (weekdays !== undefined && weekdays !== "learned" && WEEKDAYS.every((day) => weekdays[day] === 0)) {
      at("weekdays", "Every day has the share 0, so nothing could be spent");
    }
  }
  file.refuse();
  return { source, budgets, channels: channelsOf(file.more.channels) };
}
