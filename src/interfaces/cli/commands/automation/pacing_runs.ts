import { commandWords } from "../../../../operations/model/command_words.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { moneyText } from "../../../../base/text/money_text.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { decimalsOf } from "../../../../base/markets/markets.ts";
import {
  loadPacing,
  type PaceDay,
  pacingData,
  type PacingStatus,
  runPacing,
} from "../../../../automation/pacing/mod.ts";
import { missingText } from "../../../../automation/pacing/pace.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { planPacing, showPacing } from "../../../../operations/automation/pacing.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import type { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import { alertHead } from "./alert_head.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { type StoreOptions, storePlace } from "../../shell/options/store_option.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { sparkline } from "../../shell/output/sparkline.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { finishPlan } from "../../shell/finish_plan.ts";

interface FileOption {
  readonly file: string;
}

interface AccountOptions extends MarketOptions, StoreOptions, FileOption {}

async function withBoth(
  options: AccountOptions,
  context: CliContext,
  step: (profile: ProfileClient, store: Warehouse) => Promise<number>,
): Promise<number> {
  const profile = await connectProfile(options, context);
  const store = await openStore(options, context);
  return step(profile, store);
}

async function pacingDocument(file: string) {
  return { pacing: { text: await readNamedFile(file, "the pacing file"), source: file } };
}

export async function runShow(options: AccountOptions, context: CliContext): Promise<number> {
  const input = await operationInput(showPacing, options, await pacingDocument(options.file));
  return await withBoth(options, context, async (profile, store) => {
    const { signal } = context.interruption;
    const parts = { profile, store, place: storePlace(options, context), now: context.io.now(), signal };
    const statuses = await showPacing.run(parts, input);
    if (wantsData(context)) {
      await printJson(statuses.map(pacingData), context);
      return EXIT.done;
    }
    const decimals = decimalsOf(profile.countryCode);
    for (const status of statuses) {
      await writeText(`${statusLines(status, decimals, context).join("\n")}\n\n`, context);
      for (const note of status.notes) await say(`${status.budget.name}: ${note}`, context);
    }
    return EXIT.done;
  });
}

export async function runPlan(
  options: AccountOptions & { readonly out?: string },
  context: CliContext,
): Promise<number> {
  const input = await operationInput(planPacing, options, await pacingDocument(options.file));
  return await withBoth(options, context, async (profile, store) => {
    const { signal } = context.interruption;
    const parts = { profile, store, place: storePlace(options, context), now: context.io.now(), signal };
    const result = await planPacing.run(parts, input);
    const { plan, statuses, unjudged } = result;
    for (const line of planPacing.lines?.(result) ?? []) await say(line, context);
    const decimals = decimalsOf(profile.countryCode);
    if (!wantsData(context)) {
      for (const status of statuses) {
        if (status.pace === undefined) continue;
        await writeText(`${headLines(status, decimals).join("\n")}\n`, context);
      }
      await context.io.stdout.write("\n");
    }
    const data = { ...planPacing.data?.(result) };
    if (plan.changes.length === 0) {
      if (wantsData(context)) await printJson({ ...data, changes: [] }, context);
      await say("Nothing to change, so no plan was saved", context);
      return unjudged.length > 0 ? EXIT.someFailed : EXIT.done;
    }
    const code = await finishPlan(plan, { out: options.out, context, data });
    return code === EXIT.done && unjudged.length > 0 ? EXIT.someFailed : code;
  });
}

export async function runOnce(options: AccountOptions, context: CliContext): Promise<number> {
  const file = await loadPacing(options.file);
  return await withBoth(options, context, async (profile, store) => {
    const { io, globals, interruption } = context;
    const folder = PlanStore.defaultPath(io.env, { demo: globals.demo });
    const { statuses, raised, failed, unjudged, result, refused, kept, busy } = await runPacing(profile, {
      file,
      store,
      state: storePlace(options, context),
      now: io.now(),
      plans: PlanStore.open(folder, { now: io.now }),
      env: io.env,
      fetch: io.fetch,
      words: commandWords,
      write: ({ severity, title, text }) => {
        const lines = text.split("\n").map((line) => `  ${visibleText(line)}\n`).join("");
        if (!wantsData(context)) {
          return writeText(`${alertHead({ severity, title }, context)}\n${lines}`, context);
        }
      },
      signal: interruption.signal,
    });
    if (wantsData(context)) {
      await printJson({
        busy,
        pacing: statuses.map(pacingData),
        alerts: raised,
        plan_id: result?.plan.id ?? null,
        changes: result?.changes.length ?? 0,
        kept,
        refused,
        unjudged,
      }, context);
    }
    if (busy) {
      await say("Another process is pacing this profile, so nothing was done", context);
      return EXIT.refused;
    }
    if (result !== undefined && !wantsData(context)) await writeText(`${result.summary()}\n`, context);
    for (const { name, why } of unjudged) await say(`${name}: ${visibleText(why)}`, context);
    for (const { label, why } of kept) {
      await say(`Left alone: ${visibleText(label)}: ${visibleText(why)}`, context);
    }
    for (const { label, why } of refused) {
      await say(`Not moved: ${visibleText(label)}: ${visibleText(why)}`, context);
    }
    for (const { id, channel, problem } of failed) {
      await io.stderr.write(
        `error: Cannot deliver alert ${id} to ${channel}: ${
          visibleText(problem)
        }. It is saved and will be retried\n`,
      );
    }
    if (raised.length === 0 && result === undefined) await say("No new alerts, no changes needed", context);
    if (failed.length > 0) return EXIT.failed;
    return raised.length + refused.length > 0 || result?.ok === false ? EXIT.someFailed : EXIT.done;
  });
}

function headLines({ budget, currency, pace, campaigns }: PacingStatus, decimals: number): string[] {
  const money = (amount: number): string => moneyText(Number(amount.toFixed(decimals)), decimals);
  if (pace === undefined) {
    const { from, to } = budget.dates ?? {};
    const dates = from === undefined ? "" : `, ${from} to ${to}`;
    const why = campaigns.length === 0 ? "no campaign is selected" : "today is outside of it";
    return [`${budget.name}: ${money(budget.amount)} ${currency}${dates}; ${why}`];
  }
  const share = `${(100 * pace.spent / pace.amount).toFixed(0)} %`;
  const off = pace.pace === null ? undefined : Math.round((pace.pace - 1) * 100);
  const offText = off === undefined
    ? ""
    : off === 0
    ? " (on pace)"
    : ` (${Math.abs(off)} % ${off > 0 ? "over" : "under"} it)`;
  const { forecast } = pace;
  return [
    `${budget.name}: ${money(pace.spent)} of ${money(pace.amount)} ${currency} (${share}), ` +
    `${pace.period.start} to ${pace.period.end}`,
    `  Planned by yesterday ${money(pace.ideal)}${offText}; today needs ${money(pace.neededToday)}, ` +
    `${pace.daysLeft} days left`,
    forecast === undefined
      ? "  Forecast: unknown, fewer than three stored days"
      : `  Forecast ${money(forecast.expected)}, between ${money(forecast.low)} and ${money(forecast.high)}`,
  ];
}

function statusLines(status: PacingStatus, decimals: number, { io: { stdout } }: CliContext): string[] {
  const { pace, weightsFrom } = status;
  const head = headLines(status, decimals);
  if (pace === undefined) return head;
  const young = pace.immature.length > 0
    ? [`  Clicks of ${pace.immature.length} days may still be corrected`]
    : [];
  const missing = pace.missing.length > 0 ? [`  ${commandWords(missingText(pace))}`] : [];
  return [
    ...head,
    ...young,
    ...missing,
    `  Weekday weights: ${weightsFrom}`,
    ...stdout.isTerminal ? [`  Spend by day: ${sparkline(spendByDay(pace.line), SPARK)}`] : [],
    ...(stdout.columns ?? 80) < 80 ? [] : drawLine(pace.line, pace.amount),
  ];
}

/** Characters of a sparkline: two months of days. */
const SPARK = 31;

/** Spend by day; `undefined` for a day if it or the previous day is not stored. */
function spendByDay(line: readonly PaceDay[]): (number | undefined)[] {
  const known = line.findLastIndex(({ actual }) => actual !== null);
  return line.slice(0, known + 1).map(({ actual }, at) => {
    const before = at === 0 ? 0 : line[at - 1]?.actual ?? null;
    return actual === null || before === null ? undefined : Math.max(0, actual - before);
  });
}

const HEIGHT = 8;
const WIDTH = 64;

function drawLine(line: readonly PaceDay[], amount: number): string[] {
  const share = Math.ceil(line.length / WIDTH);
  const days = line.filter((_, at) => (at + 1) % share === 0 || at === line.length - 1);
  const thickness = Math.max(1, Math.floor(WIDTH / days.length));
  const most = Math.max(amount, ...days.map(({ actual }) => actual ?? 0));
  const label = (value: number): string => value.toFixed(0).padStart(9);
  const rows = Array.from({ length: HEIGHT }, (_, at) => {
    const level = HEIGHT - at;
    const cells = days.map(({ ideal, actual }) => {
      const isIdeal = Math.max(1, Math.ceil(ideal / most * HEIGHT)) === level;
      const isFull = actual !== null && actual / most * HEIGHT > level - 0.5;
      return (isFull ? "█" : isIdeal ? "·" : " ").repeat(thickness);
    }).join("");
    const left = level === HEIGHT
      ? label(most)
      : level === HEIGHT / 2
      ? label(most / 2)
      : label(0).replace("0", " ");
    return `  ${left} ┤${cells}`.trimEnd();
  });
  const across = days.length * thickness;
  const [first, last] = [line[0]!.day, line.at(-1)!.day];
  const under = across < first.length + last.length + 1
    ? `${first} ${last}`
    : first + last.padStart(across - first.length);
  return [
    ...rows,
    `  ${" ".repeat(9)} └${"─".repeat(across)}`,
    `  ${" ".repeat(11)}${under}`,
    "  █ spent  · ideal",
  ];
}
