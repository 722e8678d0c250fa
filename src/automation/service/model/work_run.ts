import type { CleanRoom } from "../../../client/clean_room/clean_room.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { PlanStore } from "../../../plans/store/plan_store.ts";
import type { StreamSource } from "../../../store/stream/stream_source.ts";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { ScriptQuery } from "../../scripts/script.ts";
import type { Alert } from "../../watch/alert.ts";
import { isQuiet, type ServiceFile, type ServiceTimer } from "./service.ts";
import { zonedDateTime } from "../../../base/time/calendar.ts";

/** Stores, folders and destinations of a service's work. */
export interface WorkParts {
  /** Path or address of the store. */
  readonly place: string;
  /** The open store. */
  readonly store: Warehouse;
  /** Store in which proposals and plans of ticks are saved. */
  readonly plans: PlanStore;
  /** Runs queries of scripts, and aborts a query when its signal fires. @default in this process */
  readonly query?: ScriptQuery | undefined;
  /** Environment variables, for alert channels. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sends requests to alert channels. @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Writes an alert for the standard output channel. @default a line with its title */
  readonly onAlert?:
    | ((alert: Pick<Alert, "title" | "severity" | "text">) => void | Promise<void>)
    | undefined;
  /** Reads the rows of a script's CSV file. @default none, and such a script fails */
  readonly readRows?: ((path: string) => Promise<readonly Readonly<Record<string, string>>[]>) | undefined;
  /** Called with each line that a script writes. @default none */
  readonly onLog?: ((line: string, run: Pick<WorkRun, "profile" | "timer">) => void) | undefined;
  /** Opens the queue of the hourly stream, for the work `stream`. @default none, and that work fails */
  readonly stream?: (() => Promise<StreamSource>) | undefined;
  /** Opens the clean room of the file, for the work `workflows`. @default none, and that work fails */
  readonly room?: (() => Promise<CleanRoom>) | undefined;
  /** Seconds between two status checks of a report. @default 5, growing to 60 */
  readonly poll?: number | undefined;
}

/** One run of a timer for a profile. */
export interface WorkRun {
  /** Profile to work for. */
  readonly profile: ProfileClient;
  /** Timer that is due. */
  readonly timer: ServiceTimer;
  /** File with the settings of the work. */
  readonly file: ServiceFile;
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
  /** Time zone of the profile. */
  readonly zone: string;
  /** Next time at which the timer is due, in milliseconds since the epoch; continuous work runs until then. */
  readonly until: number;
  /** True if the service only runs what is due now, then ends. */
  readonly once: boolean;
  /** Due time of the last completed run; `undefined` before the first. */
  readonly since: number | undefined;
  /** Fires when the service is asked to end. */
  readonly signal: AbortSignal;
}

/** Does the work of a timer and returns its result in a sentence. */
export type DoWork = (run: WorkRun, parts: WorkParts) => Promise<string>;

/** True in the quiet hours of the file, in which alerts below `urgent` wait. */
export function isHeld({ file: { quietHours }, now, zone }: Pick<WorkRun, "file" | "now" | "zone">): boolean {
  return quietHours !== undefined && isQuiet(quietHours, zonedDateTime(now, zone).minuteOfDay);
}
