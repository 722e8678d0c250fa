import { type EntitiesByKind, listedTargets, targetKinds } from "../../reports/fields/target_ids.ts";
import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { StoreDriver } from "../store_driver.ts";

/**
 * The stored keywords and targets of an ad product in a profile, by kind; those that the account lists where none were ever
 * stored.
 */
export async function storedTargets(
  driver: StoreDriver,
  scope: ProfileScope,
  { adProduct, signal }: { readonly adProduct: string; readonly signal?: AbortSignal | undefined },
): Promise<EntitiesByKind> {
  const kinds = targetKinds(adProduct);
  const places = kinds.map(() => "?").join(", ");
  const query = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await driver.query(sql, { params: [scope.profileId, ...kinds], maxRows: Infinity })).rows;
  const pulled = await query(`SELECT kind FROM entity_pulls WHERE profile_id = ? AND kind IN (${places})`);
  if (pulled.length === 0) return await listedTargets(scope, adProduct, signal);
  const rows = await query(
    `SELECT kind, CAST(data AS text) AS data FROM entities WHERE profile_id = ? AND kind IN (${places})`,
  );
  const found = new Map<string, Readonly<Record<string, unknown>>[]>();
  for (const { kind, data } of rows) {
    const list = found.get(String(kind)) ?? [];
    found.set(String(kind), list);
    list.push(JSON.parse(String(data)));
  }
  return found;
}
