import { isPostgres } from "../../../../base/text/is_postgres.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { serviceProfiles } from "../../../../automation/service/service_profiles.ts";
import { type ServiceUnitRow, showService } from "../../../../operations/automation/service_status.ts";
import {
  checkService,
  runService,
  type ServiceEvent,
  ServiceState,
} from "../../../../automation/service/mod.ts";
import { UNIT_NAMES, UNITS } from "../../../../automation/service/units/units.ts";
import { serveMetrics } from "../../../../store/queue/metrics_server.ts";
import { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { alertHead } from "./alert_head.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { scriptQuery } from "./script_query.ts";
import {
  hostAndPort,
  isStore,
  missingStore,
  servicePlace,
  type StoreOptions,
  storePlace,
} from "../../shell/options/store_option.ts";
import { openNamedQueue } from "../store/stream_queue.ts";
import { rememberProfiles } from "../store/stream_consume.ts";
import { rowsOf } from "./run.ts";
import { runJobs } from "./worker.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { serviceFileText } from "./service_file_text.ts";
import { ensureService, writeNewFile } from "./unit_runs.ts";
import { ServiceMetrics } from "./service_metrics.ts";

interface FileOption {
  readonly file: string;
}

export async function runInit(
  { out = "service.yaml", ...options }: StoreOptions & { readonly out?: string },
  context: CliContext,
): Promise<number> {
  const ads = await connectAds(context);
  const profiles = await ads.profiles({ signal: context.interruption.signal });
  const place = storePlace(options, context);
  const present = await Promise.all(
    UNIT_NAMES.map(async (name) => await fileSystem().exists(UNITS[name].file.name) ? [name] : []),
  );
  const text = serviceFileText({
    profiles,
    store: context.globals.demo ? undefined : place,
    reports: isStore(place) ? await storedReports(place, context) : [],
    units: new Set(present.flat()),
  });
  await writeNewFile(out, text);
  await say(
    `Wrote ${out}. To run it:\n  ${nextCommand(["auto", "run", out], context.globals)}`,
    context,
  );
  return EXIT.done;
}

async function storedReports(place: string, context: CliContext): Promise<string[]> {
  const store = await Warehouse.open(place, { now: context.io.now });
  try {
    return [...new Set((await store.coverage()).map(({ report }) => report))].sort();
  } finally {
    await store.close();
  }
}

export async function runRun(
  options: FileOption & StoreOptions & {
    readonly once?: true;
    readonly concurrency?: number;
    readonly listen?: string;
  },
  context: CliContext,
): Promise<number> {
  const { io, globals } = context;
  const at = options.listen === undefined ? undefined : hostAndPort(options.listen);
  await ensureService(options.file, "run");
  const file = await refusingBadInput(() => checkService(options.file));
  const metrics = new ServiceMetrics();
  const ads = await connectAds(context, { shareDemo: true });
  const profiles = await serviceProfiles(file, { ads, signal: context.interruption.signal });
  const nameOf = marketNames(profiles);
  const place = servicePlace(file, options, context);
  const server = at === undefined
    ? undefined
    : await serveMetrics(() => Promise.resolve(metrics.text()), at, { problem: () => metrics.problem() });
  if (server !== undefined) await say(`Serves ${server.url.replace(/metrics$/, "health")}`, context);
  let failed = 0;
  try {
    const store = await openStore({ store: place, create: true }, context);
    const folder = PlanStore.defaultPath(io.env, { demo: globals.demo });
    const jobs = jobsOf(options.once ? 0 : file.jobs, { place, folder }, context);
    const query = await scriptQuery(place, context);
    const service = refusingBadInput(() =>
      runService(profiles, {
        file,
        place,
        store,
        query,
        plans: PlanStore.open(folder, { now: io.now }),
        env: io.env,
        fetch: io.fetch,
        once: options.once,
        concurrency: options.concurrency,
        signal: jobs.signal,
        stream: async () => {
          await rememberProfiles(store, ads, context);
          return (await openNamedQueue(
            file.queue === undefined ? {} : { queue: file.queue },
            context,
            ads,
          )).source;
        },
        room: () => ads.cleanRoom(file.room, { signal: jobs.signal }),
        onAlert: ({ severity, title, text }) =>
          writeText(`${alertHead({ severity, title }, context)}\n${indented(text)}`, context),
        readRows: (path) => rowsOf(path, context),
        onLog: (line, { profile, timer }) =>
          void (globals.quiet || io.stderr.write(logLine(line, {
            countryCode: profile.countryCode,
            profileId: profile.profileId,
            timer: timer.name,
            market: nameOf(profile),
          }, context))),
        onProblem: (reason) => void io.stderr.write(`warning: ${visibleText(reason)}\n`),
        onLook: (units) => metrics.looked(units),
        onEvent: (event) => {
          if (event.kind === "failed") failed++;
          metrics.heard(event);
          if (!globals.quiet || event.kind === "failed") {
            void io.stderr.write(eventLine(event, nameOf(event), context));
          }
        },
      })
    );
    await jobs.beside(service);
    return options.once && failed > 0 ? EXIT.someFailed : EXIT.done;
  } finally {
    await server?.close();
  }
}

/** Seconds that running queue jobs get to finish on shutdown. */
const DRAIN = 6;

/**
 * Runs queue jobs of a PostgreSQL store beside the timers, as `adsctl auto worker` does. When either stops, so does
 * the other.
 */
function jobsOf(
  count: number,
  { place, folder }: { readonly place: string; readonly folder: string },
  context: CliContext,
): { readonly signal: AbortSignal; beside(service: Promise<void>): Promise<void> } {
  const { signal } = context.interruption;
  if (count === 0) return { signal, beside: (service) => service };
  if (!isPostgres(place)) {
    throw new UsageError(
      "Cannot run jobs: only a PostgreSQL store has a queue. Remove jobs, or use such a store",
    );
  }
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const options = { concurrency: count, drain: DRAIN, plans: [folder] };
  const jobs = runJobs(place, { options, signal: both, abort: new AbortController().signal }, context);
  const end = (): void => over.abort();
  jobs.then(end, end);
  return {
    signal: both,
    beside: async (service) => {
      try {
        await service;
      } finally {
        end();
        await jobs;
      }
    },
  };
}

function eventLine(event: ServiceEvent, market: string, { io, globals }: CliContext): string {
  const time = new Date(io.now()).toISOString();
  const due = new Date(event.due).toISOString();
  if (globals.format === "json" || globals.format === "jsonl") {
    return `${JSON.stringify({ time, ...event, due })}\n`;
  }
  const { kind, timer, attempt, seconds, detail } = event;
  const again = attempt > 1 ? ` (attempt ${attempt})` : "";
  const end = kind === "began" ? "" : ` in ${seconds.toFixed(1)} s: ${visibleText(detail)}`;
  return `${time.slice(0, 19)}Z ${market} ${timer} ${kind}${again}${end}\n`;
}

function logLine(
  line: string,
  { market, ...at }: Record<"countryCode" | "profileId" | "timer" | "market", string>,
  { io, globals }: CliContext,
): string {
  const time = new Date(io.now()).toISOString();
  if (globals.format === "json" || globals.format === "jsonl") {
    return `${JSON.stringify({ time, ...at, kind: "log", detail: line })}\n`;
  }
  return `${time.slice(0, 19)}Z ${market} ${at.timer}: ${visibleText(line)}\n`;
}

type Named = Pick<ProfileClient, "profileId" | "countryCode">;

/** Names profiles by market, adding the id only if the market has several. */
function marketNames(profiles: readonly Named[]): (profile: Named) => string {
  const byMarket = Map.groupBy(profiles, ({ countryCode }) => countryCode);
  return ({ profileId, countryCode }) =>
    byMarket.get(countryCode)?.some((other) => other.profileId !== profileId)
      ? `${countryCode} ${profileId}`
      : countryCode;
}

function indented(text: string): string {
  return text === "" ? "" : text.split("\n").map((line) => `  ${visibleText(line)}\n`).join("");
}

const COLUMNS = ["country_code", "timer", "state", "last", "took", "next", "detail"];

export async function runStatus(options: FileOption & StoreOptions, context: CliContext): Promise<number> {
  await ensureService(options.file, "status");
  const input = await operationInput(showService, options, {
    service: { text: await readNamedFile(options.file, "the service file"), source: options.file },
  });
  const ads = await connectAds(context);
  const standing = await showService.run({
    ads,
    now: ads.transport.now(),
    signal: context.interruption.signal,
    withState: async (file, read) => {
      const place = servicePlace(file, options, context);
      if (!isStore(place)) throw missingStore(place, context);
      const state = await ServiceState.open(place);
      return await read(state).finally(() => state.close());
    },
  }, input);
  const { units, unreachable } = standing;
  if (wantsData(context)) await printJson(units, context);
  else {
    const nameOf = marketNames(units.map(named));
    const rows = units.map((unit) => {
      const { timer, state, outcome, started_at: startedAt, ended_at: endedAt, detail, next } = unit;
      return {
        country_code: nameOf(named(unit)),
        timer,
        state,
        last: timeText(startedAt),
        took: startedAt === null || endedAt === null
          ? ""
          : `${Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000)} s`,
        next: timeText(outcome === "failed" ? unit.retry_at ?? next : next),
        detail: detail ?? "",
      };
    });
    await printRows(rows, { columns: COLUMNS }, context);
  }
  const start = nextCommand(["auto", "run", options.file], context.globals);
  for (const line of showService.lines?.(standing) ?? []) {
    await say(unreachable.includes(line) ? line : `${line}. To start it:\n  ${start}`, context);
  }
  const isWell = unreachable.length === 0 && !units.some((unit) => unit.is_late || unit.outcome === "failed");
  return isWell ? EXIT.done : EXIT.someFailed;
}

function named(unit: ServiceUnitRow): Named {
  return { profileId: unit.profile_id, countryCode: unit.country_code };
}

function timeText(time: string | null): string {
  return time === null ? "" : `${time.slice(0, 16).replace("T", " ")}Z`;
}
