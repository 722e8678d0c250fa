import type { ServiceWork } from "../model/service.ts";
import { drift } from "./drift.ts";
import { entities } from "./entities.ts";
import { goals } from "./goals.ts";
import { jobReports } from "./job_reports.ts";
import { pacing } from "./pacing.ts";
import { schedules } from "./schedules.ts";
import { script } from "./script.ts";
import { stream } from "./stream.ts";
import { sync } from "./sync.ts";
import { watch } from "./watch.ts";
import { workflows } from "./workflows.ts";
import type { Unit, UnitFile } from "./unit.ts";

/** All units, in the order in which work that is due at the same time is started. */
export const UNITS = {
  sync,
  workflows,
  job_reports: jobReports,
  entities,
  stream,
  drift,
  schedules,
  pacing,
  goals,
  watch,
  script,
} satisfies Record<ServiceWork, Unit>;

type WorkWith<Facts> = {
  [Work in ServiceWork]: (typeof UNITS)[Work] extends Facts ? Work : never;
}[ServiceWork];

/** Units with a settings file. */
export type UnitName = WorkWith<{ readonly file: UnitFile }>;
/** Units with a timer of their own. */
export type TimedWork = Exclude<ServiceWork, WorkWith<{ readonly timedBy: string }>>;

const NAMES = Object.keys(UNITS) as readonly ServiceWork[];

export const UNIT_NAMES = NAMES.filter((work) => isUnit(work));
export const TIMED_WORK = NAMES.filter((work): work is TimedWork => unitOf(work).timedBy === undefined);
export const WORK_WITH_SYNC = NAMES.filter((work): work is WorkWith<{ readonly timedBy: "sync" }> =>
  unitOf(work).timedBy === "sync"
);

export function unitOf(work: ServiceWork): Unit {
  return UNITS[work];
}

export function isUnit(work: ServiceWork): work is UnitName {
  return unitOf(work).file !== undefined;
}

export function unitOfText(text: string): UnitName | undefined {
  const keys = new Set([...text.matchAll(/^["']?(\w+)["']?\s*:/gm)].map(([, key]) => key));
  return keys.has("timers") ? undefined : UNIT_NAMES.find((unit) => keys.has(UNITS[unit].file.key));
}
