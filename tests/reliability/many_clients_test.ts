import { deepEqual, equal, ok } from "../support/assert.ts";
import { World } from "./support/world.ts";
import { longFile } from "../support/long.ts";

longFile();

const CLIENTS = 200;
const MARKETS = ["US", "CA", "MX", "UK", "JP", "AU"] as const;

Deno.test(`${CLIENTS} clients at once get their own answers, tokens and pauses`, async () => {
  await using world = await World.start({ journalLimit: 100_000 });
  const profiles = new Map(
    world.emulator.state.profiles().map((profile) => [profile.record.countryCode, profile] as const),
  );
  // A little of everything, so that the clients get out of step.
  world.emulator.setFaults([
    { every: 9, effects: { delay: 1 } },
    { every: 31, effects: { response: { status: 429, retryAfter: 7 } } },
    { match: { path: "*/list" }, every: 53, effects: { drop: "after" } },
    { skip: 600, times: 1, effects: { expireToken: true } },
  ]);
  const clients = await Promise.all([...Array(CLIENTS).keys()].map(async (number) => {
    const country = MARKETS[number % MARKETS.length]!;
    const truth = profiles.get(country)!;
    const { ads, tap } = world.client({ userAgent: `client-${number}` }, number);
    const profile = ads.profileFrom(truth.id, country);
    // Two at once, so that the pause one is asked for is the other's as well.
    const [adGroups, [campaign]] = await Promise.all([
      profile.sp.adGroups.list({ states: null, pageSize: 10 }),
      profile.sp.campaigns.list(),
    ]);
    const known = world.truth(truth.id, "sp.ad_groups").map(({ adGroupId }) => adGroupId);
    deepEqual(adGroups.map(({ adGroupId }) => adGroupId), known, `the list of client ${number}`);

    const name = `Of client ${number}`;
    const made = await profile.portfolios.create([{ name, state: "ENABLED" }]);
    equal(made.ok, true, `client ${number}: ${made.summary()}`);
    const [portfolio] = await profile.portfolios.list({ name });
    deepEqual(made.ids, [portfolio!.portfolioId], `the portfolio of client ${number}`);
    equal((await profile.sp.campaigns.get(campaign!.campaignId))!.campaignId, campaign!.campaignId);
    return tap;
  }));

  const portfolios = MARKETS.flatMap((country) => world.truth(profiles.get(country)!.id, "portfolios"));
  const names = portfolios.map(({ name }) => String(name)).filter((name) => name.startsWith("Of client"));
  deepEqual(names.length, CLIENTS);
  equal(new Set(names).size, CLIENTS, "each was made once");
  for (const [number, tap] of clients.entries()) {
    deepEqual(tap.insidePauses(), [], `the pauses of client ${number}`);
    const refused = tap.exchanges.filter(({ status }) => status === 401).length;
    ok(tap.tokenRequests.length <= 1 + refused, `the tokens of client ${number}`);
  }
  const agents = new Set(world.emulator.requests().map(({ headers }) => headers["user-agent"]));
  equal(agents.size, CLIENTS);
});
