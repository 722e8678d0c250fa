import { decimalsOf } from "../../../../base/markets/markets.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { moneyText } from "../../../../base/text/money_text.ts";
import { ScheduleState } from "../../../../automation/schedules/mod.ts";
import { learnSchedule } from "../../../../operations/automation/learn_schedule.ts";
import { planSchedules } from "../../../../operations/automation/plan_schedules.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { isStore, type StoreOptions, storePlace } from "../../shell/options/store_option.ts";
import { drawWeek } from "./draw_week.ts";
import { scheduleDocument } from "./schedule_document.ts";

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
  const schedules = await scheduleDocument(options.file);
  const input = await operationInput(planSchedules, options, { schedules });
  const profile = await connectProfile(options, context);
  const place = storePlace(options, context);
  const hasStore = isStore(place);
  const state = hasStore ? await ScheduleState.open(place) : undefined;
  const store = hasStore ? await openStore(options, context) : undefined;
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
  }
}

export async function runLearn(
  options: WeekOptions & { readonly name: string; readonly write?: true },
  context: CliContext,
): Promise<number> {
  const { file, name, write } = options;
  const schedules = await scheduleDocument(file);
  const input = await operationInput(learnSchedule, options, { name, schedules });
  const profile = await connectProfile(options, context);
  const place = storePlace(options, context);
  const store = isStore(place) ? await openStore(options, context) : undefined;
  const { interruption: { signal } } = context;
  const found = await refusingBadInput(() =>
    learnSchedule.run({
      ...{ profile, store, place: store && place, signal, onNote: (note) => say(note, context) },
    }, input)
  );
  const { schedule, learned, comment, edited } = found;
  if (wantsData(context)) await printJson(learnSchedule.data!(found), context);
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
