import assert from "node:assert/strict";
import { ConfigurationError, PlatformAds } from "../../mod.ts";
import { StubServer } from "../support/stub_server.ts";

const SECRETS = {
  PLATFORM_ADS_CLIENT_ID: "env-id",
  PLATFORM_ADS_CLIENT_SECRET: "env-secret",
  PLATFORM_ADS_REFRESH_TOKEN: "env-token",
};

Deno.test("A client from the environment logs in with what it found there", async () => {
  await using server = StubServer.start(({ path }) =>
    path === "/token" ? { json: { access_token: "t", expires_in: 3600 } } : { json: [] }
  );
  const ads = await PlatformAds.fromEnv({
    env: {
      ...SECRETS,
      PLATFORM_ADS_BASE_URL_EU: `${server.url}/eu`,
      PLATFORM_ADS_TOKEN_URL: `${server.url}/token`,
    },
    userAgent: "tests/1",
  });
  assert.deepEqual(await ads.profiles(), []);
  const form = new URLSearchParams(server.requests[0]!.body);
  assert.deepEqual(Object.fromEntries(form), {
    grant_type: "refresh_token",
    refresh_token: "env-token",
    client_id: "env-id",
    client_secret: "env-secret",
  });
  assert.equal(server.requests[0]!.headers.get("content-type"), "application/x-www-form-urlencoded");
  assert.equal(server.requests[0]!.headers.get("user-agent"), "tests/1");
  assert.deepEqual(server.requests.slice(1).map(({ path }) => path), ["/eu/v2/profiles"]);
  assert.equal(server.requests[1]!.headers.get("platform-advertising-api-clientid"), "env-id");
});

Deno.test("A platform that is handed in needs no hosts in the environment", async () => {
  const platform = (await PlatformAds.fromEnv({
    env: {
      ...SECRETS,
      PLATFORM_ADS_BASE_URL_NA: "https://a.example",
      PLATFORM_ADS_TOKEN_URL: "https://b.example",
    },
  })).platform;
  const ads = await PlatformAds.fromEnv({ env: SECRETS, platform });
  assert.deepEqual(ads.platform, platform);
});

Deno.test("What is missing is named", async () => {
  const hosts = {
    PLATFORM_ADS_BASE_URL_NA: "https://a.example",
    PLATFORM_ADS_TOKEN_URL: "https://b.example",
  };
  const cases: readonly [env: Record<string, string>, pattern: RegExp][] = [
    [hosts, /PLATFORM_ADS_CLIENT_ID, .*Put them into the environment/],
    [SECRETS, /PLATFORM_ADS_BASE_URL_NA/],
    [{ ...SECRETS, ...hosts, PLATFORM_ADS_CONSENT_DATE: "soon" }, /PLATFORM_ADS_CONSENT_DATE: "soon"/],
  ];
  for (const [env, pattern] of cases) {
    await assert.rejects(
      PlatformAds.fromEnv({ env }),
      (error: Error) => error instanceof ConfigurationError && pattern.test(error.message),
    );
  }
});

Deno.test("The days until the consent expires follow the client's clock", async () => {
  const env = {
    ...SECRETS,
    PLATFORM_ADS_BASE_URL_NA: "https://a.example",
    PLATFORM_ADS_TOKEN_URL: "https://b.example",
  };
  const now = (): number => Date.parse("2026-11-20T00:00:00Z");
  const dated = await PlatformAds.fromEnv({ env: { ...env, PLATFORM_ADS_CONSENT_DATE: "2025-12-01" }, now });
  assert.equal(dated.daysUntilExpiry, 11);
  assert.equal((await PlatformAds.fromEnv({ env, now })).daysUntilExpiry, undefined);
});
