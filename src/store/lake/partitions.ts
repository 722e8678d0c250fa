import { normalizeCountry } from "../../base/markets/markets.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { StoredProfile } from "../model/store_driver.ts";
import { StoreError } from "../model/store_error.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { LakeTable } from "./lake_tables.ts";

/** Columns that are folders of a file: a profile with its country, a clean room, or a DSP advertiser. */
export interface LakeOwner {
  readonly country_code?: string;
  readonly profile_id?: string;
  readonly instance_id?: string;
  readonly advertiser_id?: string;
}

export function ownerId({ profile_id, instance_id, advertiser_id }: LakeOwner): string {
  return profile_id ?? instance_id ?? advertiser_id ?? "";
}

/** Folder that readers take for an empty value. */
const NONE = "__HIVE_DEFAULT_PARTITION__";

export function ownerFolders({ country_code, profile_id, instance_id, advertiser_id }: LakeOwner): string[] {
  return Object.entries({ country_code, profile_id, instance_id, advertiser_id }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value === "" ? NONE : encodeURIComponent(value)}`]
  );
}

export interface LakePartition {
  readonly owner: LakeOwner;
  readonly month: string | null;
  readonly source: string;
}

export interface ProfileSources extends StoredProfile {
  readonly pulls: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly entities: ReadonlyMap<string, string>;
}

const PULLS =
  "SELECT report, substr(CAST(date AS text), 1, 7) AS month, CAST(pull_id AS text) AS pull, count(*) AS days, " +
  "sum(rows) AS n, CAST(max(pulled_at) AS text) AS at FROM days WHERE profile_id = ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";
const ENTITIES =
  "SELECT kind, count(*) AS n, max(known_from) AS newest, 0 AS ended FROM entities WHERE profile_id = ? GROUP BY kind " +
  "UNION ALL SELECT kind, count(*) AS n, 0 AS newest, max(known_to) AS ended FROM entities_history " +
  "WHERE profile_id = ? GROUP BY kind ORDER BY 1, 3, 4";

/** @throws {StoreError} when nothing is stored for the market. */
export async function profilesOf(store: Warehouse, market: string | undefined): Promise<StoredProfile[]> {
  const profiles = await store.profiles();
  if (market === undefined) return profiles;
  const found = profiles.filter(
    /^\d+$/.test(market)
      ? ({ profileId }) => profileId === market
      : ({ countryCode }) => countryCode === normalizeCountry(market),
  );
  if (found.length > 0) return found;
  const stored = [...new Set(profiles.map(({ countryCode }) => countryCode))].sort().join(", ");
  throw new StoreError(
    `Cannot choose ${market}: nothing is stored of ${market}${
      stored === "" ? "" : `, only of ${stored}`
    }. Fetch it with sync()`,
  );
}

export async function profileSources(store: Warehouse, profile: StoredProfile): Promise<ProfileSources> {
  const { profileId } = profile;
  const all = { maxRows: Infinity };
  const [days, kinds] = [
    await store.query(PULLS, [profileId], all),
    await store.query(ENTITIES, [profileId, profileId], all),
  ];
  const pulls = new Map<string, Map<string, string>>();
  for (const { report, month, pull, days: count, n, at } of days.rows) {
    const months = pulls.get(String(report)) ?? new Map<string, string>();
    pulls.set(String(report), months);
    months.set(String(month), `${months.get(String(month)) ?? ""}${pull}:${count}:${n}:${at};`);
  }
  const entities = new Map<string, string>();
  for (const { kind, n, newest, ended } of kinds.rows) {
    entities.set(String(kind), `${entities.get(String(kind)) ?? ""}${n}:${newest}:${ended};`);
  }
  return { ...profile, pulls, entities };
}

export function partitionsOf(
  { columns, day, reports, kinds }: LakeTable,
  { profileId, countryCode, pulls, entities }: ProfileSources,
): LakePartition[] {
  const shape = JSON.stringify(columns);
  const versions = kinds.map((kind) => `${kind}=${entities.get(kind) ?? ""}`);
  const made = (month: string | null, parts: readonly string[]): LakePartition => ({
    owner: { country_code: countryCode, profile_id: profileId },
    month,
    source: sha256([shape, ...versions, ...parts].join("\n")).slice(0, 32),
  });
  if (day === undefined) {
    return kinds.some((kind) => entities.has(kind)) ? [made(null, [])] : [];
  }
  const months = new Set(reports.flatMap((report) => [...pulls.get(report)?.keys() ?? []]));
  return [...months].sort().map((month) =>
    made(month, reports.map((report) => `${report}=${pulls.get(report)?.get(month) ?? ""}`))
  );
}
