import { zonedDateTime } from "../../../base/time/calendar.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { decimalsOf, marketOf } from "../../../base/markets/markets.ts";
import { rulesOfSchedules } from "../../../automation/schedules/rules_of_schedules.ts";
import type { Schedule } from "../../../automation/schedules/schedule.ts";
import { ScheduleState } from "../../../automation/schedules/schedule_state.ts";
import { factorAt, nextChanges } from "../../../automation/schedules/wanted_at.ts";
import { effectiveAmounts, weekOf } from "../../../automation/schedules/schedule_week.ts";
import { decideScheduleBase } from "../../../operations/automation/decide_base.ts";
import { RULE_WORDS } from "../../../operations/automation/schedules_status.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { describedRoute } from "../http/operation_route.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import { type ApiCall, type Route, textOf } from "../http/route.ts";
import { ensureStore, hasStore, withState, withStore } from "../http/open_store.ts";
import { hourlyFigures } from "../../../store/figures/hourly_figures.ts";
import {
  decideProposal,
  hasWholeHours,
  propose,
  readProposal,
  readSchedules,
} from "../../../automation/schedules/schedule_file.ts";

export const SCHEDULE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/schedules",
    about: "Reads `schedules.yaml` in the folder of the console, and the proposal of a person or an agent",
    gives:
      "`file`, `schedules` with factors by day and hour, `fingerprint`, `text`, `proposal` as lines that differ",
    run: async ({ context: { files: { schedules: path }, folders } }) => {
      const read = await readSchedules(path);
      return {
        file: path,
        schedules: read?.file.schedules.map(scheduleView) ?? [],
        fingerprint: read?.fingerprint ?? null,
        text: read?.text ?? "",
        proposal: await readProposal(path, read?.text, folders) ?? null,
      };
    },
  },
  {
    method: "GET",
    path: "/api/schedules/:name",
    about: "Shows the state of a schedule in a profile: scheduled values, values left alone, next changes",
    takes: { profile: "id of the profile" },
    gives:
      "`schedule`, `now` with the factor in force, `next` changes, `effective` amounts by hour of today, `kept` (values left alone), `run`, platform `rules` (wanted, live, and a `word` for the state), `hours` with figures by hour of the week if the stream is stored",
    run: standing,
  },
  {
    method: "POST",
    path: "/api/schedules/:name/grid",
    about:
      "Proposes other factors for a schedule: writes the changed file next to the original, which stays unchanged",
    takes: { fingerprint: "of the file that was shown", factors: "seven days of 24 factors, Monday first" },
    gives: "`proposal`",
    changes: true,
    run: async ({ context: { files: { schedules: path }, folders }, params, body }) => {
      const text = (await shownSchedules(path, textOf(body, "fingerprint")))?.text ?? "";
      const name = params["name"] ?? "";
      if (!await propose(path, { name, factors: factorsOf(body["factors"]), present: text })) {
        throw new ApiProblem(
          409,
          "QUARTERS",
          `Cannot change "${name}" by the hour: its grid uses quarter hours. Edit ${path}`,
        );
      }
      return { proposal: await readProposal(path, text, folders) ?? null };
    },
  },
  {
    method: "POST",
    path: "/api/schedule-proposal",
    about: "Accepts the proposed file, or discards it",
    takes: {
      fingerprint: "of the file that was shown; null if there was none",
      proposal: "fingerprint of the proposal that was shown",
      take: "true to accept it",
    },
    gives: "`done`",
    changes: true,
    run: async ({ context: { files: { schedules: path }, folders }, body }) => {
      const shown = body["fingerprint"] === null ? null : textOf(body, "fingerprint");
      const present = (await shownSchedules(path, shown))?.text;
      const fingerprint = textOf(body, "proposal");
      const decision = { take: body["take"] === true, fingerprint, present, folders };
      if (await decideProposal(path, decision)) return { done: true };
      throw new ApiProblem(
        409,
        "FILE_CHANGED",
        `The proposal for ${path} changed since this page was loaded. Nothing was written: reload the page`,
      );
    },
  },
  {
    ...describedRoute(decideScheduleBase),
    gives: "`base` from now on",
    changes: true,
    run: async ({ context, params, body }) => {
      const input = await refusingBadInput(() => jsonInput(decideScheduleBase, body));
      ensureStore(context);
      const profile = await context.ads.profile(params["profile"] ?? "");
      const [decided] = await refusingBadInput(() =>
        decideScheduleBase.run({ profile, place: context.storePlace }, input)
      );
      return { base: decided?.base ?? null };
    },
  },
];

/** A `fingerprint` of `null` means that there was no file. */
async function shownSchedules(path: string, fingerprint: string | null): ReturnType<typeof readSchedules> {
  const read = await readSchedules(path);
  if ((read?.fingerprint ?? null) === fingerprint) return read;
  throw new ApiProblem(
    409,
    "FILE_CHANGED",
    `${path} changed since this page was loaded. Nothing was written: reload the page and review it`,
  );
}

function scheduleView(schedule: Schedule): Record<string, unknown> {
  const { grid: _grid, ...about } = schedule;
  return { ...about, factors: weekOf(schedule), whole_hours: hasWholeHours(schedule) };
}

async function scheduleOf({ context, params }: ApiCall): Promise<Schedule> {
  const read = await readSchedules(context.files.schedules);
  const schedule = read?.file.schedules.find(({ name }) => name === params["name"]);
  if (schedule !== undefined) return schedule;
  throw new ApiProblem(404, "NO_SCHEDULE", `${context.files.schedules} has no schedule "${params["name"]}"`);
}

async function standing(call: ApiCall): Promise<unknown> {
  const { context, query } = call;
  const found = await scheduleOf(call);
  const profile = await context.ads.profile(textOf(query, "profile"));
  const { countryCode, profileId, timeZone } = profile;
  const schedule = { ...found, zone: found.zone ?? timeZone };
  const now = context.now();
  const isStored = hasStore(context);
  const { bases, run, rules } = isStored
    ? await withState(() => ScheduleState.open(context.storePlace), async (state) => ({
      bases: (await state.bases(profileId)).filter((base) => base.schedule === schedule.name),
      run: (await state.runs(profileId)).get(schedule.name),
      rules: (await rulesOfSchedules(profile, state)).filter((rule) => rule.schedule === schedule.name),
    }))
    : { bases: [], run: undefined, rules: [] };
  const local = zonedDateTime(now, schedule.zone);
  return {
    schedule: scheduleView(schedule),
    time_zone: schedule.zone,
    currency: marketOf(countryCode)?.currency ?? null,
    decimals: decimalsOf(countryCode),
    now: {
      at: new Date(now).toISOString(),
      day: local.dayOfWeek - 1,
      hour: local.hour,
      factor: factorAt(schedule, now),
    },
    next: nextChanges(schedule, now),
    moved: bases.length,
    effective: effectiveAmounts(schedule, bases, {
      countryCode,
      accountType: profile.profile.accountInfo.type,
      day: local.dayOfWeek - 1,
    }),
    kept: bases.filter(({ kept }) => kept !== null).map(({ kind, id, label, base, factor, wrote, kept }) => ({
      kind,
      id,
      label,
      base,
      factor,
      wrote,
      why: kept,
    })),
    run: run ?? null,
    rules: rules.map(({ campaignId, ...rule }) => ({
      campaign_id: campaignId,
      ...rule,
      word: RULE_WORDS[rule.state],
    })),
    hours: isStored
      ? await withStore(context, (store) => hourlyFigures(store, { profileId, now, zone: timeZone }))
      : null,
  };
}

function factorsOf(value: unknown): number[][] {
  const days = Array.isArray(value) ? value : Object.values(fieldsOf(value));
  const isNumber = (one: unknown): one is number => typeof one === "number" && Number.isFinite(one);
  const rows = days.map((row: unknown) => Array.isArray(row) ? row.filter(isNumber) : []);
  if (rows.length === 7 && rows.every((row) => row.length === 24)) return rows;
  throw new ApiProblem(
    400,
    "BAD_REQUEST",
    'Cannot change the schedule: "factors" is not seven days of 24 numbers',
  );
}
