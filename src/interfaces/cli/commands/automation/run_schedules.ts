import { nextCommand } from "../../shell/context/shell_words.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { moneyText } from "../../../../base/text/money_text.ts";
import { decimalsOf } from "../../../../base/markets/markets.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { planView } from "../../../../plans/view/plan_view.ts";
import {
  type LeftAlone,
  loadSchedules,
  rulesOfSchedules,
  type RuleStanding,
  ScheduleState,
  startSchedules,
  stopSchedules,
  type TickOptions,
  type TickResult,
  tickSchedules,
  weekOf,
} from "../../../../automation/schedules/mod.ts";
import { decideScheduleBase } from "../../../../operations/automation/decide_base.ts";
import { scheduleDocument } from "./schedule_document.ts";
import {
  chosenSchedules,
  RULE_WORDS,
  schedulesStatus,
} from "../../../../operations/automation/schedules_status.ts";
import { inputFrom, type InputOf } from "../../../../operations/model/field.ts";
import { inCurrencyOf } from "../../shell/options/money_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { confirm, ensureCanAsk } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { type StoreOptions, storePlace } from "../../shell/options/store_option.ts";
import { timeZoneOf } from "../../../../base/markets/markets.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { drawWeek } from "./draw_week.ts";
import { countryOfMarket, type MarketOptions } from "../../shell/options/market_options.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { planText } from "../../shell/output/plan_text.ts";

interface FileOption {
  readonly file: string;
}

interface AccountOptions extends MarketOptions, StoreOptions {}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export async function runShow(
  { file, ...options }: FileOption & MarketOptions,
  context: CliContext,
): Promise<number> {
  const { schedules } = await loadSchedules(file);
  const countryCode = countryOfMarket(options, context);
  const profileZone = countryCode === undefined ? undefined : timeZoneOf({ countryCode });
  if (wantsData(context)) {
    const rows = schedules.flatMap((schedule) =>
      DAYS.map((day, at) => ({
        schedule: schedule.name,
        move: schedule.move,
        zone: schedule.zone ?? profileZone ?? null,
        day,
        factors: weekOf(schedule)[at]!,
      }))
    );
    await printJson(rows, context);
    return EXIT.done;
  }
  await context.io.stdout.write(
    schedules.map((schedule) => drawWeek(schedule, context, profileZone)).join("\n"),
  );
  return EXIT.done;
}

export async function runStart(
  options: AccountOptions & FileOption & { readonly yes?: true },
  context: CliContext,
): Promise<number> {
  const { schedules } = await loadSchedules(options.file);
  ensureCanAsk(options.yes, context, "starting schedules");
  const profile = await connectProfile(options, context);
  const parts = tickParts(options, context);
  const names = schedules.map(({ name }) => name);
  if (!options.yes) {
    const found = await tickSchedules(profile, { ...parts, schedules, send: false });
    await tell(found, profile, context);
    if (!await confirm(`Start ${names.join(", ")}, and send this now?`, context)) return EXIT.refused;
  }
  await startSchedules(profile, { state: parts.state, names });
  return await told(await tickSchedules(profile, { ...parts, schedules }), profile, context);
}

export async function runTick(
  options: AccountOptions & FileOption & { readonly dryRun?: true },
  context: CliContext,
): Promise<number> {
  const { schedules } = await loadSchedules(options.file);
  const profile = await connectProfile(options, context);
  return await told(
    await tickSchedules(profile, {
      ...tickParts(options, context),
      schedules,
      send: options.dryRun !== true,
    }),
    profile,
    context,
  );
}

export async function runStop(
  options: AccountOptions & { readonly yes?: true; readonly names: readonly string[] },
  context: CliContext,
): Promise<number> {
  ensureCanAsk(options.yes, context, "stopping schedules");
  const profile = await connectProfile(options, context);
  const parts = tickParts(options, context);
  const names = options.names.length === 0 ? undefined : options.names;
  if (!options.yes) {
    const found = await refusingBadInput(() => stopSchedules(profile, { ...parts, names, send: false }));
    await tell(found, profile, context);
    if (!await confirm("Restore these, and stop?", context)) return EXIT.refused;
  }
  const stopped = await refusingBadInput(() => stopSchedules(profile, { ...parts, names }));
  return await told(stopped, profile, context);
}

const BASE_COLUMNS = ["label", "move", "base", "factor", "live", "state", "schedule"];

export async function runStatus(
  { file, ...options }: AccountOptions & {
    readonly file?: string;
    readonly history?: true;
    readonly rules?: true;
  },
  context: CliContext,
): Promise<number> {
  if (options.rules && options.history) {
    throw new UsageError("Cannot use --rules with --history: choose one of them");
  }
  const schedules = file === undefined ? undefined : await scheduleDocument(file);
  const input = await operationInput(schedulesStatus, options, { schedules });
  const chosen = await chosenSchedules(input);
  const isChosen = (schedule: string): boolean => chosen?.includes(schedule) ?? true;
  const profile = await connectProfile(options, context);
  const state = await ScheduleState.open(tickParts(options, context).state);
  try {
    if (options.history) return await printHistory(state, { profile, chosen }, context);
    const rules = await rulesOfSchedules(profile, state, { signal: context.interruption.signal });
    return options.rules
      ? await printRules(rules.filter(({ schedule }) => isChosen(schedule)), profile, context)
      : await printStatus(state, { profileId: profile.profileId, rules, input, isChosen }, context);
  } finally {
    await state.close();
  }
}

/** Hours without a tick before the status explains the consequences. */
const LATE_HOURS = 2;

const RULE_COLUMNS = ["campaign", "state", "wanted", "live", "schedule"];

async function printRules(
  rules: readonly RuleStanding[],
  profile: ProfileClient,
  context: CliContext,
): Promise<number> {
  const ids = [...new Set(rules.map(({ campaignId }) => campaignId))];
  const campaigns = ids.length === 0 ? new Map() : await profile.resource("sp.campaigns").getMany(ids);
  const rows = rules.map(({ campaignId, ...rule }) => ({
    campaign: campaigns.get(campaignId)?.["name"] ?? campaignId,
    campaign_id: campaignId,
    ...rule,
  }));
  await printRows(
    rows,
    { columns: RULE_COLUMNS, fields: [...RULE_COLUMNS, "name", "id", "campaign_id"] },
    context,
  );
  return EXIT.done;
}

async function printHistory(
  state: ScheduleState,
  { profile: { profileId }, chosen }: {
    readonly profile: ProfileClient;
    readonly chosen: readonly string[] | undefined;
  },
  context: CliContext,
): Promise<number> {
  const events = await state.history(profileId, { schedules: chosen, limit: 1000 });
  const columns = ["at", "id", "move", "base", "wrote", "why"];
  await printRows(events.map((event) => ({ ...event })), {
    columns,
    fields: [...columns, "kind", "schedule"],
  }, context);
  return EXIT.done;
}

async function printStatus(
  state: ScheduleState,
  { profileId, rules, input, isChosen }: {
    readonly profileId: string;
    readonly isChosen: (schedule: string) => boolean;
    readonly rules: readonly RuleStanding[];
    readonly input: InputOf<typeof schedulesStatus.input>;
  },
  context: CliContext,
): Promise<number> {
  const values = await schedulesStatus.run({ profileId, state }, input);
  const rows = values.map(({ left_alone: _, run: _run, last_tick: _tick, ...row }) => row);
  await printRows(rows, { columns: BASE_COLUMNS, fields: [...BASE_COLUMNS, "kind", "id"] }, context);
  for (const [name, { state: run, at, note }] of await state.runs(profileId)) {
    if (!isChosen(name)) continue;
    const hours = Math.floor((context.io.now() - Date.parse(at)) / 3_600_000);
    const own = rules.filter(({ schedule }) => schedule === name);
    if (own.length > 0) await say(`${name}: ${rulesText(own)}. See --rules`, context);
    const silence = run !== "running" || hours < LATE_HOURS
      ? ""
      : own.length > 0
      ? `. No run for ${hours} hours: platform rules stay active`
      : `. No run for ${hours} hours: the last written values stay. In the file, on: platform needs no runs, ` +
        "and expires: 1d restores bases after a day without one";
    const outcome = note === null || note === "" ? "" : `: ${visibleText(note)}`;
    const since = run === "running" ? "running, last tick" : `${run} since`;
    await say(`${name}: ${since} ${at}${outcome}${silence}`, context);
  }
  return EXIT.done;
}

function rulesText(rules: readonly RuleStanding[]): string {
  const counts = [...Map.groupBy(rules, ({ state }) => state)].map(([state, own]) =>
    `${own.length} ${RULE_WORDS[state]}`
  );
  return `${rules.length} platform rules: ${counts.join(", ")}`;
}

export async function runBase(
  options: AccountOptions & { readonly id: string },
  context: CliContext,
): Promise<number> {
  const { input: fields } = decideScheduleBase;
  const given = await operationInput(decideScheduleBase, options, { id: options.id });
  const profile = await connectProfile(options, context);
  const input = inputFrom(fields, inCurrencyOf(profile, given, fields));
  const place = storePlace(options, context);
  const decided = await refusingBadInput(() => decideScheduleBase.run({ profile, place }, input));
  for (const line of decideScheduleBase.lines!(decided)) await say(visibleText(line), context);
  return EXIT.done;
}

function tickParts(
  options: StoreOptions,
  context: CliContext,
): Pick<TickOptions, "plans" | "signal"> & { readonly state: string } {
  const { io, globals, interruption } = context;
  const folder = PlanStore.defaultPath(io.env, { demo: globals.demo });
  return {
    state: storePlace(options, context),
    plans: PlanStore.open(folder, { now: io.now }),
    signal: interruption.signal,
  };
}

async function told(result: TickResult, profile: ProfileClient, context: CliContext): Promise<number> {
  await tell(result, profile, context);
  if (result.busy) return EXIT.refused;
  const isWhole = result.refused.length === 0 && (result.rules?.refused.length ?? 0) === 0;
  return isWhole && result.result?.ok !== false ? EXIT.done : EXIT.someFailed;
}

async function tell(found: TickResult, profile: ProfileClient, context: CliContext): Promise<void> {
  const { plan, result, kept, refused, busy, counts, rules, expired = [], idle = [] } = found;
  if (wantsData(context)) {
    const { plan: _plan, result: _result, rules, ...others } = found;
    await printJson({
      ...others,
      rules: rules === undefined ? null : {
        active: rules.active,
        sent: rules.results.reduce((sum, { changes }) => sum + changes.length, 0),
        refused: rules.refused,
      },
      plan_id: plan?.id ?? null,
      changes: plan?.changes.length ?? 0,
      ok: result?.ok ?? null,
    }, context);
    return;
  }
  if (busy) {
    await say("Another process is running schedules for this profile, so nothing was done", context);
    return;
  }
  const decimals = decimalsOf(profile.countryCode);
  if (plan !== undefined && result === undefined) {
    await writeText(planText(planView(plan), { limit: 20 }, context), context);
  }
  if (result !== undefined) await writeText(`${result.summary()}\n`, context);
  for (const name of expired) {
    const next = nextCommand(["auto", "start", name], context.globals);
    await writeText(
      `${name} had no run for longer than expires allows: its bases are restored, and it is stopped until ${next}\n`,
      context,
    );
  }
  for (const name of idle) await say(`${name} selects nothing in this profile`, context);
  for (const one of rules?.plans ?? []) {
    await writeText(planText(planView(one), { limit: 20 }, context), context);
  }
  for (const one of rules?.results ?? []) await writeText(`${one.summary()}\n`, context);
  if (counts.held > 0) {
    await say(
      `${counts.held} bids stay at their lowest until changed platform rules take effect, up to a ` +
        "day; the next run after that raises them",
      context,
    );
  }
  if (rules !== undefined && rules.active > 0) {
    await say(
      `${rules.active} platform rules raise bids; changes to them take up to a day`,
      context,
    );
  }
  for (const { label, why } of rules?.refused ?? []) {
    await say(`Rules not changed: ${visibleText(label)}: ${visibleText(why)}`, context);
  }
  if (plan === undefined && counts.moved === 0 && (rules?.results.length ?? 0) === 0 && counts.held === 0) {
    const next = nextCommand(["auto", "status", "schedules"], context.globals);
    await writeText(`Nothing to do: no schedule is active now. See: ${next}\n`, context);
  } else if (plan === undefined && counts.moved > 0 && counts.held === 0) {
    await writeText(
      `Nothing to do: ${counts.asWanted} of ${counts.moved} scheduled values already match this hour\n`,
      context,
    );
  }
  for (const [title, list] of [["Left alone", kept], ["Not moved", refused]] as const) {
    for (const [why, alike] of Map.groupBy(list, (one) => one.why)) {
      const [{ label, live, wanted }] = alike as [LeftAlone];
      const more = alike.length === 1 ? "" : ` and ${alike.length - 1} more`;
      const amounts = `${moneyText(live, decimals)}, wanted ${moneyText(wanted, decimals)}`;
      await say(`${title}: ${visibleText(label)} (${amounts})${more}: ${visibleText(why)}`, context);
    }
  }
}
