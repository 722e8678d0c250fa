import { zonedDateTime } from "../../base/time/calendar.ts";
import { counted } from "../../base/text/money_text.ts";
import { basename } from "node:path";
import { accountDrift } from "../../account/diff/account_drift.ts";
import { jobReportsNamed, spellJobReport } from "../../account/runs/job_reports.ts";
import { syncJobReports } from "../../account/runs/sync_job_reports.ts";
import { loadWorkflows } from "../../account/runs/load_workflows.ts";
import { syncWorkflows } from "../../account/runs/sync_workflows.ts";
import { loadGoals } from "../../account/goals/goals_file.ts";
import { openGoalsPlan } from "../../account/goals/open_plan.ts";
import { planDecidedGoals } from "../../account/goals/plan_goals.ts";
import { managedIn } from "../pacing/managed_ids.ts";
import { loadPacing } from "../pacing/pacing_file.ts";
import { runPacing } from "../pacing/run_pacing.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { loadSchedules } from "../schedules/load_schedules.ts";
import { tickSchedules } from "../schedules/tick_schedules.ts";
import { runScript, type ScriptResult } from "../scripts/run_script.ts";
import { consumeStream } from "../../store/stream/consume_stream.ts";
import { runWatch } from "../watch/run_watch.ts";
import { loadWatch } from "../watch/watch_file.ts";
import { WatchState } from "../watch/watch_state.ts";
import { ServiceState } from "./service_state.ts";
import { tellAlerts } from "./script_alerts.ts";
import { advertisersOf, isQuiet, type ServiceWork } from "./service_file.ts";
import type { DoWork } from "./work_run.ts";

const DAY = 86_400_000;

/**
 * Functions that do the work of each timer. Files are read again for each run, so edits take effect without a restart.
 */
export const WORK: Readonly<Record<ServiceWork, DoWork>> = {
  sync: async ({ profile, file: { reports, reporting, hours, months }, signal }, { store, poll }) => {
    const result = await store.sync([profile], {
      reports: reports as never,
      reporting,
      hours,
      months,
      signal,
      poll,
      maxPoll: poll,
    });
    const [failure] = result.failures;
    signal.throwIfAborted();
    if (failure !== undefined) {
      const count = result.failures.length;
      throw new Error(
        `${count} of ${result.outcomes.length} reports are not stored, first ${failure.report}: ${
          failure.error?.message ?? failure.state
        }`,
      );
    }
    return `${counted(result.outcomes.length, "report")}, ${counted(result.rows, "row")}`;
  },
  workflows: async ({ timer, signal }, { store, room, poll }) => {
    if (room === undefined) throw new Error("No clean room is known here");
    const files = await loadWorkflows([timer.file!]);
    const outcomes = await syncWorkflows(store, await room(), files, { signal, ...waiting(poll) });
    signal.throwIfAborted();
    const hidden = outcomes.find(({ warning }) => warning !== undefined)?.warning;
    return windowsText(
      outcomes.map(({ workflowId, ...one }) => ({ ...one, name: workflowId })),
      hidden === undefined ? [] : [hidden],
    );
  },
  job_reports: async ({ profile, file, signal }, { store, poll }) => {
    const { jobReports = [] } = file;
    const own = advertisersOf(file, profile);
    const reports = jobReportsNamed(jobReports).filter(({ byAdvertiser }) => !byAdvertiser || own.length > 0);
    const outcomes = await syncJobReports(store, [profile], reports, {
      advertisers: own,
      signal,
      ...waiting(poll),
    });
    signal.throwIfAborted();
    const missing = outcomes.filter(({ state }) => state === "unavailable");
    const names = [...new Set(missing.map(({ report }) => spellJobReport(report)))];
    return windowsText(
      outcomes.filter((one) => !missing.includes(one)).map(({ report, ...one }) => ({
        ...one,
        name: spellJobReport(report),
      })),
      names.length === 0 ? [] : [`not available: ${names.join(", ")}`],
    );
  },
  entities: async ({ profile, signal }, { store, poll }) => {
    const { entities, entityFailures } = await store.sync([profile], { entities: "only", signal, poll });
    signal.throwIfAborted();
    const [failure] = entityFailures;
    if (failure !== undefined) {
      throw new Error(`Some kinds are not stored, first ${failure.kind}: ${failure.state}`);
    }
    return counted(entities.length, "kind");
  },
  stream: async ({ timer, now, until, once, signal }, { store, stream }) => {
    if (stream === undefined) {
      throw new Error("No queue is known: name it under queue, or in PLATFORM_ADS_QUEUE");
    }
    const over = new AbortController();
    const isContinuous = !once && timer.timer.kind === "every" && timer.timer.isContinuous === true;
    const end = isContinuous ? setTimeout(() => over.abort(), Math.max(0, until - now)) : undefined;
    try {
      const { stored, duplicates, rejected } = await consumeStream(store, await stream(), {
        once: !isContinuous,
        signal: AbortSignal.any([signal, over.signal]),
        now: () => now,
      });
      signal.throwIfAborted();
      return `${counted(stored, "record")} stored, ${duplicates} came again, ${rejected} set aside`;
    } finally {
      clearTimeout(end);
    }
  },
  drift: async ({ profile, since, now, signal }, { store, plans }) => {
    const { entries } = await accountDrift(profile, {
      since: since ?? now - DAY,
      plans: [plans],
      store,
      signal,
    });
    const others = entries.filter(({ by }) => by === "other");
    const [first] = others;
    const named = first === undefined ? "" : `, first ${first.change} of ${first.label}`;
    return `${counted(entries.length, "change")}, ${others.length} by others${named}`;
  },
  schedules: async ({ profile, timer, signal }, { place, plans }) => {
    const { schedules } = await loadSchedules(timer.file!);
    const { result, kept, refused, busy, expired = [] } = await tickSchedules(profile, {
      schedules,
      state: place,
      plans,
      signal,
    });
    if (busy) return "Skipped: another program was running the schedules";
    const left = [...kept, ...refused];
    const over = expired.length === 0 ? "" : `; ${expired.join(", ")} expired, bases are put back`;
    const why = left.length === 0 ? "" : `; ${left.length} left alone: ${left[0]!.why}`;
    if (result?.ok === false) throw new Error(`${result.summary().split("\n")[0]}${why}`);
    return `${
      result === undefined ? "Nothing to move" : counted(result.changes.length, "change")
    }${over}${why}`;
  },
  pacing: async (
    { profile, timer, file, now, zone, signal },
    { place, store, plans, env, fetch, onAlert },
  ) => {
    const isHeld = file.quietHours !== undefined &&
      isQuiet(file.quietHours, zonedDateTime(now, zone).minuteOfDay);
    const budgets = await loadPacing(timer.file!);
    const { result, kept, refused, unjudged, raised, failed, busy } = await runPacing(profile, {
      file: budgets,
      store,
      state: place,
      plans,
      env,
      fetch,
      write: onAlert,
      urgentOnly: isHeld,
      signal,
    });
    if (busy) return "Skipped: another program was moving budgets";
    if (result?.ok === false) throw new Error(result.summary().split("\n")[0]!);
    throwUndelivered(failed, budgets.channels);
    const left = [...kept, ...refused];
    return [
      result === undefined ? "Nothing to move" : counted(result.changes.length, "change"),
      counted(raised.length, "new alert"),
      ...(left.length === 0 ? [] : [`${left.length} left alone: ${left[0]!.why}`]),
      ...(unjudged.length === 0 ? [] : [`${unjudged[0]!.name} not judged: ${unjudged[0]!.why}`]),
    ].join("; ");
  },
  goals: async ({ profile, timer, now, signal }, { place, store, plans, poll }) => {
    const file = await loadGoals(timer.file!);
    const open = await openGoalsPlan(file, { plans, profileId: profile.profileId, now });
    if (open !== undefined) {
      return `No second plan: plan ${open.id} of ${open.createdAt.slice(0, 10)} waits for approval`;
    }
    const { plan, goals, outcomes } = await planDecidedGoals(profile, {
      file,
      store,
      sync: { poll, maxPoll: poll, signal },
      ...managedIn(place),
      plans: () => Promise.resolve([plans]),
      signal,
    });
    const harmful = outcomes.filter(({ verdict }) => verdict === "less").map(({ name }) => name);
    const stopped = goals.flatMap(({ goal, decision }) =>
      decision.stopped === null ? [] : `${goal.name} stopped: ${decision.stopped}`
    );
    const notes = [...stopped, ...(harmful.length === 0 ? [] : [`does harm: ${harmful.join(", ")}`])];
    const more = notes.length === 0 ? "" : `; ${notes.join("; ")}`;
    if (plan.changes.length === 0) return `Nothing to change${more}`;
    await plans.save(plan);
    return `Plan ${plan.id} of ${counted(plan.changes.length, "change")} waits for approval${more}`;
  },
  watch: async (
    { profile, timer, file, now, zone, signal },
    { place, store, plans, env, fetch, onAlert },
  ) => {
    const rules = await loadWatch(timer.file!);
    const isHeld = file.quietHours !== undefined &&
      isQuiet(file.quietHours, zonedDateTime(now, zone).minuteOfDay);
    const state = await WatchState.open(place);
    const found = await runWatch(profile, {
      file: rules,
      store,
      state,
      plans: [plans],
      place,
      // The look itself is under way, and says nothing yet.
      timers: async () =>
        (await ServiceState.read(place, profile.profileId)).filter((run) => run.timer !== timer.name),
      env,
      fetch,
      write: onAlert,
      urgentOnly: isHeld,
      signal,
    }).finally(() => state.close());
    const { raised, delivered, failed, unjudged, busy } = found;
    if (busy) return "Skipped: another program was checking the rules";
    throwUndelivered(failed, rules.channels);
    const left = failed.length === 0
      ? ""
      : `, ${failed.length} for ${failed[0]!.channel}, which is not in the file`;
    const unjudgedText = unjudged.length === 0 ? "" : `, ${counted(unjudged.length, "rule")} not judged`;
    return `${counted(raised.length, "new alert")}, ${delivered} delivered${left}${unjudgedText}`;
  },
  script: async (run, parts) => {
    const { profile, timer, signal } = run;
    const { store, query, plans, readRows } = parts;
    const { data, timeout, memory } = timer;
    if (data !== undefined && readRows === undefined) throw new Error(`Nothing here reads rows of ${data}`);
    const source = await readNamedFile(timer.file!, "the script");
    const result: ScriptResult = await runScript(source, {
      profile,
      store,
      query,
      plans,
      name: basename(timer.file!),
      data: data === undefined ? [] : await readRows?.(data),
      seconds: timeout,
      megabytes: memory,
      onLog: (line) => parts.onLog?.(line, run),
      signal,
    });
    const { raised, failed } = await tellAlerts(result, run, parts);
    if (!result.ok) throw new Error(result.problem ?? "The script failed");
    const waits = failed.length === 0 ? "" : `, ${failed.length} wait for ${failed[0]!.channel}`;
    return `${counted(result.plans.length, "plan")}, ${counted(raised.length, "new alert")}${waits}`;
  },
};

function waiting(poll: number | undefined) {
  return poll === undefined ? {} : { first: poll, poll, maxPoll: poll };
}

/** @throws {Error} that names the first window that is not stored. */
function windowsText(
  outcomes: readonly {
    readonly name: string;
    readonly start: string;
    readonly end: string;
    readonly state: string;
    readonly rows: number;
    readonly error?: Error | undefined;
  }[],
  notes: readonly string[],
): string {
  const failed = outcomes.filter(({ state }) => state === "failed");
  const [first] = failed;
  if (first !== undefined) {
    throw new Error(
      `${failed.length} of ${outcomes.length} windows are not stored, first ${first.name} from ${first.start} to ` +
        `${first.end}: ${first.error?.message}`,
    );
  }
  const stored = outcomes.filter(({ state }) => state === "stored");
  const rows = stored.reduce((sum, one) => sum + one.rows, 0);
  return [`${counted(stored.length, "window")}, ${counted(rows, "row")}`, ...notes].join("; ");
}

function throwUndelivered(
  failed: readonly { readonly channel: string; readonly problem: string }[],
  channels: readonly { readonly name: string }[],
): void {
  const due = failed.filter(({ channel }) => channels.some(({ name }) => name === channel));
  const [first] = due;
  if (first === undefined) return;
  const waits = due.length === 1 ? "1 alert waits" : `${due.length} alerts wait`;
  throw new Error(`${waits} for ${first.channel}: ${first.problem}`);
}
