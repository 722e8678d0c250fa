import { marketKey, normalizeCountry } from "../../../base/markets/markets.ts";
import type { ReportingApi } from "../../../client/reports/requests/report_configuration.ts";
import type { Timer } from "./timer.ts";

/** Type of work that a service does for a profile. `script` appears once for each script of the file. */
export type ServiceWork =
  | "sync"
  | "workflows"
  | "job_reports"
  | "entities"
  | "stream"
  | "drift"
  | "schedules"
  | "pacing"
  | "goals"
  | "watch"
  | "script";

/** Work with its timer. */
export interface ServiceTimer {
  /** Name of the timer, unique in the file: `sync`, `watch`; `script waste.ts` for a script. */
  readonly name: string;
  /** Kind of work. */
  readonly work: ServiceWork;
  /** The timer, as written in the file. */
  readonly at: string;
  /** The timer, in each profile's time zone. */
  readonly timer: Timer;
  /**
   * How to handle a run that was missed while no service was running: make up for it once, or skip it after ten
   * minutes.
   *
   * @default run
   */
  readonly missed: "run" | "skip";
  /** Path of the script, the folder of queries, or the file with schedules, pacing, goals or rules. */
  readonly file?: string | undefined;
  /** Path of the CSV file whose rows are passed to a script. */
  readonly data?: string | undefined;
  /** Seconds after which a script is ended. @default 300 */
  readonly timeout?: number | undefined;
  /** Maximum memory of a script in megabytes. @default 256 */
  readonly memory?: number | undefined;
}

/**
 * Hours in which alerts below `urgent` are stored but not delivered, in local minutes; `from` may be later than `to`.
 */
export interface QuietHours {
  /** Start, in minutes since midnight. */
  readonly from: number;
  /** End, exclusive, in minutes since midnight. */
  readonly to: number;
}

/** Profiles, timers and quiet hours of a service. */
export interface ServiceFile {
  /** Path of the file that was read. */
  readonly source: string;
  /** Country codes or profile ids; `all` for every profile of the login. */
  readonly profiles: "all" | readonly string[];
  /** Path or address of the store; absent if the settings define it. */
  readonly store?: string | undefined;
  /** Address or ARN of the queue of the hourly stream; absent if the settings define it. */
  readonly queue?: string | undefined;
  /**
   * Number of jobs that this service, like a worker, runs simultaneously from the queue of a PostgreSQL store.
   *
   * @default 0
   */
  readonly jobs: number;
  /** Reports that `sync` stores. @default those of a sync */
  readonly reports?: readonly string[] | undefined;
  /** Reporting API that `sync` uses. @default 3 */
  readonly reporting?: ReportingApi | undefined;
  /** True if `sync` also stores the last 14 days by hour. */
  readonly hours: boolean;
  /** True if `sync` also stores whole months by campaign. */
  readonly months: boolean;
  /** Folder of the clean-room queries whose results are stored together with `sync`. @default none */
  readonly workflows?: string | undefined;
  /** Id or name of the clean room that runs them. @default the only one */
  readonly room?: string | undefined;
  /** Reports with their own APIs that are stored together with `sync`. @default none */
  readonly jobReports?: readonly string[] | undefined;
  /** Ids of DSP advertisers, by the country code or id of the profile that requests their reports. */
  readonly advertisers?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Timers, in the order in which work that is due at the same time is started. */
  readonly timers: readonly ServiceTimer[];
  /** Hours without alerts. */
  readonly quietHours?: QuietHours | undefined;
}

/** Ids of the DSP advertisers whose reports a profile requests. */
export function advertisersOf(
  { advertisers = {} }: Pick<ServiceFile, "advertisers">,
  profile: MarketProfile,
): string[] {
  return [
    ...new Set(
      Object.entries(advertisers).flatMap(([market, ids]) => isMarketOf(profile, market) ? ids : []),
    ),
  ];
}

/** Markets with DSP advertisers that none of the profiles belongs to, so that nothing requests their reports. */
export function strayMarkets(
  { advertisers = {} }: Pick<ServiceFile, "advertisers">,
  profiles: readonly MarketProfile[],
): string[] {
  return Object.keys(advertisers).filter((market) => !profiles.some((one) => isMarketOf(one, market)));
}

interface MarketProfile {
  readonly profileId: string;
  readonly countryCode: string;
}

export function isMarketOf({ profileId, countryCode }: MarketProfile, market: string): boolean {
  return [profileId, normalizeCountry(countryCode)].includes(marketKey(market));
}

/** True if the given minute of the local day is in the quiet hours, which may span midnight. */
export function isQuiet({ from, to }: QuietHours, minute: number): boolean {
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}
