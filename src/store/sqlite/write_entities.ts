import type { DatabaseSync } from "node:sqlite";
import type { EntityChanges, EntityPull, StoredEntity } from "../model/entity_pull.ts";
import { beginEntityPull, endEntityPull } from "../tables/account_tables.ts";
import type { StoreSql } from "../tables/store_sql.ts";

export async function writeEntities(
  { sql, database }: { readonly sql: StoreSql; readonly database: DatabaseSync },
  pull: EntityPull,
  { entities, gone }: { entities: Iterable<StoredEntity>; gone: readonly string[] | undefined },
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
  // In the database, since there may be any number of them: with `gone` the ids that end, otherwise those that stay.
  database.exec(
    "CREATE TEMP TABLE IF NOT EXISTS listed (id TEXT PRIMARY KEY) WITHOUT ROWID; DELETE FROM listed",
  );
  const list = database.prepare("INSERT OR IGNORE INTO temp.listed VALUES (?)");
  const unlist = database.prepare("DELETE FROM temp.listed WHERE id = ?");
  for (const id of gone ?? []) list.run(id);
  const put = database.prepare(
    `INSERT INTO entities (kind, profile_id, id, keyword_text, data, known_from) VALUES (?, ?, ?, ?, ?, ${known})
     ON CONFLICT (kind, profile_id, id) DO UPDATE SET keyword_text = excluded.keyword_text, data = excluded.data,
       known_from = excluded.known_from WHERE data <> excluded.data`,
  );
  let written = 0;
  for (const { id, keywordText, data } of entities) {
    if (gone !== undefined) unlist.run(id);
    else if (before > 0) list.run(id);
    written += Number(put.run(...own, id, keywordText, data).changes);
  }
  const added = count() - before;
  const ended = `kind = ? AND profile_id = ? AND id ${
    gone === undefined ? "NOT IN" : "IN"
  } (SELECT id FROM temp.listed)`;
  let removed = 0;
  if (before > 0) {
    database.prepare(
      `INSERT OR REPLACE INTO entities_history (kind, profile_id, id, keyword_text, data, known_from, known_to)
       SELECT kind, profile_id, id, keyword_text, data, known_from, ${known} FROM entities
       WHERE ${ended}`,
    ).run(...own);
    removed = Number(database.prepare(`DELETE FROM entities WHERE ${ended}`).run(...own).changes);
  }
  database.exec("DELETE FROM temp.listed");
  const total = before + added - removed;
  await endEntityPull(sql, pull, { known, total });
  return { entities: total, added, changed: written - added, removed };
}
