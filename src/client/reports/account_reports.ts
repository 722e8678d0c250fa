import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { FieldsReport, FieldsRow, FieldsRunOptions, ReportFieldName } from "./fields_report.ts";
import type { Reports } from "./reports.ts";

const ACCOUNT = "advertiserAccount.id";

/** A report of free fields across several profiles of a login. */
export interface AccountsReport<Field extends string = string> extends Omit<FieldsReport<Field>, "profiles"> {
  /** Country codes or ids of the profiles, in any region. @default every profile of the login */
  readonly profiles?: readonly string[] | undefined;
}

type ReportedProfile = ProfileScope & { readonly baseUrl: string; readonly reports: Reports };

/**
 * New reports across several profiles of a login. Requests one report per region; all of them are requested before
 * waiting for any.
 *
 * @example
 * ```ts
 * import type { PlatformAds } from "@platform/ads";
 *
 * async function costs(ads: PlatformAds): Promise<void> {
 *   const rows = await ads.reports.run({
 *     fields: ["campaign.country", "metric.totalCost"],
 *     start: "2026-11-01",
 *     end: "2026-11-14",
 *     profiles: ["US", "CA"],
 *     currency: "USD",
 *   });
 *   for (const row of rows) console.log(row["campaign.country"], row["metric.totalCostConverted"]);
 * }
 * ```
 */
export class AccountReports {
  readonly #source: {
    profiles(
      names: readonly string[] | undefined,
      signal: AbortSignal | undefined,
    ): Promise<readonly ReportedProfile[]>;
  };

  /** Connects reports to the profiles of a login; created by `PlatformAds`. */
  constructor(
    source: {
      /**
       * Resolves country codes and profile ids to distinct profiles; without any, returns all profiles of the login.
       */
      profiles(
        names: readonly string[] | undefined,
        signal: AbortSignal | undefined,
      ): Promise<readonly (ProfileScope & { readonly baseUrl: string; readonly reports: Reports })[]>;
    },
  ) {
    this.#source = source;
  }

  /**
   * Requests a report of free fields, waits for it and returns its rows. With several profiles, each row has
   * `advertiserAccount.id`.
   *
   * @throws {TypeError} or `RangeError` for an invalid request, {@linkcode ConfigurationError} for profiles that the
   * login cannot access.
   */
  async run<const Field extends ReportFieldName>(
    report: AccountsReport<Field>,
    options?: FieldsRunOptions,
  ): Promise<FieldsRow<Field | "advertiserAccount.id">[]> {
    return await Array.fromAsync(this.stream(report, options));
  }

  /** Like `run`, but yields rows in bounded memory. */
  async *stream<const Field extends ReportFieldName>(
    report: AccountsReport<Field>,
    options: FieldsRunOptions = {},
  ): AsyncGenerator<FieldsRow<Field | "advertiserAccount.id">> {
    const profiles = await this.#source.profiles(report.profiles, options.signal);
    if (profiles.length === 0) throw new TypeError("Cannot run a report of no profiles: name at least one");
    const stop = new AbortController();
    const told = new Set<string>();
    const running: FieldsRunOptions = {
      ...options,
      signal: AbortSignal.any([stop.signal, ...options.signal === undefined ? [] : [options.signal]]),
      onWarning: (message) => {
        if (!told.has(message)) options.onWarning?.(message);
        told.add(message);
      },
    };
    const fields = profiles.length === 1 ? report.fields : withAccount(report.fields);
    const kept = report.wholeAccount ? await onePerAccount(profiles, options.signal) : profiles;
    const reads = [...Map.groupBy(kept, ({ baseUrl }) => baseUrl).values()].map((group) => {
      const ids = group.map(({ profileId }) => profileId);
      const rows = group[0]!.reports.stream({ ...report, fields, profiles: ids }, running);
      const begun = rows.next();
      // It is awaited when its turn comes.
      begun.catch(() => {});
      return { rows, begun };
    });
    try {
      for (const { rows, begun } of reads) {
        const first = await begun;
        if (!first.done) yield first.value;
        yield* rows;
      }
    } finally {
      stop.abort();
      await Promise.allSettled(reads.map(({ rows }) => rows.return(undefined)));
    }
  }
}

export function withAccount<Field extends string>(
  fields: readonly Field[],
): readonly (Field | typeof ACCOUNT)[] {
  // What is no list is refused by the report.
  return !Array.isArray(fields) || fields.includes(ACCOUNT) ? fields : [...fields, ACCOUNT];
}

async function onePerAccount(
  profiles: readonly ReportedProfile[],
  signal: AbortSignal | undefined,
): Promise<ReportedProfile[]> {
  const { advertiserAccounts } = await import("../../platform/transport/advertiser_accounts.ts");
  const kept = new Map<string | undefined, ReportedProfile>();
  for (const profile of profiles) {
    const [account] = await advertiserAccounts(profile, [profile.profileId], signal);
    if (!kept.has(account?.id)) kept.set(account?.id, profile);
  }
  return [...kept.values()];
}
