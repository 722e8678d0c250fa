import { equal, match, ok } from "../support/assert.ts";
import { ask, Caller } from "./caller.ts";

const REDIRECT = "http://127.0.0.1:9/callback?from=here";

function consentUrl(caller: Caller, change: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: caller.emulator.credentials.clientId,
    scope: "advertising::campaign_management",
    response_type: "code",
    redirect_uri: REDIRECT,
    state: `a&"b"`,
    ...change,
  });
  return `${caller.emulator.platform.authorizeUrl}?${query}`;
}

async function codeOf(caller: Caller): Promise<string> {
  const answer = await ask(consentUrl(caller, { approve: "1" }), {});
  return new URL(answer.headers.get("location")!).searchParams.get("code")!;
}

function exchange(caller: Caller, code: string, redirectUri = REDIRECT): ReturnType<Caller["askToken"]> {
  const { clientId, clientSecret } = caller.emulator.credentials;
  return caller.askToken({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
  });
}

Deno.test("the page asks and its form leads back with a code and the state", async () => {
  await using caller = await Caller.start();
  const page = await ask(consentUrl(caller), {});
  equal(page.status, 200);
  match(page.headers.get("content-type")!, /text\/html/);
  match(page.text, /<button name="decision" value="allow">/);
  ok(page.text.includes("a&#38;&#34;b&#34;"), "the state is escaped");
  const form = new URLSearchParams(new URL(consentUrl(caller)).search);
  form.set("decision", "allow");
  const answer = await ask(caller.emulator.platform.authorizeUrl!, { method: "POST", body: form });
  equal(answer.status, 302);
  const target = new URL(answer.headers.get("location")!);
  equal(target.origin + target.pathname, "http://127.0.0.1:9/callback");
  equal(target.searchParams.get("from"), "here");
  equal(target.searchParams.get("state"), `a&"b"`);
  equal((await exchange(caller, target.searchParams.get("code")!)).status, 200);
});

Deno.test("a refused consent leads back with access_denied and no code", async () => {
  await using caller = await Caller.start();
  const form = new URLSearchParams(new URL(consentUrl(caller)).search);
  form.set("decision", "deny");
  const answer = await ask(caller.emulator.platform.authorizeUrl!, { method: "POST", body: form });
  const target = new URL(answer.headers.get("location")!);
  equal(target.searchParams.get("error"), "access_denied");
  equal(target.searchParams.has("code"), false);
});

Deno.test("a code works once, for five minutes, at the address it was sent to", async () => {
  await using caller = await Caller.start();
  const code = await codeOf(caller);
  equal((await exchange(caller, code, "http://127.0.0.1:9/other")).json.error, "invalid_grant");
  equal((await exchange(caller, code)).status, 200);
  equal((await exchange(caller, code)).json.error_description, "The authorization code was used before");
  const late = await codeOf(caller);
  caller.emulator.advance(300);
  equal((await exchange(caller, late)).json.error_description, "The authorization code is expired");
});

Deno.test("the refresh token of a consent works for 365 days", async () => {
  await using caller = await Caller.start();
  const { refresh_token } = (await exchange(caller, await codeOf(caller))).json;
  const { clientId, clientSecret } = caller.emulator.credentials;
  const refresh = () =>
    caller.askToken({
      grant_type: "refresh_token",
      refresh_token,
      client_id: clientId,
      client_secret: clientSecret,
    });
  caller.emulator.advance(365 * 86_400 - 1);
  equal((await refresh()).status, 200);
  caller.emulator.advance(1);
  equal((await refresh()).json.error_description, "The refresh token is expired");
});

const WRONG: readonly [change: Record<string, string>, problem: RegExp][] = [
  [{ client_id: "someone" }, /client_id/],
  [{ response_type: "token" }, /response_type/],
  [{ scope: "profile" }, /scope/],
  [{ redirect_uri: "javascript:alert(1)" }, /redirect_uri/],
  [{ redirect_uri: "" }, /redirect_uri/],
];

for (const [change, problem] of WRONG) {
  Deno.test(`the page refuses ${JSON.stringify(change)} and leads nowhere`, async () => {
    await using caller = await Caller.start();
    const answer = await ask(consentUrl(caller, { approve: "1", ...change }), {});
    equal(answer.status, 400);
    equal(answer.headers.get("location"), null);
    match(answer.text, problem);
  });
}
