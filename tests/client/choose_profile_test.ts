import assert from "node:assert/strict";
import { ConfigurationError, type Profile, type ProfileFilter } from "../../mod.ts";
import { chooseProfile } from "../../src/client/profile.ts";

function profile(profileId: string, countryCode: string, type: string, name: string): Profile {
  return { profileId, countryCode, region: "EU", accountInfo: { type, name } };
}

const PROFILES = [
  profile("1", "US", "seller", "North"),
  profile("2", "UK", "vendor", "Books"),
  profile("3", "DE", "seller", "Süd"),
  profile("4", "DE", "vendor", "Süd"),
  profile("5", "DE", "vendor", "Verlag"),
];

const CHOICES: readonly [wanted: string, filter: ProfileFilter, id: string][] = [
  ["US", {}, "1"],
  ["us", {}, "1"],
  [" UK ", {}, "2"],
  ["GB", {}, "2"],
  ["3", {}, "3"],
  ["DE", { accountType: "seller" }, "3"],
  ["DE", { accountType: "SELLER" }, "3"],
  ["DE", { accountName: "verlag" }, "5"],
  ["DE", { accountType: "vendor", accountName: "Süd" }, "4"],
];

for (const [wanted, filter, id] of CHOICES) {
  Deno.test(`"${wanted}" with ${JSON.stringify(filter)} is profile ${id}`, () => {
    assert.equal(chooseProfile(PROFILES, wanted, filter).profileId, id);
  });
}

function refused(wanted: string, filter: ProfileFilter, pattern: RegExp, profiles = PROFILES): string {
  let said = "";
  assert.throws(() => chooseProfile(profiles, wanted, filter), (error: Error) => {
    said = error.message;
    return error instanceof ConfigurationError && pattern.test(error.message);
  });
  return said;
}

Deno.test("An ambiguous market lists its candidates and says how to choose", () => {
  const said = refused(
    "DE",
    {},
    /market "DE": 3 match\. Give the profile id, or narrow by account type or name/,
  );
  assert.deepEqual(said.split("\n").slice(1), [
    "  DE  3  seller  Süd",
    "  DE  4  vendor  Süd",
    "  DE  5  vendor  Verlag",
  ]);
  assert.doesNotMatch(
    refused("DE", { accountType: "vendor" }, /of type "vendor": 2 match/),
    /Süd.*seller|seller.*Süd/,
  );
});

Deno.test("An unknown market or id lists what there is; a filter that matches nothing lists the market", () => {
  assert.equal(refused("JP", {}, /Cannot find a profile for market "JP"\. There is:/).split("\n").length, 6);
  assert.equal(refused("99", {}, /for id "99"/).split("\n").length, 6);
  const narrowed = refused("DE", { accountType: "agency", accountName: "x" }, /of type "agency" named "x"/);
  assert.equal(narrowed.split("\n").length, 4);
  refused("constructor", {}, /for id "constructor"/);
});

Deno.test("A login without profiles says so", () => {
  refused("US", {}, /This login reaches no profile at all/, []);
});

Deno.test("A long list is cut with a count, and no name steers a terminal", () => {
  const many = Array.from(
    { length: 25 },
    (_, index) => profile(`${index}`, "DE", "seller", "\u001b[2Jevil\nname"),
  );
  const said = refused("DE", {}, /25 match/, many);
  assert.match(said, /and 5 more$/);
  assert.equal(said.split("\n").length, 22);
  assert.ok(!said.includes("\u001b"));
});
