import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntityOutcome } from "../../../src/store/model/entity_pull.ts";
import { EntityWorld, rowOf } from "../entities/entity_world.ts";

function counts({ entities, added, changed, removed }: EntityOutcome): number[] {
  return [entities, added, changed, removed];
}

/** What the requests for campaigns were: lists, reads by so many ids, and exports. */
function requests(world: EntityWorld): string[] {
  return world.asked().flatMap(({ path, json }) => {
    if (path.endsWith("/export")) return ["export"];
    if (!path.endsWith("/list")) return [];
    const wanted = (json as { campaignIdFilter?: { include: string[] } }).campaignIdFilter;
    return [wanted === undefined ? "list" : `read ${wanted.include.length}`];
  });
}

test("an export of which nothing changed reads nothing by its id, and one of a kind never stored lists it", async () => {
  await using world = await EntityWorld.open(30);
  const outcomes = await world.syncAll();
  const { profileId: _, countryCode: __, ...quiet } = outcomes.find(({ kind }) => kind === "sb.campaigns")!;
  assert.deepEqual(quiet, {
    kind: "sb.campaigns",
    state: "stored",
    source: "export",
    why: "as asked: 30 rows, 0 read by their ids",
    ...{ entities: 30, added: 0, changed: 0, removed: 0 },
  });
  assert.deepEqual(requests(world), ["export"]);
  const whyOf = (wanted: string): (string | number | undefined)[] => {
    const { state, source, why, entities, error } = outcomes.find(({ kind }) => kind === wanted)!;
    return [state, source, why, entities, error?.message];
  };
  const never = "nothing is stored yet to compare an export with";
  assert.deepEqual(whyOf("sp.campaigns"), ["unavailable", "list", never, 0, "Not yours"], "of the same file");
  assert.deepEqual(whyOf("sp.keywords"), ["unavailable", "list", never, 0, "Not yours"], "of another one");
  assert.deepEqual(whyOf("portfolios"), ["unavailable", "list", "it has no export", 0, "Not yours"]);
});

test("as many ids are read one by one as are worth it, changed and missing ones together; else all is listed", async () => {
  const cheaper = "the export differs in more than 10 of ";
  const cases: readonly [changed: number, missing: number, why: string, asked: string[]][] = [
    [10, 0, "as asked: 30 rows, 10 read by their ids", ["export", "read 10"]],
    [11, 0, `${cheaper}30 Brands campaigns: a list is cheaper`, ["export", "list"]],
    [0, 10, "as asked: 20 rows, 10 read by their ids", ["export", "read 10"]],
    [6, 4, "as asked: 26 rows, 10 read by their ids", ["export", "read 10"]],
    [6, 5, `${cheaper}25 Brands campaigns: a list is cheaper`, ["export", "list"]],
    [0, 15, `${cheaper}15 Brands campaigns: a list is cheaper`, ["export", "list"]],
  ];
  await using world = await EntityWorld.open(30);
  let budget = 5;
  for (const [changed, missing, why, asked] of cases) {
    budget++;
    world.change(1, changed, { budget });
    world.rows = () => world.campaigns.slice(0, 30 - missing).map(rowOf);
    world.now += 24 * 3600_000;
    const outcome = await world.sync();
    assert.equal(outcome.why, why);
    assert.deepEqual(counts(outcome), [30, 0, changed, 0], why);
    assert.deepEqual(requests(world), asked);
  }
  assert.deepEqual(world.warnings, []);
});

test("an export that lacks more than half of what is stored is not believed, and says so", async () => {
  await using world = await EntityWorld.open(30);
  world.rows = () => world.campaigns.slice(0, 14).map(rowOf);
  const outcome = await world.sync();
  const why = "the export lacks 16 of 30 Brands campaigns that are stored. A list takes its place";
  assert.deepEqual([outcome.source, outcome.why, ...counts(outcome)], ["list", why, 30, 0, 0, 0]);
  assert.deepEqual(world.warnings, [`US 1: ${why}`]);
  assert.deepEqual(requests(world), ["export", "list"]);
});

test("what an export lacks is gone when it is not found by its id either; what was archived stays", async () => {
  await using world = await EntityWorld.open(30);
  world.change(1, 1, { state: "ARCHIVED" });
  await world.sync();
  const { campaigns } = world;
  world.rows = () => campaigns.slice(3).map(rowOf);
  world.campaigns = campaigns.filter(({ campaignId }) => campaignId !== "2");
  world.now += 24 * 3600_000;
  world.asked();
  const outcome = await world.sync();
  assert.equal(outcome.why, "as asked: 27 rows, 1 read by their ids");
  assert.deepEqual([requests(world), counts(outcome)], [["export", "read 2"], [29, 0, 0, 1]]);
  const { rows } = await world.driver.query(
    "SELECT id FROM entities WHERE id IN ('1', '2', '3') ORDER BY id",
    {
      params: [],
      maxRows: 10,
    },
  );
  assert.deepEqual(rows.map(({ id }) => id), ["1", "3"]);
});

test("an id may come as a number, and rows of other products are passed over", async () => {
  await using world = await EntityWorld.open(3);
  world.campaigns.push({ campaignId: "4", state: "ENABLED" });
  world.rows = () => [
    ...world.campaigns.map((one) => ({ ...rowOf(one), campaignId: Number(one["campaignId"]) })),
    { campaignId: "5", adProduct: "SPONSORED_TV" },
  ];
  const outcome = await world.sync();
  assert.equal(outcome.why, "as asked: 4 rows, 1 read by their ids");
  assert.deepEqual(counts(outcome), [4, 1, 0, 0]);
});

test("a row that says nothing of the change is found by the moment of its update, by the platform's clock", async () => {
  const HOUR = 3600_000;
  const cases: readonly [ahead: number | undefined, updated: number, isFound: boolean][] = [
    [0, -2 * HOUR, true],
    [0, -2 * HOUR - 1, false],
    [HOUR, -3 * HOUR, true],
    [HOUR, -3 * HOUR - 1, false],
    // A clock that is behind looks back no less far, nor does one that cannot be compared.
    [-HOUR, -2 * HOUR, true],
    [undefined, -2 * HOUR, true],
    [undefined, -2 * HOUR - 1, false],
  ];
  await using world = await EntityWorld.open(3);
  let budget = 5;
  for (const [ahead, updated, isFound] of cases) {
    world.now += HOUR;
    await world.sync({ source: "list" });
    const pulled = world.now;
    const stored = world.campaigns;
    const rows = stored.map((one) => ({
      ...rowOf(one),
      lastUpdatedDateTime: new Date(pulled + updated).toISOString(),
    }));
    world.rows = () => rows;
    world.change(2, 2, { budget: ++budget });
    world.now += HOUR;
    world.looks = [{
      status: "COMPLETED",
      createdAt: ahead === undefined ? undefined : new Date(world.now - ahead).toISOString(),
    }];
    const outcome = await world.sync();
    assert.equal(outcome.source, "export");
    assert.equal(outcome.changed, isFound ? 1 : 0, `${ahead} ${updated}`);
  }
});
