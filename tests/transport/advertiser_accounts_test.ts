import { deepEqual, equal, rejects } from "../support/assert.ts";
import { ConfigurationError } from "../../mod.ts";
import {
  accountById,
  advertiserAccounts,
  globalAccountId,
  globalAccountProfiles,
  isWithinLimit,
} from "../../src/platform/transport/advertiser_accounts.ts";
import type { ProfileScope, ReachLimit } from "../../src/platform/transport/profile_scope.ts";

/** Accounts of a login: the pages of global ones, then those of all others. */
type Pages = readonly [global: readonly unknown[], others: readonly unknown[]];

const GLOBAL = {
  advertiserAccountId: "global",
  isGlobalAccount: true,
  alternateIds: [{ profileId: "1", countryCode: "US" }, { entityId: "E1" }, {
    profileId: 2,
    countryCode: "DE",
  }],
};
const LOCAL = {
  advertiserAccountId: "local",
  isGlobalAccount: false,
  alternateIds: [{ profileId: "3", countryCode: 7 }],
};
const USUAL: Pages = [[{ advertiserAccounts: [GLOBAL] }], [{ advertiserAccounts: [LOCAL] }]];

/** A profile of a login that reaches these accounts, and the bodies that it asked with. */
function scopeOf(
  pages: Pages,
  { profileId = "1", limit }: { profileId?: string; limit?: readonly string[] } = {},
): { scope: ProfileScope; asked: unknown[] } {
  const asked: unknown[] = [];
  const within: ReachLimit | undefined = limit === undefined ? undefined : {
    has: (id, country) => limit.includes(id) || limit.includes(`${country}`),
    check: () => Promise.resolve(),
  };
  const scope: ProfileScope = {
    profileId,
    countryCode: "US",
    limit: within,
    transport: {} as ProfileScope["transport"],
    request: (_method, _path, { json } = {}) => {
      asked.push(json);
      const { nextToken = "0", isGlobalAccountFilter } = json as Readonly<Record<string, string>>;
      return Promise.resolve(pages[isGlobalAccountFilter === undefined ? 0 : 1][Number(nextToken)]);
    },
  };
  return { scope, asked };
}

Deno.test("global accounts are listed without a filter, others with one, every page of both, once for each client", async () => {
  const { scope, asked } = scopeOf([
    [{ advertiserAccounts: [GLOBAL], nextToken: "1" }, { nextToken: "2" }, {}],
    [{ advertiserAccounts: [LOCAL], nextToken: "1" }, undefined],
  ]);
  const accounts = await advertiserAccounts(scope, ["1", "2", "3"]);
  deepEqual(accounts, [
    { id: "global", isGlobal: true, profiles: new Map([["1", "US"], ["2", "DE"]]) },
    { id: "local", isGlobal: false, profiles: new Map([["3", undefined]]) },
  ]);
  const others = { isGlobalAccountFilter: { include: [false] } };
  deepEqual(asked, [{}, { nextToken: "1" }, { nextToken: "2" }, others, { ...others, nextToken: "1" }]);
  equal(await globalAccountId(scope), "global");
  deepEqual(await globalAccountProfiles(scope), [["1", "US"], ["2", "DE"]]);
  equal((await accountById(scope, "local"))?.id, "local");
  equal(await accountById(scope, "7"), undefined);
  equal(asked.length, 5);
});

Deno.test("an account that does not say whether it is global is if it was listed without a filter", async () => {
  const silent = (id: string, profileId: string): unknown => ({
    advertiserAccounts: [{ advertiserAccountId: id, alternateIds: [{ profileId }] }],
  });
  const { scope } = scopeOf([[silent("a", "1")], [silent("b", "2")]]);
  const accounts = await advertiserAccounts(scope, ["1", "2"]);
  deepEqual(accounts.map(({ id, isGlobal }) => [id, isGlobal]), [["a", true], ["b", false]]);
});

Deno.test("accounts without an id or without profiles are passed over", async () => {
  const { scope } = scopeOf([
    [{ advertiserAccounts: [{ ...GLOBAL, advertiserAccountId: 9 }, { advertiserAccountId: "empty" }] }],
    [{ advertiserAccounts: [LOCAL] }],
  ], { profileId: "3" });
  deepEqual((await advertiserAccounts(scope, ["3"])).map(({ id }) => id), ["local"]);
  equal(await accountById(scope, "empty"), undefined);
  await rejects(advertiserAccounts(scope, ["1"]), /Cannot find the account of profile 1/);
});

async function refused(promise: Promise<unknown>, message: string): Promise<void> {
  await rejects(promise, (error: Error) => {
    equal(error.message, message);
    return error instanceof ConfigurationError;
  });
}

Deno.test("a profile that no account of the login holds is named, and looked for again the next time", async () => {
  const { scope, asked } = scopeOf(USUAL);
  const unknown =
    "Cannot find the account of profile 9: the login reaches no advertiser account with it in this " +
    "region. Name profiles of one region; old reports need no account";
  await refused(advertiserAccounts(scope, ["1", "9"]), unknown);
  await refused(advertiserAccounts(scope, ["1", "9"]), unknown);
  equal(asked.length, 4);
});

const ADVICE = "Use a profile of a global account, or the campaigns of each profile";

Deno.test("global campaigns need a global account, and the refusal says what the profile has instead", async () => {
  for (const use of [globalAccountId, globalAccountProfiles]) {
    await refused(
      use(scopeOf(USUAL, { profileId: "9" }).scope),
      "Cannot use global campaigns of profile 9 (US): the login reaches no advertiser account with it. " +
        ADVICE,
    );
    await refused(
      use(scopeOf(USUAL, { profileId: "3" }).scope),
      `Cannot use global campaigns of profile 3 (US): its advertiser account local is not a global one. ${ADVICE}`,
    );
  }
});

Deno.test("a limit keeps profiles beyond it from being used, alone and through their account", async () => {
  const { scope, asked } = scopeOf(USUAL, { limit: ["1", "2"] });
  deepEqual((await advertiserAccounts(scope, ["1"])).map(({ id }) => id), ["global"]);
  equal(await globalAccountId(scope), "global");
  await refused(
    advertiserAccounts(scope, ["1", "3", "9"]),
    "Cannot use 3, 9: beyond the profiles that this client is limited to",
  );
  await refused(
    advertiserAccounts(scope, ["3"]),
    "Cannot use 3: beyond the profiles that this client is limited to",
  );
  equal(asked.length, 4);
  const { scope: half } = scopeOf(USUAL, { limit: ["US"] });
  const [account] = await advertiserAccounts(half, ["1"]);
  equal(isWithinLimit(account!, half), false);
  equal(isWithinLimit(account!, scope), true);
  equal(isWithinLimit(account!, scopeOf(USUAL).scope), true);
  await refused(
    globalAccountId(half),
    "Cannot use global campaigns of profile 1 (US): its account has profiles beyond those that this client is " +
      "limited to. Use the campaigns of the profile itself",
  );
});

Deno.test("accounts of another region are kept beside those that were found before", async () => {
  const america = scopeOf([[{ advertiserAccounts: [GLOBAL] }], [{}]]);
  const europe = scopeOf([[{}], [{ advertiserAccounts: [LOCAL] }]]);
  const there: ProfileScope = { ...europe.scope, profileId: "3", transport: america.scope.transport };
  await advertiserAccounts(america.scope, ["1"]);
  await advertiserAccounts(there, ["3"]);
  await advertiserAccounts(america.scope, ["1", "3"]);
  deepEqual([america.asked.length, europe.asked.length], [2, 2]);
});
