import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { Caller } from "./caller.ts";

const countries = (profiles: { countryCode: string }[]) => profiles.map((profile) => profile.countryCode);

Deno.test("each regional host lists its own profiles, the sandbox lists all", async () => {
  await using caller = await Caller.start();
  const list = async (host: "NA" | "EU" | "FE" | "SANDBOX") =>
    countries((await caller.call("GET", "/v2/profiles", undefined, { host, profile: null })).json);
  deepEqual(await list("NA"), ["US", "CA", "MX"]);
  deepEqual(await list("EU"), ["UK", "DE", "DE"]);
  deepEqual(await list("FE"), ["JP", "AU"]);
  equal((await list("SANDBOX")).length, 8);
});

Deno.test("profile ids are bare integers, some of them past 2^53", async () => {
  await using caller = await Caller.start();
  const { text } = await caller.call("GET", "/v2/profiles", undefined, { host: "FE", profile: null });
  const ids = [...text.matchAll(/"profileId":(\d+)/g)].map((found) => found[1]!);
  deepEqual(ids, caller.emulator.state.profiles("FE").map((profile) => profile.id));
  ok(ids.some((id) => BigInt(id) > 2n ** 53n));
});

Deno.test("a profile tells currency, time zone and the account behind it", async () => {
  await using caller = await Caller.start();
  const id = caller.profile("UK");
  const { json } = await caller.call("GET", `/v2/profiles/${id}`, undefined, { host: "EU", profile: null });
  equal(json.currencyCode, "GBP");
  equal(json.timezone, "Europe/London");
  equal(json.accountInfo.type, "vendor");
  equal(json.accountInfo.subType, "KDP_AUTHOR");
  ok(json.accountInfo.marketplaceStringId && json.accountInfo.id && json.accountInfo.name);
  equal(json.accountInfo.validPaymentMethod, true);
});

Deno.test("profiles are filtered by account type", async () => {
  await using caller = await Caller.start();
  const vendors = await caller.call("GET", "/v2/profiles?profileTypeFilter=vendor", undefined, {
    host: "EU",
    profile: null,
  });
  deepEqual(countries(vendors.json), ["UK", "DE"]);
  const unpaid = await caller.call("GET", "/v2/profiles?validPaymentMethodFilter=false", undefined, {
    profile: null,
  });
  deepEqual(unpaid.json, []);
});

Deno.test("a profile of another region or of nobody is not found", async () => {
  await using caller = await Caller.start();
  for (const id of [caller.profile("JP"), "1", "nonsense"]) {
    const answer = await caller.call("GET", `/v2/profiles/${id}`, undefined, { host: "NA", profile: null });
    equal(answer.status, 404);
    match(answer.json.details, /was not found/);
  }
});

Deno.test("a seller's daily budget can be set, a vendor's cannot", async () => {
  await using caller = await Caller.start();
  const us = caller.profile("US");
  const mx = caller.profile("MX");
  const raw = `[{"profileId":${us},"dailyBudget":250},{"profileId":${mx},"dailyBudget":250},` +
    `{"profileId":${us},"dailyBudget":-1},{"profileId":1,"dailyBudget":5},{}]`;
  const type = "application/json";
  const answer = await caller.call("PUT", "/v2/profiles", undefined, { profile: null, raw, type });
  equal(answer.status, 200);
  deepEqual(answer.json.map((verdict: { code: string }) => verdict.code), [
    "SUCCESS",
    "INVALID_ARGUMENT",
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "NOT_FOUND",
  ]);
  ok(answer.text.includes(`"profileId":${mx}`), "an id past 2^53 comes back whole");
  equal(caller.emulator.state.profile(us)!.record.dailyBudget, 250);
  equal((await caller.call("PUT", "/v2/profiles", {}, { profile: null, type })).status, 400);
});
