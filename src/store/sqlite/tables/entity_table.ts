import type { DatabaseSync } from "node:sqlite";
import {
  type EntityChanges,
  type EntityPull,
  refuseOvertaken,
  type StoredEntity,
} from "../../entities/entity_pull.ts";
import type { Maturity } from "../../history/maturity_share.ts";

/**
 * Brings the entities of a kind to what was read: all of them, or with `gone` those that changed. The table's trigger
 * keeps the version that an update replaces.
 */
export function writeEntities(
  database: DatabaseSync,
  pull: EntityPull,
  { entities, gone }: { entities: readonly StoredEntity[]; gone: readonly string[] | undefined },
): EntityChanges {
  const { profileId, countryCode, kind, source } = pull;
  const last = database.prepare("SELECT pulled_at FROM entity_pulls WHERE profile_id = ? AND kind = ?")
    .get(profileId, kind)?.["pulled_at"];
  refuseOvertaken(pull, typeof last === "string" ? last : undefined);
  const now = Date.parse(pull.pulledAt);
  const known = typeof last === "string" ? Math.max(now, Date.parse(last) + 1) : now;
  const own = [kind, profileId] as const;
  const count = (): number =>
    Number(
      database.prepare("SELECT count(*) AS n FROM entities WHERE kind = ? AND profile_id = ?").get(...own)
        ?.["n"],
    );
  const before = count();
  const ended = new Set(
    gone ?? database.prepare("SELECT id FROM entities WHERE kind = ? AND profile_id = ?").all(...own)
      .map((row) => String(row["id"])),
  );
  const put = database.prepare(
    `INSERT INTO entities (kind, profile_id, id, keyword_text, data, known_from) VALUES (?, ?, ?, ?, ?, ${known})
     ON CONFLICT (kind, profile_id, id) DO UPDATE SET keyword_text = excluded.keyword_text, data = excluded.data,
       known_from = excluded.known_from WHERE data <> excluded.data`,
  );
  let written = 0;
  for (const { id, keywordText, data } of entities) {
    ended.delete(id);
    written += Number(put.run(...own, id, keywordText, data).changes);
  }
  const added = count() - before;
  const identity = "kind = ? AND profile_id = ? AND id = ?";
  const close = database.prepare(
    `INSERT OR REPLACE INTO entities_history (kind, profile_id, id, keyword_text, data, known_from, known_to)
     SELECT kind, profile_id, id, keyword_text, data, known_from, ${known} FROM entities WHERE ${identity}`,
  );
  const remove = database.prepare(`DELETE FROM entities WHERE ${identity}`);
  let removed = 0;
  for (const id of ended) {
    close.run(...own, id);
    removed += Number(remove.run(...own, id).changes);
  }
  const total = before + added - removed;
  const pulledAt = new Date(known).toISOString();
  database.prepare("INSERT OR REPLACE INTO profiles (profile_id, country_code) VALUES (?, ?)")
    .run(profileId, countryCode);
  database.prepare(
    `INSERT INTO entity_pulls (profile_id, kind, pulled_at, first_pulled_at, entities, source)
     VALUES (?1, ?2, ?3, ?3, ?4, ?5)
     ON CONFLICT (profile_id, kind) DO UPDATE SET pulled_at = excluded.pulled_at, entities = excluded.entities,
       source = excluded.source`,
  ).run(profileId, kind, pulledAt, total, source);
  return { entities: total, added, changed: written - added, removed };
}

/** Replaces what is known of the maturity of reports. */
export function writeMaturity(database: DatabaseSync, shares: readonly Maturity[], judgedAt: string): void {
  database.exec("DELETE FROM maturity");
  const insert = database.prepare(
    `INSERT INTO maturity (report, country_code, metric, age, share, days, judged_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { report, country_code: country, metric, age, share, days } of shares) {
    insert.run(report, country, metric, age, share, days, judgedAt);
  }
}
