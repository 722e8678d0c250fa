import assert from "node:assert/strict";
import {
  ConfigurationError,
  ForbiddenError,
  PlatformAds,
  PlatformAdsError,
  type PlatformAdsOptions,
  type Profile,
} from "../../mod.ts";
import { FakeTime } from "../support/fake_time.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../support/stub_client.ts";
import { type StubAnswer, type StubRequest, StubServer } from "../support/stub_server.ts";
import { until } from "../support/until.ts";

const PROFILES: Readonly<Record<string, string>> = {
  na:
    '[{"profileId":18446744073709551615,"countryCode":"US","currencyCode":"USD","timezone":"America/Los_Angeles",' +
    '"accountInfo":{"type":"seller","name":"North"}}]',
  eu:
    '[{"profileId":2,"countryCode":"GB","accountInfo":{"type":"vendor","name":"Books","subType":"KDP_AUTHOR"}},' +
    '{"profileId":3,"countryCode":"DE","accountInfo":{"type":"seller","name":"Süd"}},' +
    '{"profileId":4,"countryCode":"DE","accountInfo":{"type":"vendor","name":"Süd"}}]',
  fe: '[{"profileId":5,"countryCode":"AU"}]',
};

interface Scene extends AsyncDisposable {
  readonly ads: PlatformAds;
  /** Which hosts were asked for their profiles. */
  readonly asked: string[];
}

/** A platform whose regions list what they hold, or what a test puts in a region's place. */
function scene(
  answers: Readonly<Record<string, (request: StubRequest) => StubAnswer | Promise<StubAnswer>>> = {},
  options: Partial<PlatformAdsOptions> = {},
): Scene {
  const asked: string[] = [];
  const server = StubServer.start(async (request) => {
    if (request.path === "/token") return { json: { access_token: "t", expires_in: 3600 } };
    assert.match(request.path, /^\/\w+\/v2\/profiles$/);
    assert.equal(request.headers.has("platform-advertising-api-scope"), false);
    const region = request.path.split("/")[1]!;
    asked.push(region);
    const headers = { "content-type": "application/json" };
    return await answers[region]?.(request) ?? { text: PROFILES[region] ?? "[]", headers };
  });
  const { now, sleep } = new FakeTime();
  const ads = new PlatformAds(STUB_CREDENTIALS, {
    platform: stubPlatform(server.url),
    now,
    sleep,
    ...options,
  });
  return { ads, asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function ids(profiles: readonly Profile[]): string[] {
  return profiles.map(({ profileId }) => profileId);
}

Deno.test("Profiles of all regions are merged, ids as strings, GB as UK, each with its region", async () => {
  await using at = scene();
  const profiles = await at.ads.profiles();
  assert.deepEqual(profiles.map(({ profileId, countryCode, region }) => [profileId, countryCode, region]), [
    ["18446744073709551615", "US", "NA"],
    ["2", "UK", "EU"],
    ["3", "DE", "EU"],
    ["4", "DE", "EU"],
    ["5", "AU", "FE"],
  ]);
  assert.equal(profiles[1]!.accountInfo.subType, "KDP_AUTHOR");
  assert.deepEqual(profiles[4]!.accountInfo, {});
  assert.deepEqual(at.asked.sort(), ["eu", "fe", "na"]);
  assert.deepEqual(at.ads.regionFailures, []);
});

Deno.test("The regions are asked at once, and a second caller shares the listing", async () => {
  let waiting = 0;
  let release = (): void => {};
  const all = new Promise<void>((resolve) => release = resolve);
  const together = async ({ path }: StubRequest): Promise<StubAnswer> => {
    if (++waiting === 3) release();
    await all;
    return { text: PROFILES[path.split("/")[1]!]! };
  };
  await using at = scene({ na: together, eu: together, fe: together });
  const [one, two] = await Promise.all([at.ads.profiles(), at.ads.profiles()]);
  assert.deepEqual(one, two);
  assert.equal(at.asked.length, 3);
});

Deno.test("What a caller does to its list is no other caller's affair", async () => {
  await using at = scene();
  const mine = await at.ads.profiles();
  mine.length = 0;
  assert.equal((await at.ads.profiles()).length, 5);
  assert.equal((await at.ads.profile("AU")).profileId, "5");
});

Deno.test("A variable that is not set is refused by name, and nothing is asked", async () => {
  await using at = scene();
  const unset = undefined as unknown as string;
  await assert.rejects(
    at.ads.profile(unset),
    /^TypeError: Cannot find a profile by undefined: give a country/,
  );
  await assert.rejects(at.ads.profile(123 as unknown as string), /Cannot find a profile by 123/);
  assert.throws(() => at.ads.profileFrom("1", unset), /Cannot use undefined as a country code/);
  assert.throws(() => at.ads.profileFrom(unset, "US"), /Cannot use undefined as a profile id/);
  assert.deepEqual(at.asked, []);
});

Deno.test("The list is kept until it is asked for anew", async () => {
  await using at = scene();
  await at.ads.profiles();
  await at.ads.profile("US");
  assert.equal(at.asked.length, 3);
  await at.ads.profiles({ refresh: true });
  assert.equal(at.asked.length, 6);
  await at.ads.profiles();
  assert.equal(at.asked.length, 6);
});

const FAILURES: Readonly<Record<string, StubAnswer>> = {
  "refuses with 403": { status: 403, json: { code: "ACCESS_DENIED", details: "no" } },
  "fails with 500": { status: 500 },
  "answers something else than a list": { json: { message: "moved" } },
  "answers a page for people": { text: "<html>Login</html>", headers: { "content-type": "text/html" } },
  "sends elsewhere": { status: 302, headers: { location: "/login" } },
};

for (const [how, answer] of Object.entries(FAILURES)) {
  Deno.test(`A region that ${how} hides no other, is told, and is asked again next time`, async () => {
    let broken = true;
    await using at = scene({ eu: () => broken ? answer : { text: PROFILES["eu"]! } });
    assert.deepEqual(ids(await at.ads.profiles()), ["18446744073709551615", "5"]);
    assert.deepEqual(at.ads.regionFailures.map(({ region }) => region), ["EU"]);
    await assert.rejects(
      at.ads.profile("999"),
      (error: Error) =>
        error instanceof ConfigurationError && /could not be asked: EU \(.+\)/.test(error.message),
    );
    await assert.rejects(
      at.ads.profile("DE"),
      (error: Error) =>
        error instanceof PlatformAdsError && !(error instanceof ConfigurationError) &&
        /\/eu\/v2\/profiles|region EU/.test(error.message),
    );
    assert.equal((await at.ads.profile("US")).profileId, "18446744073709551615");
    broken = false;
    assert.equal((await at.ads.profile("UK")).profileId, "2");
    assert.equal((await at.ads.profiles()).length, 5);
    assert.deepEqual(at.ads.regionFailures, []);
  });
}

Deno.test("When every region fails, the first failure is thrown and nothing is kept", async () => {
  let broken = true;
  const refuse = ({ path }: StubRequest): StubAnswer =>
    broken ? { status: 403 } : { text: PROFILES[path.split("/")[1]!]! };
  await using at = scene({ na: refuse, eu: refuse, fe: refuse });
  await assert.rejects(at.ads.profiles(), ForbiddenError);
  assert.equal(at.ads.regionFailures.length, 3);
  broken = false;
  assert.equal((await at.ads.profiles()).length, 5);
});

Deno.test("Only regions with a host are asked", async () => {
  await using at = scene();
  const { regions, ...rest } = at.ads.platform;
  const ads = new PlatformAds(STUB_CREDENTIALS, { platform: { ...rest, regions: { FE: regions.FE! } } });
  assert.deepEqual(ids(await ads.profiles()), ["5"]);
  assert.throws(
    () => ads.profileFrom("1", "US"),
    (error: Error) =>
      error instanceof ConfigurationError && /PLATFORM_ADS_BASE_URL_NA is not set/.test(error.message),
  );
});

Deno.test("A market is looked up in its own region alone, whatever becomes of the others", async () => {
  const silent = (): StubAnswer => ({ status: 500 });
  await using at = scene({ eu: silent, fe: silent });
  assert.equal((await at.ads.profile("US")).profileId, "18446744073709551615");
  assert.equal((await at.ads.profile("us")).region, "NA");
  assert.deepEqual(at.asked, ["na"]);
  await at.ads.profiles({ refresh: true });
  assert.equal(at.asked.filter((region) => region === "na").length, 2);
});

Deno.test("A market that its region does not list is answered with all that there is", async () => {
  await using at = scene();
  await assert.rejects(at.ads.profile("CA"), /market "CA"[^]*US {2}18446744073709551615[^]*AU {2}5/);
  assert.deepEqual(at.asked.sort(), ["eu", "fe", "na"]);
});

Deno.test("One caller's abort ends its wait and leaves the listing to the others", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => release = resolve);
  await using at = scene({
    na: async () => {
      await held;
      return { text: PROFILES["na"]! };
    },
  });
  const controller = new AbortController();
  const impatient = at.ads.profile("US", { signal: controller.signal });
  const patient = at.ads.profile("US");
  await until(() => at.asked.length === 1);
  controller.abort(new Error("enough"));
  await assert.rejects(impatient, /enough/);
  await assert.rejects(at.ads.profiles({ signal: controller.signal }), /enough/);
  release();
  assert.equal((await patient).countryCode, "US");
  assert.deepEqual(at.asked.filter((region) => region === "na"), ["na"]);
});

Deno.test("In the sandbox one host serves every region, and each profile once", async () => {
  const all = `[${Object.values(PROFILES).map((list) => list.slice(1, -1)).join(",")},` +
    '{"profileId":6,"countryCode":"XX"}]';
  const sandbox = (): StubAnswer => ({ text: all });
  await using at = scene({ sandbox });
  const platform = { ...at.ads.platform, sandboxUrl: at.ads.platform.tokenUrl.replace("/token", "/sandbox") };
  const ads = new PlatformAds(STUB_CREDENTIALS, { platform, sandbox: true });
  const profiles = await ads.profiles();
  assert.deepEqual(profiles.map(({ profileId, region }) => [profileId, region]).slice(0, 5), [
    ["18446744073709551615", "NA"],
    ["2", "EU"],
    ["3", "EU"],
    ["4", "EU"],
    ["5", "FE"],
  ]);
  assert.equal(profiles.length, 6);
  assert.deepEqual(ads.regionFailures, []);
  assert.equal(ads.profileFrom("9", "JP").baseUrl, platform.sandboxUrl);
  assert.ok(at.asked.every((host) => host === "sandbox"));
});

Deno.test("A sandbox without an address, an http host and half a login are refused when the client is made", () => {
  const platform = stubPlatform("http://127.0.0.1:9");
  const refused = (work: () => unknown, pattern: RegExp): void =>
    assert.throws(work, (error: Error) => error instanceof ConfigurationError && pattern.test(error.message));
  refused(() => new PlatformAds(STUB_CREDENTIALS, { platform, sandbox: true }), /PLATFORM_ADS_SANDBOX_URL/);
  refused(
    () => new PlatformAds(STUB_CREDENTIALS, { platform: { ...platform, tokenUrl: "http://id.example/t" } }),
    /in the clear/,
  );
  refused(
    () => Reflect.construct(PlatformAds, [STUB_CREDENTIALS]),
    /^Cannot make a client: .*Pass \{ platform \}/,
  );
  refused(() => Reflect.construct(PlatformAds, []), /PLATFORM_ADS_CLIENT_ID/);
  refused(
    () => new PlatformAds({ ...STUB_CREDENTIALS, refreshToken: "" }, { platform }),
    /PLATFORM_ADS_REFRESH_TOKEN is not set/,
  );
});
