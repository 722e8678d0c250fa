import assert from "node:assert/strict";
import type { Maturity } from "../../../src/store/model/maturity_share.ts";
import type { EntityPull, StoredEntity } from "../../../src/store/model/entity_pull.ts";
import { type AddTest, DE, plain, T0, US } from "./ground.ts";

const HOUR = 3600_000;

/** A keyword as it is laid out for a store. */
export function keyword(id: string, fields: Record<string, unknown> = {}): StoredEntity {
  const data = { adGroupId: "5", bid: 0.5, campaignId: "1", keywordId: id, keywordText: "Red Shoes" };
  return {
    id,
    data: JSON.stringify({ ...data, matchType: "EXACT", state: "ENABLED", ...fields }),
    keywordText: "red shoes",
  };
}

/** A pull of the keywords of the United States. */
export function pull(at: number, more: Partial<EntityPull> = {}): EntityPull {
  return { ...US, kind: "sp.keywords", pulledAt: new Date(at).toISOString(), source: "list", ...more };
}

/** Pulls of entities that bring what changed alone. */
export function entities(it: AddTest): void {
  it("a pull of what changed leaves all other entities as they are", async ({ driver, store }) => {
    await driver.replaceEntities(pull(T0), ["6", "7", "8"].map((id) => keyword(id)));
    await driver.replaceEntities(pull(T0, DE), [keyword("7")]);
    const changed = [keyword("7", { bid: 1 }), keyword("8"), keyword("9")];
    const exported = pull(T0 + HOUR, { source: "export" });
    const changes = await driver.replaceEntities(exported, changed, ["6", "404"]);
    assert.deepEqual(changes, { entities: 3, added: 1, changed: 1, removed: 1 });
    const nothing = await driver.replaceEntities(pull(T0 + 2 * HOUR, { source: "export" }), [], []);
    assert.deepEqual(nothing, { entities: 3, added: 0, changed: 0, removed: 0 });
    const { rows } = await store.query(
      `SELECT "keywordId" AS id, bid, known_to FROM sp_keywords_history WHERE country_code = 'US' ORDER BY 1, 2`,
    );
    const ended = new Date(T0 + HOUR).toISOString();
    assert.deepEqual(plain(rows), [
      { id: "6", bid: 0.5, known_to: ended },
      { id: "7", bid: 0.5, known_to: ended },
      { id: "7", bid: 1, known_to: null },
      { id: "8", bid: 0.5, known_to: null },
      { id: "9", bid: 0.5, known_to: null },
    ]);
    const pulls = await store.query(
      "SELECT entities, source FROM entity_pulls WHERE profile_id = ?",
      [US.profileId],
    );
    assert.deepEqual(plain(pulls.rows), [{ entities: 3, source: "export" }]);
    assert.equal((await store.query("SELECT * FROM sp_keywords WHERE country_code = 'DE'")).rows.length, 1);
  });

  it("versions of entities follow each other although the clock was set back", async ({ driver, store }) => {
    for (const [hours, bid] of [[0, 0.5], [-1, 1], [-2, 1.5]] as const) {
      await driver.replaceEntities(pull(T0 + hours * HOUR), [keyword("7", { bid })]);
    }
    const { rows } = await store.query(
      "SELECT bid, known_from, known_to FROM sp_keywords_history ORDER BY bid",
    );
    const [first, second, third] = [0, 1, 2].map((later) => new Date(T0 + later).toISOString());
    assert.deepEqual(plain(rows), [
      { bid: 0.5, known_from: first, known_to: second },
      { bid: 1, known_from: second, known_to: third },
      { bid: 1.5, known_from: third, known_to: null },
    ]);
  });

  it("replaceMaturity() keeps nothing of what was known of maturity before", async ({ driver, store }) => {
    const of = (country: string, share: number): Maturity => ({
      ...{ report: "sp_campaigns", country_code: country, metric: "sales", age: 1, share, days: 9 },
    });
    await driver.replaceMaturity([of("US", 0.5), of("DE", 0.6)], new Date(T0).toISOString());
    await driver.replaceMaturity([of("US", 0.75)], new Date(T0 + HOUR).toISOString());
    const { rows } = await store.query("SELECT country_code, metric, age, share, days FROM maturity");
    assert.deepEqual(plain(rows), [{ country_code: "US", metric: "sales", age: 1, share: 0.75, days: 9 }]);
  });

  it("of two that replace the maturity at once, one waits for the other", async ({ driver, store }) => {
    const of = (share: number): Maturity => ({
      ...{ report: "sp_campaigns", country_code: "US", metric: "sales", age: 1, share, days: 9 },
    });
    const shares = [0.5, 0.6, 0.7, 0.8];
    await Promise.all(shares.map((share) => driver.replaceMaturity([of(share)], new Date(T0).toISOString())));
    const { rows } = await store.query("SELECT share FROM maturity");
    assert.equal(rows.length, 1);
    assert(shares.includes(Number(rows[0]?.["share"])));
  });
}
