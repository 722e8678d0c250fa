import { advertiserProblem, type JobReport, jobReportsNamed } from "../../account/runs/job_reports.ts";
import { marketKey } from "../../base/markets/markets.ts";
import { isPostgres } from "../../base/text/is_postgres.ts";
import { z } from "zod";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import { readVersioned, Version } from "../../base/runtime/rule_file.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import type { QuietHours, ServiceFile, ServiceTimer } from "./model/service.ts";
import { parseTimer, TIMER_FORMS } from "./model/timer.ts";
import {
  isUnit,
  TIMED_WORK,
  type TimedWork,
  UNIT_NAMES,
  type UnitName,
  UNITS,
  WORK_WITH_SYNC,
} from "./units/units.ts";

const TimerShape = z.union([
  z.string(),
  z.strictObject({ at: z.string(), missed: z.enum(["run", "skip"]).default("run") }),
], { error: `Expected ${TIMER_FORMS}, or { at: ..., missed: skip }` });

const Path = z.string().min(1);
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

const Market = z.union([z.string().min(1), z.int().positive().transform(String)]);

const FileShape = z.strictObject({
  version: Version,
  profiles: z.union([z.literal("all"), z.array(Market).min(1)], {
    error: "Expected all, or a list such as [US, CA]; put long profile ids in quotes",
  }),
  store: Path.optional(),
  queue: z.string().min(1).optional(),
  jobs: z.int().min(0).max(64).default(0),
  reports: z.array(z.string().min(1)).min(1).optional(),
  reporting: z.literal(["old", "new", 3, 1], { error: "Expected old or new" })
    .transform((name): ReportingApi => name === "new" || name === 1 ? 1 : 3).optional(),
  hours: z.boolean().default(false),
  months: z.boolean().default(false),
  workflows: Path.optional(),
  room: z.string().min(1).optional(),
  job_reports: z.array(z.string().min(1)).min(1).optional(),
  advertisers: z.record(z.string(), z.array(Market).min(1), {
    error: 'Expected ids by market, such as { US: ["590001"] }',
  }).optional(),
  timers: z.strictObject(
    Object.fromEntries(TIMED_WORK.map((work) => [work, TimerShape.optional()])) as Record<
      TimedWork,
      z.ZodOptional<typeof TimerShape>
    >,
  ),
  files: z.strictObject(
    Object.fromEntries(UNIT_NAMES.map((unit) => [unit, Path.optional()])) as Record<
      UnitName,
      z.ZodOptional<typeof Path>
    >,
  ).default({}),
  scripts: z.array(z.strictObject({
    file: Path,
    at: z.string(),
    missed: z.enum(["run", "skip"]).default("run"),
    data: Path.optional(),
    timeout: z.int().positive().optional(),
    memory: z.int().positive().optional(),
  })).default([]),
  quiet_hours: z.string().regex(CLOCK, "Expected hours such as 22:00-07:00").optional(),
});

/**
 * Reads a service file, YAML or JSON.
 *
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`.
 *
 * @example
 * ```ts
 * import { loadService } from "@platform/ads/service";
 *
 * async function timers(path: string): Promise<string[]> {
 *   const { timers } = await loadService(path);
 *   return timers.map(({ name, at, missed }) => `${name} ${at}, missed runs: ${missed}`);
 * }
 * ```
 */
export async function loadService(path: string): Promise<ServiceFile> {
  return parseService(await readNamedFile(path, "the service file"), path);
}

/**
 * Parses the text of a service file.
 *
 * @param source Name of the file, for errors.
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`.
 *
 * @example
 * ```ts
 * import { parseService } from "@platform/ads/service";
 *
 * const { timers } = parseService("version: 1\nprofiles: [US]\ntimers: { sync: nightly 04:00 }", "service.yaml");
 * console.log(timers[0]?.name); // sync
 * ```
 */
export function parseService(text: string, source: string): ServiceFile {
  const { file, refuse } = readService(text, source);
  refuse();
  return file!;
}

interface ReadService extends Pick<ReturnType<typeof readVersioned>, "at" | "refuse"> {
  readonly file?: ServiceFile | undefined;
  readonly filePaths: ReadonlyMap<string, readonly (string | number)[]>;
}

export function readService(text: string, source: string): ReadService {
  const { data, value, at, hasProblems, refuse } = readVersioned(text, {
    source,
    consequence: ", so no service runs",
    schema: FileShape,
    byField: true,
  });
  const timers: ServiceTimer[] = [];
  const filePaths = new Map<string, readonly (string | number)[]>();
  const add = (
    path: readonly (string | number)[],
    part: Omit<ServiceTimer, "timer">,
  ): void => {
    const timer = parseTimer(part.at);
    if (timer?.kind === "every" && timer.isContinuous && part.work !== "stream") {
      at(path, `Only stream is continuous. Expected ${TIMER_FORMS}`);
    } else if (timer === undefined) at(path, `"${part.at}" is not a time. Expected ${TIMER_FORMS}`);
    else if (timers.some(({ name }) => name === part.name)) at(path, `${part.name} is listed twice`);
    else timers.push({ ...part, timer });
  };
  for (const work of TIMED_WORK) {
    const shape = value?.timers[work];
    if (shape === undefined) continue;
    const { at: time, missed } = typeof shape === "string" ? { at: shape, missed: "run" as const } : shape;
    const named = isUnit(work) ? value?.files[work] : undefined;
    const file = isUnit(work) ? named ?? UNITS[work].file.name : undefined;
    filePaths.set(work, [named === undefined ? "timers" : "files", work]);
    add(["timers", work], { name: work, work, at: time, missed, file });
    if (work !== "sync" || parseTimer(time) === undefined) continue;
    for (const part of WORK_WITH_SYNC) {
      if (value?.[part] === undefined) continue;
      filePaths.set(part, [part]);
      const folder = part === "workflows" ? value.workflows : undefined;
      add([part], { name: part, work: part, at: time, missed, file: folder });
    }
  }
  for (const [index, { file, at: time, ...rest }] of (value?.scripts ?? []).entries()) {
    const name = `script ${file.split(/[\\/]/).at(-1)}`;
    if (!filePaths.has(name)) filePaths.set(name, ["scripts", index, "file"]);
    add(["scripts", index, "at"], { name, work: "script", at: time, file, ...rest });
  }
  const [from, to] = value?.quiet_hours?.split("-") ?? [];
  if (from !== undefined && from === to) {
    at(["quiet_hours"], "Start and end are the same, so no hour is quiet");
  }
  if (isPostgres(value?.store ?? "") && !URL.canParse(value?.store ?? "")) {
    at(["store"], "Expected the path of a file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE");
  }
  if (value?.jobs !== undefined && value.jobs > 0 && !isPostgres(value.store ?? "postgres:")) {
    at(["jobs"], "Only a store in PostgreSQL has a queue of jobs");
  }
  // A timer that is wrong itself is there all the same.
  const { timers: written } = data as { readonly timers?: unknown };
  const isTable = (data: unknown): data is object => typeof data === "object" && data !== null;
  const hasStream = isTable(written) && "stream" in written;
  if (value?.queue !== undefined && !hasStream) {
    at(["queue"], "Nothing reads the queue: timers has no stream");
  }
  for (const key of ["hours", "months", "workflows", "job_reports"] as const) {
    if (value?.[key] && !(isTable(written) && "sync" in written)) {
      at([key], "Nothing pulls them: timers has no sync");
    }
  }
  for (const [path, problem] of value === undefined ? [] : jobReportProblems(value)) at(path, problem);
  if (value !== undefined && !hasProblems() && timers.length === 0 && value.jobs === 0) {
    at(["timers"], "Nothing has a timer, so the service would do nothing");
  }
  if (value === undefined) return { filePaths, at, refuse };
  const { quiet_hours: quiet, job_reports: jobReports, advertisers, workflows, room } = value;
  const { profiles, store, queue, jobs, reports, reporting, hours, months } = value;
  const quietHours = quiet === undefined ? undefined : hoursOf(quiet);
  const file = {
    source,
    profiles,
    store,
    queue,
    jobs,
    reports,
    reporting,
    hours,
    months,
    workflows,
    room,
    jobReports,
    advertisers,
    timers,
    quietHours,
  };
  return { file, filePaths, at, refuse };
}

function jobReportProblems(
  { profiles, room, workflows, job_reports: words = [], advertisers }: z.infer<typeof FileShape>,
): [path: readonly (string | number)[], problem: string][] {
  const problems: [readonly (string | number)[], string][] = [];
  const reports: JobReport[] = [];
  for (const [index, word] of words.entries()) {
    try {
      reports.push(...jobReportsNamed([word]));
    } catch (error) {
      problems.push([["job_reports", index], (error as Error).message]);
    }
  }
  const hasAdvertisers = reports.some(({ byAdvertiser }) => byAdvertiser);
  if (room !== undefined && workflows === undefined) {
    problems.push([["room"], "Nothing runs in a clean room: workflows is missing"]);
  }
  if (hasAdvertisers && advertisers === undefined) {
    problems.push([["job_reports"], 'DSP reports need advertisers, such as { US: ["590001"] }']);
  } else if (!hasAdvertisers && advertisers !== undefined && problems.length === 0) {
    problems.push([["advertisers"], "No report is by advertiser: job_reports has no dsp"]);
  }
  const second = reports.find(({ group }) => group === "dsp-v2");
  const owners = new Map<string, string>();
  for (const [market, ids] of Object.entries(advertisers ?? {})) {
    const at = (problem: string): void => void problems.push([["advertisers", market], problem]);
    if (profiles !== "all" && !profiles.some((one) => marketKey(one) === marketKey(market))) {
      at("This is none of the profiles, so nothing requests the reports");
    }
    if (second === undefined) continue;
    const wrong = advertiserProblem(second, ids);
    if (wrong !== undefined) at(`dsp-v2: ${wrong}`);
    if (profiles === "all" && !/^\d+$/.test(market)) {
      at(
        "dsp-v2: An advertiser belongs to one profile, and a country may have several: name the profile by its id",
      );
    }
    for (const id of new Set(ids)) {
      const owner = owners.get(id);
      if (owner !== undefined) {
        at(`dsp-v2: An advertiser belongs to one profile, and ${id} is under ${owner} too`);
      }
      owners.set(id, owner ?? market);
    }
  }
  return problems;
}

function hoursOf(text: string): QuietHours {
  const [, ...parts] = CLOCK.exec(text) ?? [];
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts.map(Number);
  return { from: 60 * fromHour + fromMinute, to: 60 * toHour + toMinute };
}
