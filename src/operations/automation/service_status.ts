import type { ServiceFile } from "../../automation/service/model/service.ts";
import type { ServiceStatus } from "../../automation/service/run_service.ts";
import type { ServiceState } from "../../automation/service/model/service_state.ts";
import { counted } from "../../base/text/money_text.ts";
import type { PlatformAds } from "../../client/platform_ads.ts";
import type { DocumentText, Fields } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";

type ReadState = (state: ServiceState) => Promise<ServiceStatus[]>;

interface ServiceContext {
  readonly ads: PlatformAds;
  /** Reads the state in the store of the file; `undefined` if there is no store yet. */
  readonly withState: (file: ServiceFile, read: ReadState) => Promise<ServiceStatus[] | undefined>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

const NAME = "service.yaml";

const SERVICE = {
  type: "document",
  required: true,
  value: "file",
  file: NAME,
  help: "service file",
} as const satisfies Fields[string];

/** Times are ISO 8601. */
export interface ServiceUnitRow {
  readonly profile_id: string;
  readonly country_code: string;
  readonly time_zone: string;
  readonly timer: string;
  /** The timer, as written in the file. */
  readonly at: string;
  readonly state: "late" | "due" | "waits" | "runs" | "done" | "failed" | "stopped";
  readonly is_late: boolean;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly outcome: ServiceStatus["outcome"];
  readonly detail: string | null;
  readonly attempt: number;
  readonly due: string;
  readonly next: string;
  readonly retry_at: string | null;
}

export interface ServiceStanding {
  readonly units: readonly ServiceUnitRow[];
  /** True if no service seems to run. */
  readonly is_down: boolean;
  /** Sentences about regions or markets that do not respond, whose timers are left out. */
  readonly unreachable: readonly string[];
}

/** Minutes without a start after which late timers mean that no service runs. */
const IDLE_MINUTES = 15;

export const showService = defineOperation<ServiceContext, ServiceStanding>()({
  name: "auto status",
  effect: "read",
  isForPeople: true,
  title: "Show the service",
  summary: "Show each timer's last and next run, and what is late",
  details: "Exit code 3 if a timer is late or its last run failed.",
  brief: "Last and next run of each timer of the service file, and what is late",
  examples: [{ input: {}, about: "print a line per timer and profile" }],
  library: "await serviceStatus(profiles, { file, state })",
  input: { service: SERVICE },
  check: async ({ service }) => void await fileOf(service),
  async run({ ads, withState, now, signal }, { service }) {
    const [{ serviceProfiles }, { serviceStatus }] = await Promise.all([
      import("../../automation/service/service_profiles.ts"),
      import("../../automation/service/run_service.ts"),
    ]);
    const file = await fileOf(service);
    const unreachable: string[] = [];
    const profiles = await serviceProfiles(file, {
      ...{ ads, signal },
      onUnreachable: ({ message }) => unreachable.push(message),
    });
    const units = await withState(file, (state) => serviceStatus(profiles, { file, state })) ?? [];
    return {
      units: units.map((unit) => rowOf(unit, file)),
      is_down: isDown(units, now),
      unreachable,
    };
  },
  lines({ units, is_down: isDown, unreachable }) {
    if (!isDown) return unreachable;
    const late = units.filter((unit) => unit.is_late).length;
    if (late === 0) return [...unreachable, "No service has run yet"];
    return [
      ...unreachable,
      `No service seems to run: ${counted(late, "timer")} ${late === 1 ? "is" : "are"} late, and nothing ` +
      `has started for ${IDLE_MINUTES} minutes or longer`,
    ];
  },
});

async function fileOf(document: DocumentText): Promise<ServiceFile> {
  const { parseService } = await import("../../automation/service/service_file.ts");
  return typeof document === "string"
    ? parseService(document, NAME)
    : parseService(document.text, document.source);
}

/** A service that runs begins what is late at once. */
function isDown(units: readonly ServiceStatus[], now: number): boolean {
  if (units.length === 0) return false;
  const last = Math.max(...units.map(({ startedAt }) => startedAt ?? 0));
  if (last === 0) return true;
  return units.some(({ isLate }) => isLate) && now - last > IDLE_MINUTES * 60_000 &&
    units.every(({ startedAt, endedAt }) => startedAt === null || endedAt !== null);
}

function rowOf(unit: ServiceStatus, file: ServiceFile): ServiceUnitRow {
  const iso = (time: number): string => new Date(time).toISOString();
  const orNull = (time: number | null | undefined): string | null => time == null ? null : iso(time);
  return {
    profile_id: unit.profileId,
    country_code: unit.countryCode,
    time_zone: unit.timeZone,
    timer: unit.timer,
    at: file.timers.find(({ name }) => name === unit.timer)?.at ?? "",
    state: stateOf(unit),
    is_late: unit.isLate,
    started_at: orNull(unit.startedAt),
    ended_at: orNull(unit.endedAt),
    outcome: unit.outcome,
    detail: unit.detail,
    attempt: unit.attempt,
    due: iso(unit.due),
    next: iso(unit.next),
    retry_at: orNull(unit.retryAt),
  };
}

function stateOf({ outcome, startedAt, isDue, isLate }: ServiceStatus): ServiceUnitRow["state"] {
  if (isLate) return "late";
  if (startedAt === null) return isDue ? "due" : "waits";
  if (outcome === null) return "runs";
  return isDue && outcome === "done" ? "due" : outcome;
}
