import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("profiles of several regions are changed in one call, each verdict at its own index", async () => {
  await using world = await emulated();
  const profiles = await world.ads.profiles();
  const sellers = profiles.filter(({ accountInfo }) => accountInfo.type === "seller");
  const vendor = profiles.find(({ accountInfo }) => accountInfo.type === "vendor")!;
  const regions = new Set(sellers.map(({ region }) => region));
  equal(regions.size, 3);
  const ids = [...sellers.map(({ profileId }) => profileId), "123", vendor.profileId];
  world.asked();
  const result = await world.ads.updateProfiles(ids.map((profileId) => ({ profileId, dailyBudget: 700 })));
  deepEqual(result.ids, sellers.map(({ profileId }) => profileId));
  deepEqual(result.errors.map(({ index, code, outcome }) => [index, code, outcome]), [
    [sellers.length, "NOT_FOUND", "not_sent"],
    [sellers.length + 1, "INVALID_ARGUMENT", "refused"],
  ]);
  deepEqual(world.asked(), Array(3).fill("PUT /v2/profiles"));
  const now = await world.ads.profiles();
  for (const { profileId, dailyBudget } of now.filter(({ accountInfo }) => accountInfo.type === "seller")) {
    equal(dailyBudget, 700, profileId);
  }
});

Deno.test("one region's refusal does not hide what was done in the others", async () => {
  await using world = await emulated();
  const sellers = (await world.ads.profiles()).filter(({ accountInfo }) => accountInfo.type === "seller");
  const match = { operation: "profiles:updateProfiles", region: "EU" } as const;
  world.emulator.setFaults([{
    match,
    effects: { response: { status: 403, body: { code: "403", details: "No" } } },
  }]);
  const updates = sellers.map(({ profileId }) => ({ profileId, dailyBudget: 800 }));
  const result = await world.ads.updateProfiles(updates);
  const european = sellers.findIndex(({ region }) => region === "EU");
  deepEqual(result.errors.map(({ index, outcome }) => [index, outcome]), [[european, "not_sent"]]);
  equal(result.successes.length, sellers.length - 1);
  await rejects(world.ads.updateProfiles([updates[european]!]), /responded with 403/);
});

Deno.test("what is no change of a profile is refused, and nothing is sent", async () => {
  await using world = await emulated();
  const { profileId } = world.us;
  await world.ads.profiles();
  world.asked();
  await rejects(
    world.ads.updateProfiles([{ profileId: "US", dailyBudget: 1 }]),
    /Cannot use "US" as a profile id/,
  );
  await rejects(
    world.ads.updateProfiles([{ profileId, dailyBudget: NaN }]),
    /its dailyBudget is not a number/,
  );
  await rejects(world.ads.profileById("../1"), /as a profile id/);
  deepEqual(world.asked(), []);
  equal((await world.ads.updateProfiles([])).summary(), "0 succeeded, 0 failed");
});

Deno.test("a profile of a region that could not be asked is not called unknown without saying so", async () => {
  await using world = await emulated();
  const [european] = (await world.ads.profiles()).filter(({ region }) => region === "EU");
  const { profileId } = european!;
  world.emulator.setFaults([{
    match: { operation: "profiles:listProfiles", region: "EU" },
    effects: { response: { status: 403, body: { code: "403", details: "Not today" } } },
  }]);
  await world.ads.profiles({ refresh: true });
  const told = /These regions could not be asked: EU \(.*Not today/;
  await rejects(world.ads.profileById(profileId), told);
  await rejects(world.ads.profile(profileId), told);
  const [error] = (await world.ads.updateProfiles([{ profileId, dailyBudget: 5 }])).errors;
  match(error!.message, told);
});

Deno.test("a profile is read anew, past the list that is kept", async () => {
  await using world = await emulated();
  const { profileId } = world.us;
  world.emulator.state.profile(profileId)!.updateRecord({ dailyBudget: 321 });
  equal((await world.ads.profileById(profileId)).dailyBudget, 321);
  equal((await world.ads.profiles()).find((one) => one.profileId === profileId)!.dailyBudget, 999_999_999);
});
