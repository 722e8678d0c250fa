import { dayIn } from "../../../../base/time/calendar.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import {
  type KeptCalendar,
  loadSchedules,
  type Schedule,
  type ScheduleOutcome,
  scheduleOutcome,
  ScheduleState,
} from "../../../../automation/schedules/mod.ts";
import { readMovables } from "../../../../automation/schedules/scheduled_entities.ts";
import type { EffectFigure } from "../../../../store/figures/experiment_outcome.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { type StoreOptions, storePlace } from "../../shell/store/store_place.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { openStore } from "../../shell/store/open_store.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";
import { comparisonRange, VERDICT_WORDS } from "../../../../operations/reads/outcome_lines.ts";

interface OutcomeOptions extends MarketOptions, StoreOptions {
  readonly file: string;
  readonly name: string;
  readonly figure?: EffectFigure;
}

export async function runScheduleOutcome(options: OutcomeOptions, context: CliContext): Promise<number> {
  const { file, name, figure } = options;
  const now = (await loadSchedules(file)).schedules.find((one) => one.name === name);
  const profile = await connectProfile(options, context);
  const store = await openStore(options, context);
  const { signal } = context.interruption;
  const calendar = await keptCalendar({ place: storePlace(options, context), name, now }, profile);
  const schedule = calendar?.schedule ?? now;
  if (schedule === undefined) throw new UsageError(`${file} has no schedule "${name}"`);
  if (schedule.experiment === undefined) {
    throw new UsageError(
      `Cannot measure schedule "${name}": it was on every week. Add to ${file}: ` +
        "experiment: { from: 2026-12-07, weeks: 12, seed: any }",
    );
  }
  // Of every move, the campaigns themselves.
  const selected = await readMovables(profile, [{ ...schedule, move: "state" }], { signal });
  const outcome = await refusingBadInput(() =>
    scheduleOutcome(store, {
      schedule,
      calendar,
      profileId: profile.profileId,
      campaignIds: selected.map(({ id }) => id),
      today: dayIn(schedule.zone ?? profile.timeZone, context.io.now()),
      figure,
    })
  );
  if (wantsData(context)) await printJson(outcome, context);
  else await writeText(outcomeLines(outcome).map((line) => `${line}\n`).join(""), context);
  return EXIT.done;
}

/**
 * Returns a calendar recorded by past ticks: the one of the file's experiment, or the most recent one if the file has
 * no experiment.
 */
async function keptCalendar(
  { place, name, now }: { readonly place: string; readonly name: string; readonly now: Schedule | undefined },
  { profileId }: ProfileClient,
): Promise<KeptCalendar | undefined> {
  const state = await ScheduleState.open(place);
  try {
    const own = (await state.calendars(profileId)).filter(({ schedule }) => schedule.name === name);
    return now?.experiment === undefined
      ? own.at(-1)
      : own.find(({ schedule }) => schedule.experiment?.from === now.experiment?.from);
  } finally {
    await state.close();
  }
}

function outcomeLines(
  { verdict, reason, pairs, campaigns, weeks, effects, missing, since, edited_on: edited }: ScheduleOutcome,
): string[] {
  return [
    `${VERDICT_WORDS[verdict]}: ${reason}`,
    `  ${pairs} pairs of weeks compared over ${campaigns} campaigns, each without its first day`,
    ...Object.entries(effects).map(([figure, range]) => `  ${figure.padEnd(7)} ${comparisonRange(range)}`),
    ...missing.map((days) => `  not stored: ${days}`),
    since === null
      ? "  The store has no run of it: the calendar comes from the file"
      : `  Its calendar was fixed at the first run, on ${since}; edits of the file do not change it`,
    ...edited === null ? [] : [`  The schedule was edited on ${edited}: unfinished weeks are left out`],
    ...weeks.map(({ start, end, isOn }) => `  ${start} to ${end}  ${isOn ? "on" : "off"}`),
  ];
}
