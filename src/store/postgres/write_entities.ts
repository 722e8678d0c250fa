import { groups } from "../../base/json/chunks.ts";
import type { EntityChanges, EntityPull, StoredEntity } from "../model/entity_pull.ts";
import { beginEntityPull, endEntityPull } from "../tables/account_tables.ts";
import type { Transaction } from "./database.ts";
import { storeSql } from "../tables/postgres_sql.ts";

const AT_ONCE = 5000;

export async function writeEntities(
  sql: Transaction,
  pull: EntityPull,
  { entities, gone }: { entities: Iterable<StoredEntity>; gone: readonly string[] | undefined },
): Promise<EntityChanges> {
  const { profileId, kind } = pull;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${profileId} ${kind}`}, 0))`;
  const known = await beginEntityPull(storeSql(sql), pull);
  await sql.text(
    'CREATE TEMPORARY TABLE fresh (id text COLLATE "C" PRIMARY KEY, keyword_text text, data json) ON COMMIT DROP',
  );
  for (const part of groups(entities, AT_ONCE)) {
    const list = part.map(({ id, keywordText, data }) => ({ id, keyword_text: keywordText, data }));
    await sql`
      INSERT INTO fresh SELECT id, keyword_text, data::json
      FROM json_to_recordset(${
      JSON.stringify(list)
    }::json) AS entity (id text, keyword_text text, data text)`;
  }
  await sql.text("ANALYZE fresh");
  const own = [kind, profileId];
  const [before] =
    await sql`SELECT count(*) AS n FROM entities WHERE kind = ${kind} AND profile_id = ${profileId}`;
  await sql.text('CREATE TEMPORARY TABLE touched (id text COLLATE "C", ended boolean) ON COMMIT DROP');
  const ended = gone === undefined
    ? "fresh.id IS NULL"
    : "stored.id IN (SELECT json_array_elements_text($3::json))";
  await sql.text(
    `INSERT INTO touched SELECT stored.id, ${ended}
     FROM entities AS stored LEFT JOIN fresh ON fresh.id = stored.id
     WHERE stored.kind = $1 AND stored.profile_id = $2 AND (${ended} OR fresh.data::text <> stored.data::text)`,
    gone === undefined ? own : [...own, JSON.stringify(gone)],
  );
  await sql.text("ANALYZE touched");
  const [counts] = await sql.text(
    "SELECT count(*) FILTER (WHERE ended) AS removed, count(*) FILTER (WHERE NOT ended) AS changed FROM touched",
  );
  const differs = "kind = $1 AND profile_id = $2 AND id IN (SELECT id FROM touched)";
  await sql.text(
    `INSERT INTO entities_history (kind, profile_id, id, keyword_text, data, known_from, known_to)
     SELECT kind, profile_id, id, keyword_text, data, known_from, ${known} FROM entities WHERE ${differs}`,
    own,
  );
  await sql.text(`DELETE FROM entities WHERE ${differs}`, own);
  await sql.text(
    `INSERT INTO entities (kind, profile_id, id, keyword_text, data, known_from)
     SELECT $1, $2, id, keyword_text, data, ${known} FROM fresh
     WHERE NOT EXISTS (SELECT 1 FROM entities WHERE kind = $1 AND profile_id = $2 AND entities.id = fresh.id)`,
    own,
  );
  const [after] =
    await sql`SELECT count(*) AS n FROM entities WHERE kind = ${kind} AND profile_id = ${profileId}`;
  const total = Number(after?.["n"]);
  await endEntityPull(storeSql(sql), pull, { known, total });
  const removed = Number(counts?.["removed"]);
  return {
    entities: total,
    added: total + removed - Number(before?.["n"]),
    changed: Number(counts?.["changed"]),
    removed,
  };
}
