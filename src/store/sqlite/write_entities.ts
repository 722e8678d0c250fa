import type { DatabaseSync } from "node:sqlite";
import type { EntityChanges, EntityPull, StoredEntity } from "../model/entity_pull.ts";
import { beginEntityPull, endEntityPull } from "../tables/account_tables.ts";
import type { StoreSql } from "../tables/store_sql.ts";

/** Updates the entities of a kind: all, or with `gone` the changed ones. A trigger keeps replaced versions. */
export async function writeEntities(
  { sql, database }: { readonly sql: StoreSql; readonly database: DatabaseSync },
  pull: EntityPull,
  { entities, gone }: { entities: readonly StoredEntity[]; gone: readonly string[] | undefined },
): Promise<EntityChanges> {
  const { profileId, kind } = pull;
  const known = await beginEntityPull(sql, pull);
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
  await endEntityPull(sql, pull, { known, total });
  return { entities: total, added, changed: written - added, removed };
}
