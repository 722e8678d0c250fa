import { driftCounts, type DriftEntry } from "../../account/diff/drift_entry.ts";
import { PostgresDriver } from "../../store/postgres/postgres_driver.ts";
import { storeError } from "../../store/postgres/postgres_error.ts";
import type { Sql } from "../../store/tables/postgres_sql.ts";
import type { StoredProfile } from "../../store/model/store_driver.ts";

/** Result of a worker's check for changes in a profile. */
export interface DriftRun extends StoredProfile {
  /** Time of the check, ISO 8601. */
  readonly ranAt: string;
  /** Start of the compared period, ISO 8601. */
  readonly since: string;
  /** Changes, oldest first. */
  readonly entries: readonly DriftEntry[];
  /** True if every change was made by a plan. */
  readonly isOurs: boolean;
}

/**
 * Reads the results of the workers' last drift checks, one for each profile.
 *
 * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
 * @throws {ConfigurationError} or {@linkcode StoreError} when the database cannot be used.
 *
 * @example
 * ```ts
 * import { lastDrift } from "@platform/ads/worker";
 *
 * async function alarm(address: string): Promise<void> {
 *   for (const { countryCode, isOurs, entries } of await lastDrift(address)) {
 *     if (!isOurs) console.log(countryCode, entries.filter(({ by }) => by === "other").length, "changes by others");
 *   }
 * }
 * ```
 */
export async function lastDrift(
  address: string,
  options: {
    /** Only these profiles. @default all */ readonly profileIds?: readonly string[] | undefined;
  } = {},
): Promise<DriftRun[]> {
  const driver = await PostgresDriver.open(address);
  try {
    return await lastRuns(driver.database.sql, options.profileIds);
  } catch (error) {
    throw storeError(error, driver.location);
  } finally {
    await driver.close();
  }
}

export async function lastRuns(sql: Sql, profileIds?: readonly string[]): Promise<DriftRun[]> {
  const rows = await sql`
    SELECT DISTINCT ON (profile_id) profile_id, country_code, ran_at, since, entries FROM drift_runs
    WHERE ${profileIds === undefined} OR profile_id = ANY (string_to_array(${
    profileIds?.join(",") ?? ""
  }, ','))
    ORDER BY profile_id, ran_at DESC`;
  return rows.map((row) => {
    const entries: DriftEntry[] = JSON.parse(String(row["entries"]));
    return {
      profileId: String(row["profile_id"]),
      countryCode: String(row["country_code"]),
      ranAt: String(row["ran_at"]),
      since: String(row["since"]),
      entries,
      isOurs: entries.every(({ by }) => by === "plan"),
    };
  });
}

export async function putRun(sql: Sql, run: DriftRun): Promise<void> {
  const { profileId, countryCode, ranAt, since, entries } = run;
  const { plan, platform, other } = driftCounts(entries);
  await sql`
    INSERT INTO drift_runs (profile_id, country_code, ran_at, since, by_plan, by_platform, by_other, entries)
    VALUES (
      ${profileId}, ${countryCode}, ${ranAt}::timestamptz, ${since}::timestamptz, ${plan}, ${platform}, ${other},
      ${JSON.stringify(entries)}::json
    ) ON CONFLICT DO NOTHING`;
  await sql`
    DELETE FROM drift_runs WHERE profile_id = ${profileId} AND ran_at < ${ranAt}::timestamptz - interval '90 days'`;
}
