import { idKey } from "../../../../base/json/id_of.ts";
import { Cooling } from "../../../../account/jobs/cooling.ts";
import { scheduledIn } from "../../../../automation/schedules/scheduled_ids.ts";
import { moneyText } from "../../../../base/text/money_text.ts";
import { decimalsOf } from "../../../../base/markets/markets.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import {
  editGrid,
  type HourFigures,
  learnGrid,
  parseSchedules,
  ScheduleState,
} from "../../../../automation/schedules/mod.ts";
import { addDays } from "../../../../base/time/calendar.ts";
import { hourOf, timeLimits } from "../../../../client/reports/fields/field_periods.ts";
import { storedHours } from "../../../../automation/schedules/plan_week.ts";
import { readMovables } from "../../../../automation/schedules/scheduled_entities.ts";
import { weekdayOf } from "../../../../automation/pacing/pace.ts";
import { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { planSchedules } from "../../../../operations/automation/plan_schedules.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { isStore, type StoreOptions, storePlace } from "../../shell/store/store_place.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { drawWeek } from "./draw_week.ts";

interface WeekOptions extends MarketOptions, StoreOptions {
  readonly file: string;
}

const WEEK_COLUMNS = [
  "campaign",
  "schedule",
  "move",
  "low",
  "high",
  "effective_high",
  "writes",
  "rules",
  "risk_week",
];

export async function runPlanWeek(options: WeekOptions, context: CliContext): Promise<number> {
  const text = await readNamedFile(options.file, "the schedule file");
  const input = await operationInput(planSchedules, options, { schedules: { text, source: options.file } });
  const profile = await connectProfile(options, context);
  const place = storePlace(options, context);
  const hasStore = isStore(place);
  const state = hasStore ? await ScheduleState.open(place) : undefined;
  const store = hasStore ? await Warehouse.open(place, { now: context.io.now }) : undefined;
  try {
    const { signal } = context.interruption;
    const weeks = await planSchedules.run({ profile, state, store, signal }, input);
    const decimals = decimalsOf(profile.countryCode);
    const money = (amount: number | null): number | string | null =>
      amount === null || wantsData(context) ? amount : moneyText(Number(amount.toFixed(decimals)), decimals);
    const rows = weeks.map((week) => ({
      ...week,
      low: money(week.low),
      high: money(week.high),
      effective_high: money(week.effective_high),
      risk_week: money(week.risk_week),
    }));
    await printRows(rows, {
      columns: WEEK_COLUMNS,
      fields: [
        ...WEEK_COLUMNS,
        "campaign_id",
        "on",
        "things",
        "held",
        "problem",
        "factors",
        "risk_by_hour",
      ],
    }, context);
    for (const { campaign, problem } of weeks) {
      if (problem !== null) await say(`${campaign}: ${problem}`, context);
    }
    const held = weeks.reduce((sum, week) => sum + week.held, 0);
    if (held > 0) {
      await say(
        `${held} ${
          held === 1 ? "entity is" : "entities are"
        } not changed, because experiments hold them back for ` +
          "comparison (--touch-experiments changes them and ends the experiments)",
        context,
      );
    }
    if (weeks.length === 0) await say("The schedules select nothing", context);
    else if (weeks.every(({ risk_week: risk }) => risk === null)) {
      await say("Money at risk is unknown: no campaign reports are stored. Run adsctl sync", context);
    } else {
      await say(
        "risk_week is the maximum extra spend from raised factors, at the same number of clicks",
        context,
      );
    }
    return weeks.some(({ problem }) => problem !== null) ? EXIT.someFailed : EXIT.done;
  } finally {
    await state?.close();
    await store?.close();
  }
}

interface LearnOptions extends WeekOptions {
  readonly name: string;
  readonly days?: number;
  readonly cap?: number;
  readonly write?: true;
  readonly again?: true;
}

/** Hourly report fields, used when the store has no hourly data. */
const HOUR_FIELDS = ["date.value", "hour.value", "campaign.id", "metric.clicks", "metric.purchases"] as const;

export async function runLearn(options: LearnOptions, context: CliContext): Promise<number> {
  const { file, name, days = 30, cap = 0.3, write } = options;
  const text = await readNamedFile(file, "the schedule file");
  const schedule = parseSchedules(text, file).schedules.find((one) => one.name === name);
  if (schedule === undefined) throw new UsageError(`${file} has no schedule "${name}"`);
  const profile = await connectProfile(options, context);
  const { signal } = context.interruption;
  const movables = await readMovables(profile, [schedule], { signal });
  const selected = [...new Set(movables.map(({ fields }) => idKey(fields, "campaignId")))];
  if (selected.length === 0) throw new UsageError(`Schedule "${name}" of ${file} selects nothing`);
  const place = storePlace(options, context);
  const { today } = profile.reports;
  const cooling = await Cooling.read(profile, {
    ...{ today, again: options.again, signal, scheduled: isStore(place) ? scheduledIn(place) : undefined },
    judged: { start: addDays(today, -days), end: addDays(today, -1) },
  });
  const left = Map.groupBy(
    selected,
    (id) => cooling.refusal([{ id, parts: ["budget", "state"] }])?.message,
  );
  const campaignIds = left.get(undefined) ?? [];
  left.delete(undefined);
  const notes = [...left].map(([message = "", own]) =>
    `${own.length} campaigns left out: ${message.toLowerCase()}`
  );
  for (const note of [...cooling.warnings, ...notes]) await say(note, context);
  if (campaignIds.length === 0) {
    throw new UsageError(
      `Cannot learn "${name}": budgets or states of all its campaigns were changed in these days. Try later, or add --again`,
    );
  }
  let hours: HourFigures[] = [];
  let from = `stored hours of the last ${days} days`;
  if (isStore(place)) {
    const store = await Warehouse.open(place, { now: context.io.now });
    try {
      const stored = await storedHours(profile, store, { days, campaignIds });
      hours = stored.map(({ day, ...one }) => ({ ...one, weekday: weekdayOf(day) }));
    } finally {
      await store.close();
    }
  }
  if (hours.length === 0) {
    const start = timeLimits(HOUR_FIELDS, today).firstDay ?? today;
    const end = addDays(today, -1);
    from = `hours of new reports from ${start} to ${end}`;
    await say(`The store has no hours, so it reads ${from}`, context);
    const rows = await profile.reports.run({ fields: HOUR_FIELDS, start, end }, { signal });
    const wanted = new Set(campaignIds);
    hours = rows.filter((row) => wanted.has(idKey(row, "campaign.id"))).map((row) => ({
      weekday: weekdayOf(String(row["date.value"]).slice(0, 10)),
      hour: hourOf(row["hour.value"]),
      clicks: Number(row["metric.clicks"] ?? 0),
      orders: Number(row["metric.purchases"] ?? 0),
    }));
  }
  const learned = await refusingBadInput(() => Promise.resolve(learnGrid(hours, { cap })));
  const comment = [
    `learned from ${from}: ${learned.clicks} clicks, ${learned.orders} orders;`,
    `factors are conversion rates relative to the average, within ${Math.round(100 * cap)} % of 1;`,
    `${learned.pooled} of 168 hours had fewer than 75 clicks and use the value of their block or day`,
  ];
  const edited = editGrid(text, { name, grid: learned.grid, comment, notes: learned.notes }, file);
  if (wantsData(context)) await printJson({ ...learned, comment }, context);
  else {
    await context.io.stdout.write(drawWeek({ ...schedule, grid: learned.grid }, context));
    if (write !== true) await context.io.stdout.write(`\n${gridLines(edited, name)}\n`);
  }
  for (const line of comment) await say(line, context);
  if (learned.clicks < 5000) await say("Fewer than 5,000 clicks: this grid is weak evidence", context);
  if (write === true) {
    await fileSystem().writeText(file, edited);
    await say(`Wrote the grid to ${file}. Check the difference before the next run`, context);
  } else await say(`Nothing was written. Add --write to save it to ${file}`, context);
  return EXIT.done;
}

function gridLines(text: string, name: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => new RegExp(`^\\s+${name}:`).test(line));
  const indent = /^\s*/.exec(lines[first] ?? "")![0].length;
  const after = lines.slice(first + 1).findIndex((line) =>
    line.trim() !== "" && /^\s*/.exec(line)![0].length <= indent
  );
  return lines.slice(first, after < 0 ? undefined : first + 1 + after).join("\n").trimEnd();
}
