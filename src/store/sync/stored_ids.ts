import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { StoreDriver } from "../model/store_driver.ts";

const AT_ONCE = 5000;

interface StoredKind {
  readonly driver: StoreDriver;
  readonly profileId: string;
  readonly kind: ResourceKind;
}

export async function* storedLiveIds({ driver, profileId, kind }: StoredKind): AsyncGenerator<string[]> {
  let after = "";
  for (;;) {
    const { rows } = await driver.query(
      `SELECT id FROM entities WHERE kind = ? AND profile_id = ? AND id > ?
         AND lower(CAST(data AS text)) NOT LIKE ? ORDER BY id LIMIT ${AT_ONCE}`,
      { params: [kind, profileId, after, '%"state":"archived"%'], maxRows: Infinity },
    );
    const ids = rows.map(({ id }) => String(id));
    yield ids;
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1)!;
  }
}

export async function storedCount({ driver, profileId, kind }: StoredKind): Promise<number> {
  const { rows } = await driver.query(
    "SELECT count(*) AS n FROM entities WHERE kind = ? AND profile_id = ?",
    {
      params: [kind, profileId],
      maxRows: 1,
    },
  );
  return Number(rows[0]?.["n"]);
}
