import { watch } from "../../../../automation/service/units/watch.ts";
import { ServiceState } from "../../../../automation/service/model/service_state.ts";
import { alertCosts } from "../../../../automation/watch/alert_figures.ts";
import {
  type Alert,
  loadWatch,
  runWatch,
  type WatchFile,
  type WatchResult,
  WatchState,
} from "../../../../automation/watch/mod.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { counted } from "../../../../base/text/money_text.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { markAlerts, missingAlertsText } from "../../../../operations/automation/mark_alerts.ts";
import { commandWords } from "../../../../operations/model/command_words.ts";
import { type TestedRule, testRules } from "../../../../operations/automation/test_rules.ts";
import { listAlerts } from "../../../../operations/reads/alerts.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import type { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { nameOf, withProfiles } from "../../shell/connect/with_profiles.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { isStore, missingStore, type StoreOptions, storePlace } from "../../shell/options/store_option.ts";
import { again } from "../../shell/options/times.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { sparkline } from "../../shell/output/sparkline.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { alertHead } from "./alert_head.ts";

async function spendText(alert: Alert, store: Warehouse): Promise<string | undefined> {
  const found = await alertCosts(alert, store);
  return found && `Cost by day, ${found.from} to ${found.to}: ${sparkline(found.costs)}`;
}

interface FileOption extends StoreOptions {
  readonly file: string;
}

export async function runTest(
  { rule: name, ...options }: FileOption & MarketOptions & { readonly rule?: string },
  context: CliContext,
): Promise<number> {
  // One argument may be the file of the rules, too.
  const isFile = name !== undefined && /\.(?:ya?ml|json)$/i.test(name);
  if (isFile && options.file !== watch.file.name) {
    throw new UsageError(`Cannot replay the rules of ${name} and ${options.file}: give one file`);
  }
  const [rule, source] = isFile ? [undefined, name] : [name, options.file];
  const rules = { text: await readNamedFile(source, "the rule file"), source };
  const input = await operationInput(testRules, options, { rule, rules });
  const profile = await connectProfile(options, context);
  const store = await openStore(options, context);
  const { signal } = context.interruption;
  const tested = await refusingBadInput(() => testRules.run({ profile, store, signal }, input));
  const alerts = tested.flatMap((one) => one.alerts);
  if (wantsData(context)) await printJson(alerts.map((alert) => ({ ...alert })), context);
  else {for (const { day, title } of alerts) {
      await writeText(`${day}  ${visibleText(title)}\n`, context);
    }}
  for (const one of tested) await sayTested(one, context);
  const isNone = tested.every(({ problem, days }) => problem !== null || days === 0);
  return isNone ? EXIT.someFailed : EXIT.done;
}

async function sayTested(
  { rule, alerts, days, unjudged, problem }: TestedRule,
  context: CliContext,
): Promise<void> {
  if (problem !== null) {
    await say(problem, context);
    return;
  }
  await say(`${rule}: ${counted(alerts.length, "alert")} in ${days} days`, context);
  const [first] = unjudged;
  if (first !== undefined) {
    await say(`${unjudged.length} days could not be checked, such as ${first.day}: ${first.why}`, context);
  }
}

interface LookOptions extends FileOption, ManyProfilesOptions {
  readonly every?: number;
  readonly out?: string;
}

export async function runLooks(options: LookOptions, context: CliContext): Promise<number> {
  const file = await loadWatch(options.file);
  return await again(options.every, context, (context) => lookOnce(file, { options, context }));
}

interface Look {
  readonly options: LookOptions;
  readonly context: CliContext;
}

async function lookOnce(file: WatchFile, look: Look): Promise<number> {
  const { options, context } = look;
  const store = await openStore(options, context);
  const state = await WatchState.open(storePlace(options, context));
  const step = (profile: ProfileClient): Promise<WatchResult> =>
    lookAt(profile, { file, store, state, ...look });
  try {
    if (!isForMany(options)) {
      const profile = await connectProfile(options, context);
      return await report([{ profile, result: await step(profile) }], context);
    }
    return await withProfiles(options, context, {
      step,
      done: async ({ outcomes, ok }) => {
        const code = await report(outcomes.flatMap((one) => "result" in one ? [one] : []), context);
        return ok ? code : EXIT.failed;
      },
    });
  } finally {
    await state.close();
  }
}

async function lookAt(
  profile: ProfileClient,
  { file, store, state, options, context }: Look & {
    readonly file: WatchFile;
    readonly store: Warehouse;
    readonly state: WatchState;
  },
): Promise<WatchResult> {
  const { io, globals, interruption } = context;
  const folder = options.out ?? PlanStore.defaultPath(io.env, { demo: globals.demo, option: "--out" });
  return await runWatch(profile, {
    file,
    store,
    state,
    plans: [PlanStore.open(folder, { now: io.now })],
    place: storePlace(options, context),
    timers: () => ServiceState.read(storePlace(options, context), profile.profileId),
    env: io.env,
    fetch: io.fetch,
    words: commandWords,
    write: async (alert) => {
      if (wantsData(context)) return;
      const spend = context.io.stdout.isTerminal ? await spendText(alert, store) : undefined;
      await writeText(alertLines(alert, spend, context), context);
    },
    signal: interruption.signal,
  });
}

function alertLines(
  { severity, title, text, id }: Alert,
  spend: string | undefined,
  context: CliContext,
): string {
  const lines = text.split("\n").map((line) => `  ${visibleText(line)}\n`).join("");
  const drawn = spend === undefined ? "" : `  ${spend}\n`;
  return `${alertHead({ severity, title }, context)}\n${lines}${drawn}  alert ${id}\n`;
}

async function report(
  done: readonly { readonly profile: ProfileClient; readonly result: WatchResult }[],
  context: CliContext,
): Promise<number> {
  if (wantsData(context)) {
    await printJson(
      done.map(({ profile: { profileId, countryCode }, result }) => ({
        profile_id: profileId,
        country_code: countryCode,
        ...result,
      })),
      context,
    );
  }
  for (const { profile, result: { raised, unjudged, failed, busy } } of done) {
    const where = done.length > 1 ? `${nameOf(profile)}: ` : "";
    if (busy) await say(`${where}Another process is checking it, so nothing was done`, context);
    for (const { rule, why } of unjudged) await say(`${where}${rule}: ${visibleText(why)}`, context);
    for (const { id, channel, problem } of failed) {
      await context.io.stderr.write(
        `error: ${where}Cannot deliver alert ${id} to ${channel}: ${
          visibleText(problem)
        }. It is saved and will be retried\n`,
      );
    }
    if (!busy && !wantsData(context) && raised.length === 0) await say(`${where}Nothing new`, context);
    for (const planId of new Set(raised.flatMap((alert) => alert.planId ?? []))) {
      await say(
        `To review the proposed plan:\n  ${nextCommand(["plan", "show", planId], context.globals)}`,
        context,
      );
    }
  }
  if (done.some(({ result: { failed } }) => failed.length > 0)) return EXIT.failed;
  return done.some(({ result: { raised } }) => raised.length > 0) ? EXIT.someFailed : EXIT.done;
}

export async function runMark(
  options: StoreOptions & { readonly ids: readonly string[] },
  context: CliContext,
): Promise<number> {
  const { io } = context;
  const input = await operationInput(markAlerts, options, { ids: options.ids });
  const place = storePlace(options, context);
  if (!isStore(place)) throw missingStore(place, context);
  const result = await markAlerts.run({ place, now: io.now(), by: io.env["USER"] }, input);
  const { state, marked, missing } = result;
  if (marked.length > 0) await say(`${marked.length} marked as ${state}`, context);
  if (missing.length === 0) return EXIT.done;
  await io.stderr.write(`error: ${missingAlertsText(result, place)}\n`);
  return marked.length > 0 ? EXIT.someFailed : EXIT.usage;
}

const COLUMNS = ["day", "severity", "rule", "title", "mark", "state"];

const DEFAULT_LIMIT = 50;

interface AlertsOptions extends StoreOptions, MarketOptions {
  readonly limit?: number;
}

export async function runAlerts(options: AlertsOptions, context: CliContext): Promise<number> {
  const input = await operationInput(listAlerts, options);
  const { profileId, reports: { today } } = await connectProfile(options, context);
  await openStore(options, context);
  const at = { profileId, today, place: storePlace(options, context), now: context.io.now() };
  const listed = await refusingBadInput(() => listAlerts.run(at, input));
  const { alerts } = listed;
  const limit = options.limit ?? DEFAULT_LIMIT;
  const rows = alerts.slice(0, limit).map(({ waiting, mark, ...alert }) => ({
    ...alert,
    waiting,
    mark: mark.state,
    marked_by: mark.by,
    marked_at: mark.at,
    snoozed_until: mark.until,
    reason: mark.reason,
    state: waiting.length === 0
      ? "delivered"
      : `waits for ${waiting.map(({ channel }) => channel).join(", ")}`,
  }));
  await printRows(rows, {
    columns: COLUMNS,
    name: "title",
    least: ["rule"],
    fields: [
      ...COLUMNS,
      "id",
      "at",
      "since",
      "subject",
      "text",
      "planId",
      "facts",
      "delivered",
      "waiting",
      "marked_by",
      "marked_at",
      "snoozed_until",
      "reason",
    ],
  }, context);
  if (alerts.length > limit) {
    await say(`The newest ${limit} of ${alerts.length} alerts. More: --limit ${alerts.length}`, context);
  }
  for (const line of listAlerts.lines?.(listed) ?? []) await say(line, context);
  return EXIT.done;
}
