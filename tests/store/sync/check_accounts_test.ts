import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredProfile, StoreDriver } from "../../../src/store/model/store_driver.ts";
import {
  type AccountOptions,
  checkAccounts,
  OtherAccountError,
} from "../../../src/store/sync/check_accounts.ts";

type Added = Parameters<typeof checkAccounts>[1][number];

/** A profile to add; `login` are the profiles that its login reaches, where that can be found out. */
function profile(profileId: string, countryCode: string, login?: readonly string[]): Added {
  return login === undefined ? { profileId, countryCode } : {
    profileId,
    countryCode,
    loginProfiles: () => Promise.resolve(login.map((id) => ({ profileId: id }))),
  };
}

/** What a store with such profiles says to others; `undefined` when it takes them. */
async function refusal(
  stored: readonly [profileId: string, countryCode: string][],
  added: readonly Added[],
  options: AccountOptions = {},
): Promise<string | undefined> {
  const profiles = stored.map(([profileId, countryCode]): StoredProfile => ({ profileId, countryCode }));
  const driver = { location: "ads.sqlite", profiles: () => Promise.resolve(profiles) };
  return await checkAccounts(driver as unknown as StoreDriver, added, options).then(
    () => undefined,
    (error: Error) => {
      assert(error instanceof OtherAccountError);
      return error.message;
    },
  );
}

test("a store takes profiles that it holds, that its login reaches, and any while it is empty", async () => {
  assert.equal(await refusal([], [profile("9", "US", ["9"])]), undefined);
  assert.equal(
    await refusal([["1", "US"]], [profile("9", "US", ["9"]), profile("1", "US", ["9"])]),
    undefined,
  );
  assert.equal(await refusal([["1", "US"]], [profile("2", "US", ["1", "2"])]), undefined);
  assert.equal(await refusal([["1", "US"]], []), undefined);
  assert.equal(await refusal([["1", "US"]], [profile("9", "US", ["9"])], { addAccount: true }), undefined);
});

test("a store refuses every profile of a login that reaches none of its own, whatever their countries", async () => {
  assert.match(
    await refusal([["1", "US"]], [profile("8", "US", ["8", "9"]), profile("9", "DE", ["8", "9"])]) ?? "",
    /^Cannot add US 8, DE 9 to store "ads\.sqlite": it holds another account \(US 1\)\. .*with the option addAccount/,
  );
  assert.match(
    await refusal([["1", "US"]], [profile("9", "US", ["9"])], { addAccount: false }) ?? "",
    /^Cannot add US 9/,
  );
});

test("where the login is not known, profiles of countries that the store has are refused alone", async () => {
  const unknown: Added = {
    profileId: "9",
    countryCode: "gb",
    loginProfiles: () => Promise.reject(new Error("away")),
  };
  const refused = /^Cannot add gb 9 to store/;
  assert.match(
    await refusal([["1", "UK"]], [unknown, profile("8", "DE")]) ?? "",
    refused,
    "by either spelling",
  );
  assert.equal(await refusal([["1", "US"]], [unknown, profile("8", "DE")]), undefined);
  assert.match(await refusal([["1", "UK"]], [profile("9", "gb")]) ?? "", refused);
});

test("the refusal names three profiles of each side and counts the others", async () => {
  const added = ["5", "6", "7", "8", "9"].map((id) => profile(id, "DE", ["9"]));
  const held = (count: number): [string, string][] =>
    ["1", "2", "3", "4"].slice(0, count).map((id) => [id, "US"]);
  assert.match(
    await refusal(held(3), added) ?? "",
    /^Cannot add DE 5, DE 6, DE 7 and 2 more to store .* \(US 1, US 2, US 3\)\. /,
  );
  assert.match(
    await refusal(held(4), added.slice(0, 3)) ?? "",
    /DE 7 to store .* \(US 1, US 2, US 3 and 1 more\)\. /,
  );
});
