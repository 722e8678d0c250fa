import assert from "node:assert/strict";
import { test } from "node:test";
import { storedLiveIds } from "../../../src/store/sync/sync_entities.ts";
import type { DriverQuery, StoreDriver } from "../../../src/store/model/store_driver.ts";
import { ShrinkError } from "../../../src/store/model/store_error.ts";
import type { ScopeRequest } from "../../support/fake_scope.ts";
import { EntityWorld } from "./entity_world.ts";

/** Ids that each request for campaigns named. */
function named(requests: readonly ScopeRequest[]): unknown[] {
  return requests.map(({ json }) =>
    (json as { campaignIdFilter?: { include: unknown } }).campaignIdFilter?.include
  );
}

test("a list is stored as it comes, and a second one counts what is new, changed and gone", async () => {
  await using world = await EntityWorld.open();
  world.campaigns = [1, 2, 3].map((id) => ({ campaignId: String(id), state: "ENABLED", budget: 5 }));
  const { profileId, countryCode, ...first } = await world.sync({ source: "list" });
  assert.deepEqual([profileId, countryCode], ["1", "US"]);
  assert.deepEqual(first, {
    kind: "sb.campaigns",
    state: "stored",
    source: "list",
    why: "as asked",
    ...{ entities: 3, added: 3, changed: 0, removed: 0 },
  });
  world.campaigns = [world.campaigns[0]!, { ...world.campaigns[1]!, budget: 6 }, { campaignId: "4" }];
  const { entities, added, changed, removed } = await world.sync({ source: "list" });
  assert.deepEqual([entities, added, changed, removed], [3, 1, 1, 1]);
});

test("a stored entity that slipped away between the pages of a list is read by its id, one that was archived is not", async () => {
  await using world = await EntityWorld.open(12);
  world.change(3, 3, { state: "ARCHIVED" });
  await world.sync({ source: "list" });
  assert.deepEqual(named(world.asked()), [undefined], "nothing was missing");
  for (const id of ["2", "3", "4"]) world.unlisted.add(id);
  world.campaigns = world.campaigns.filter(({ campaignId }) => campaignId !== "4");
  const { entities, removed } = await world.sync({ source: "list" });
  assert.deepEqual(named(world.asked()), [undefined, ["2", "4"]]);
  assert.deepEqual([entities, removed], [10, 2], "the archived one and the one that is gone");
});

test("a list that lacks more than half of what is stored, and five entities, is held back, an empty one always", async () => {
  await using world = await EntityWorld.open(10);
  const { campaigns } = world;
  const cases = [[5, 1, "stored"], [9, 4, "held"], [10, 5, "stored"], [10, 4, "held"], [
    1,
    0,
    "held",
  ]] as const;
  for (const [stored, listed, state] of cases) {
    world.campaigns = campaigns.slice(0, stored);
    await world.sync({ source: "list", acceptShrink: true });
    world.campaigns = campaigns.slice(0, listed);
    const { error, ...held } = await world.sync({ source: "list" });
    assert.equal(held.state, state, `${listed} of ${stored}`);
    if (state === "stored") continue;
    assert(error instanceof ShrinkError);
    assert.deepEqual(error.days, []);
    assert.match(
      error.message,
      /^Held back: the platform lists \d Brands campaigns, and \d+ are stored\. .*with the option acceptShrink$/,
    );
    assert.deepEqual([held.entities, held.added, held.changed, held.removed], [0, 0, 0, 0]);
    const accepted = await world.sync({ source: "list", acceptShrink: true });
    assert.deepEqual([accepted.state, accepted.entities], ["stored", listed]);
  }
});

/** A store with so many entities, which counts how often it is asked. */
class Ids implements Pick<StoreDriver, "query"> {
  asked = 0;
  readonly #ids: readonly string[];

  constructor(count: number) {
    this.#ids = Array.from({ length: count }, (_, index) => String(index).padStart(6, "0"));
  }

  query(sql: string, { params: [, , after] }: DriverQuery): ReturnType<StoreDriver["query"]> {
    this.asked++;
    const limit = Number(/LIMIT (\d+)$/.exec(sql)![1]);
    const rows = this.#ids.filter((id) => id > String(after)).slice(0, limit).map((id) => ({ id }));
    return Promise.resolve({ columns: ["id"], rows, truncated: false });
  }
}

test("the ids of stored entities come some thousands at a time, each once", async () => {
  for (const count of [0, 1, 5000, 12_000]) {
    const driver = new Ids(count);
    const parts = { driver: driver as unknown as StoreDriver, profileId: "1", kind: "sp.keywords" } as const;
    const found = (await Array.fromAsync(storedLiveIds(parts))).flat();
    assert.equal(found.length, count);
    assert.equal(new Set(found).size, count);
    assert.equal(driver.asked, Math.floor(count / 5000) + 1);
  }
});
