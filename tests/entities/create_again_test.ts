import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { ThrottledError } from "../../mod.ts";
import type { NewAdGroup as NewSbAdGroup } from "../../src/client/entities/sb.ts";
import type { FaultRule } from "../../src/emulator/mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

const CREATE = "CreateSponsoredBrandsAdGroups";
const LIST = "ListSponsoredBrandsAdGroups";
const throttled = (acted: boolean): FaultRule["effects"] => ({
  response: { status: 429, retryAfter: 20, acted },
});

async function adGroupsOf(world: Emulated, count: number): Promise<NewSbAdGroup[]> {
  const [campaign] = await world.us.sb.campaigns.list();
  return [...Array(count).keys()].map((index) => ({
    campaignId: campaign!.campaignId,
    name: `made once ${index}`,
    state: "ENABLED",
  }));
}

/** How many entities of each name the platform has; names of this test only. */
function made({ emulator, us }: Emulated): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of emulator.state.profile(us.profileId)!.collection("sb.ad_groups").all()) {
    if (String(name).startsWith("made once")) {
      counts.set(String(name), (counts.get(String(name)) ?? 0) + 1);
    }
  }
  return counts;
}

Deno.test("an ad group whose create was throttled is looked for, then created after the pause", async () => {
  await using world = await emulated();
  const items = await adGroupsOf(world, 3);
  world.emulator.setFaults([{ match: { operation: CREATE }, times: 1, effects: throttled(false) }]);
  world.asked();
  const result = await world.us.sb.adGroups.create(items);
  equal(result.ok, true, result.summary());
  deepEqual([...made(world).values()], [1, 1, 1]);
  deepEqual(world.asked(), [
    "POST /sb/v4/adGroups",
    "POST /sb/v4/adGroups/list",
    "POST /sb/v4/adGroups",
  ]);
  deepEqual(world.time.slept.slice(0, 1), [20]);
});

Deno.test("an ad group that was created behind a 429 is not created again, and its verdict says so", async () => {
  await using world = await emulated();
  const items = await adGroupsOf(world, 12);
  world.emulator.setFaults([{ match: { operation: CREATE }, times: 1, effects: throttled(true) }]);
  const result = await world.us.sb.adGroups.create(items);
  deepEqual([...made(world).values()], items.map(() => 1));
  deepEqual(result.successes.map(({ index }) => index), [10, 11], "the second part was sent as usual");
  equal(result.errors.length, 10);
  for (const { outcome, message } of result.errors) {
    equal(outcome, "unknown");
    match(message, /there is one like it, \d+/);
  }
});

Deno.test("single ad groups that were throttled inside a batch are looked for too", async () => {
  await using world = await emulated();
  const items = await adGroupsOf(world, 4);
  world.emulator.setFaults([{
    match: { operation: CREATE },
    times: 1,
    effects: { itemErrors: { errorType: "throttledError", every: 2, acted: true } },
  }]);
  const result = await world.us.sb.adGroups.create(items);
  deepEqual([...made(world).values()], [1, 1, 1, 1]);
  deepEqual(result.errors.map(({ index, outcome }) => [index, outcome]), [[1, "unknown"], [3, "unknown"]]);
});

Deno.test("a create that stays throttled is refused in the end, and thrown when nothing was done", async () => {
  await using world = await emulated({ client: { retry: { maxAttempts: 3 } } });
  const items = await adGroupsOf(world, 2);
  world.emulator.setFaults([{ match: { operation: CREATE }, effects: throttled(false) }]);
  await rejects(world.us.sb.adGroups.create(items), ThrottledError);
  equal(world.emulator.requests().filter(({ operation }) => operation?.endsWith(CREATE)).length, 3);
  equal(made(world).size, 0);
});

Deno.test("where nobody can look, a throttled create is not sent again", async () => {
  await using world = await emulated({ client: { retry: { maxAttempts: 2 } } });
  const items = await adGroupsOf(world, 12);
  world.emulator.setFaults([
    { match: { operation: CREATE }, skip: 1, effects: throttled(true) },
    { match: { operation: LIST }, effects: { drop: "before" } },
  ]);
  const result = await world.us.sb.adGroups.create(items);
  deepEqual([...made(world).values()], items.map(() => 1));
  equal(result.successes.length, 10);
  equal(result.stoppedBy instanceof ThrottledError, true);
  deepEqual(result.errors.map(({ index, transient }) => [index, transient]), [[10, true], [11, true]]);
});
