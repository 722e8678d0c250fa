import { equal, notEqual, ok } from "../support/assert.ts";
import { ask, Caller } from "./caller.ts";

async function credentials(caller: Caller): Promise<Record<string, string>> {
  const settings = await caller.control("GET", "settings");
  const { clientId, clientSecret, refreshToken } = settings.json.credentials;
  return {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
  };
}

Deno.test("a refresh token gives an access token that works in all regions for an hour", async () => {
  await using caller = await Caller.start();
  const answer = await caller.askToken(await credentials(caller));
  equal(answer.status, 200);
  equal(answer.json.token_type, "bearer");
  equal(answer.json.expires_in, 3600);
  const headers = { authorization: `Bearer ${answer.json.access_token}` };
  const list = (host: "NA" | "EU" | "FE") =>
    caller.call("GET", "/v2/profiles", undefined, { host, profile: null, headers });
  for (const host of ["NA", "EU", "FE"] as const) equal((await list(host)).status, 200);
  caller.emulator.advance(3599);
  equal((await list("NA")).status, 200);
  caller.emulator.advance(1);
  equal((await list("NA")).status, 401);
});

Deno.test("every access token is another one", async () => {
  await using caller = await Caller.start();
  const form = await credentials(caller);
  notEqual((await caller.askToken(form)).json.access_token, (await caller.askToken(form)).json.access_token);
});

const REFUSALS: readonly [what: string, change: Record<string, string>, status: number, error: string][] = [
  ["an unknown refresh token", { refresh_token: "Atzr|nonsense" }, 400, "invalid_grant"],
  ["no refresh token", { refresh_token: "" }, 400, "invalid_request"],
  ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
  ["an unknown client", { client_id: "someone" }, 401, "invalid_client"],
  ["no client", { client_id: "" }, 400, "invalid_request"],
  ["no grant type", { grant_type: "" }, 400, "invalid_request"],
  ["another grant type", { grant_type: "password" }, 400, "unsupported_grant_type"],
  [
    "an unknown code",
    { grant_type: "authorization_code", code: "x", redirect_uri: "http://x/" },
    400,
    "invalid_grant",
  ],
  ["no code", { grant_type: "authorization_code", redirect_uri: "http://x/" }, 400, "invalid_request"],
];

for (const [what, change, status, error] of REFUSALS) {
  Deno.test(`the token endpoint refuses ${what} with ${status} ${error}`, async () => {
    await using caller = await Caller.start();
    const answer = await caller.askToken({ ...await credentials(caller), ...change });
    equal(answer.status, status);
    equal(answer.json.error, error);
    ok(answer.json.error_description);
  });
}

Deno.test("the token endpoint takes forms sent by POST only", async () => {
  await using caller = await Caller.start();
  const url = caller.emulator.platform.tokenUrl;
  equal((await ask(url, {})).status, 405);
  equal(
    (await ask(url, { method: "POST", body: "{}", headers: { "content-type": "application/json" } })).status,
    400,
  );
});

Deno.test("an access token is no refresh token", async () => {
  await using caller = await Caller.start();
  const form = await credentials(caller);
  const { access_token } = (await caller.askToken(form)).json;
  equal((await caller.askToken({ ...form, refresh_token: access_token })).json.error, "invalid_grant");
});

Deno.test("expired tokens are refused until a new one is fetched", async () => {
  await using caller = await Caller.start();
  caller.emulator.expireTokens();
  equal((await caller.call("GET", "/v2/profiles")).status, 401);
  await caller.logIn();
  equal((await caller.call("GET", "/v2/profiles")).status, 200);
});

Deno.test("tokens and secrets never reach the journal", async () => {
  await using caller = await Caller.start();
  await caller.call("GET", "/v2/profiles");
  const { credentials: { clientSecret, refreshToken } } = caller.emulator;
  const journal = (await caller.control("GET", "requests")).text;
  for (const secret of ["Atza|", "Bearer", clientSecret, refreshToken]) ok(!journal.includes(secret));
});
