import assert from "node:assert/strict";
import { test } from "node:test";
import { PROFILE_KINDS } from "../../mod.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { emulated } from "../support/emulated.ts";
import { plain } from "./contract/ground.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

test("sync() stores every kind of entity of the account, and what was changed since", async () => {
  await using world = await emulated();
  const { us, time } = world;
  const folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: time.now });
  try {
    const first = await store.sync(us, { entities: "only" });
    assert(first.ok, first.summary());
    assert.deepEqual(first.entities.map(({ kind }) => kind).sort(), [...PROFILE_KINDS].sort());
    const keywords = await us.sp.keywords.list({ states: null });
    const count = async (view: string): Promise<unknown> =>
      (await store.query(`SELECT count(*) AS n FROM ${view}`)).rows[0]?.["n"];
    assert.equal(await count("sp_keywords"), keywords.length);
    assert.equal(await count("sd_targets"), (await us.sd.targets.list({ states: null })).length);
    for (const { kind, entities } of first.entities) {
      const listed = await us.resource(kind).list({ states: null });
      assert.equal(entities, listed.length, kind);
    }

    time.advance(3600);
    const again = await store.sync(us, { entities: "only" });
    const moved = again.entities.filter(({ added, changed, removed }) => added + changed + removed > 0);
    assert.deepEqual(moved, [], "nothing changed in an hour in which nobody did anything");

    const chosen = keywords.find(({ bid, state }) => state === "ENABLED" && bid !== undefined)!;
    await us.sp.keywords.update([{ keywordId: chosen.keywordId, bid: 1.23 }]);
    time.advance(3600);
    await store.sync(us, { entities: "only" });
    const { rows } = await store.query(
      'SELECT bid, known_to IS NULL AS now FROM sp_keywords_history WHERE "keywordId" = ? ORDER BY known_from',
      [chosen.keywordId],
    );
    assert.deepEqual(plain(rows), [{ bid: chosen.bid, now: 0 }, { bid: 1.23, now: 1 }]);
  } finally {
    await store.close();
    await folder.remove();
  }
});

test("sync() keeps what is stored of a kind that cannot be read, and says so", async () => {
  let refuse: number | undefined;
  await using world = await emulated({
    client: {
      fetch: (input, init) => {
        const { pathname } = new URL(String(input));
        return refuse !== undefined && pathname.endsWith("/sp/keywords/list")
          ? Promise.resolve(new Response('{"message":"no"}', { status: refuse }))
          : fetch(input, init);
      },
    },
  });
  const folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  try {
    await store.sync(world.us, { entities: "only" });
    const stateOf = async (status: number): Promise<[boolean, unknown]> => {
      refuse = status;
      const result = await store.sync(world.us, { entities: "only" });
      return [result.ok, result.entities.find(({ kind }) => kind === "sp.keywords")?.state];
    };
    assert.deepEqual(await stateOf(403), [true, "unavailable"]);
    assert.deepEqual(await stateOf(400), [false, "failed"]);
    const { rows } = await store.query("SELECT count(*) AS n FROM sp_keywords");
    assert(Number(rows[0]?.["n"]) > 100, "they stay as they were");
  } finally {
    await store.close();
    await folder.remove();
  }
});
