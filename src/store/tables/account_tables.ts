import { type EntityPull, refuseOvertaken } from "../model/entity_pull.ts";
import type { Maturity } from "../model/maturity_share.ts";
import type { StoredProfile } from "../model/store_driver.ts";
import { byBytes, insertRows, type StoreSql } from "./store_sql.ts";

export async function putProfile(
  { run }: StoreSql,
  { profileId, countryCode }: StoredProfile,
): Promise<void> {
  await run(
    `INSERT INTO profiles (profile_id, country_code) VALUES (?, ?)
     ON CONFLICT (profile_id) DO UPDATE SET country_code = excluded.country_code`,
    [profileId, countryCode],
  );
}

export async function storedProfiles(sql: StoreSql): Promise<StoredProfile[]> {
  const rows = await sql.run(
    `SELECT profile_id, country_code FROM profiles ORDER BY country_code ${byBytes(sql)}, profile_id`,
  );
  return rows.map((row) => ({
    profileId: String(row["profile_id"]),
    countryCode: String(row["country_code"]),
  }));
}

/**
 * Returns the time of a new pull in epoch milliseconds, which is after the last pull of the kind.
 *
 * @throws {StoreError} when a newer reading is already stored.
 */
export async function beginEntityPull({ run }: StoreSql, pull: EntityPull): Promise<number> {
  const [row] = await run("SELECT pulled_at FROM entity_pulls WHERE profile_id = ? AND kind = ?", [
    pull.profileId,
    pull.kind,
  ]);
  const last = row === undefined ? undefined : String(row["pulled_at"]);
  refuseOvertaken(pull, last);
  const now = Date.parse(pull.pulledAt);
  return last === undefined ? now : Math.max(now, Date.parse(last) + 1);
}

export async function endEntityPull(
  sql: StoreSql,
  pull: EntityPull,
  { known, total }: { readonly known: number; readonly total: number },
): Promise<void> {
  await putProfile(sql, pull);
  const pulledAt = new Date(known).toISOString();
  await sql.run(
    `INSERT INTO entity_pulls (profile_id, kind, pulled_at, first_pulled_at, entities, source)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (profile_id, kind) DO UPDATE SET pulled_at = excluded.pulled_at, entities = excluded.entities,
       source = excluded.source`,
    [pull.profileId, pull.kind, pulledAt, pulledAt, total, pull.source],
  );
}

export async function writeMaturity(
  sql: StoreSql,
  shares: readonly Maturity[],
  judgedAt: string,
): Promise<void> {
  await sql.run("DELETE FROM maturity");
  await insertRows(
    sql,
    { into: "maturity (report, country_code, metric, age, share, days, judged_at)" },
    shares.map((
      { report, country_code: country, metric, age, share, days },
    ) => [report, country, metric, age, share, days, judgedAt]),
  );
}
