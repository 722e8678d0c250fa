import assert from "node:assert/strict";
import { AuthError, NetworkError, ServerError } from "../../mod.ts";
import {
  AccessTokens,
  readTokenResponse,
  type TokenResponse,
} from "../../src/platform/connection/access_tokens.ts";
import { FakeTime } from "../support/fake_time.ts";
import { STUB_CREDENTIALS } from "../support/stub_client.ts";

type Form = Readonly<Record<string, string>>;

function setUp(answer: (form: Form, turn: number) => TokenResponse | Promise<TokenResponse> = granted): {
  tokens: AccessTokens;
  time: FakeTime;
  forms: Form[];
} {
  const time = new FakeTime();
  const forms: Form[] = [];
  const tokens = new AccessTokens({
    credentials: STUB_CREDENTIALS,
    now: time.now,
    send: async (form) => await answer(form, forms.push(form)),
  });
  return { tokens, time, forms };
}

function granted(_form: Form, turn: number, expires_in: unknown = 3600): TokenResponse {
  return { status: 200, body: { access_token: `token-${turn}`, token_type: "bearer", expires_in } };
}

Deno.test("A token is fetched with the refresh token and kept", async () => {
  const { tokens, forms } = setUp();
  assert.equal(await tokens.get(), "token-1");
  assert.equal(await tokens.get(), "token-1");
  assert.deepEqual(forms, [{
    grant_type: "refresh_token",
    refresh_token: STUB_CREDENTIALS.refreshToken,
    client_id: STUB_CREDENTIALS.clientId,
    client_secret: STUB_CREDENTIALS.clientSecret,
  }]);
});

Deno.test("A token is renewed 120 seconds before it expires, and no earlier", async () => {
  const { tokens, time } = setUp();
  await tokens.get();
  time.advance(3600 - 120 - 1);
  assert.equal(await tokens.get(), "token-1");
  time.advance(1);
  assert.equal(await tokens.get(), "token-2");
});

Deno.test("A short-lived token is used for half its life; a life that is no number counts as an hour", async () => {
  for (const [expiresIn, usable] of [[60, 30], ["200", 100], [240, 120], ["soon", 3480], [0, 3480]]) {
    const { tokens, time } = setUp((form, turn) => granted(form, turn, expiresIn));
    await tokens.get();
    time.advance(Number(usable) - 1);
    assert.equal(await tokens.get(), "token-1", String(expiresIn));
    time.advance(1);
    assert.equal(await tokens.get(), "token-2", String(expiresIn));
  }
});

Deno.test("A hundred callers at once share one renewal, and so do those of the next one", async () => {
  const { tokens, time, forms } = setUp();
  const many = (): Promise<string[]> => Promise.all(Array.from({ length: 100 }, () => tokens.get()));
  assert.deepEqual(new Set(await many()), new Set(["token-1"]));
  time.advance(4000);
  assert.deepEqual(new Set(await many()), new Set(["token-2"]));
  assert.equal(forms.length, 2);
});

Deno.test("Forgetting an older token leaves the newer one in place", async () => {
  const { tokens, forms } = setUp();
  const first = await tokens.get();
  tokens.forget(first);
  assert.equal(await tokens.get(), "token-2");
  tokens.forget(first);
  assert.equal(await tokens.get(), "token-2");
  assert.equal(forms.length, 2);
});

Deno.test("A failed renewal fails every waiting caller, and the next caller tries again", async () => {
  const { tokens } = setUp((form, turn) =>
    turn === 1 ? { status: 400, body: { error: "invalid_grant" } } : granted(form, turn)
  );
  const settled = await Promise.allSettled([tokens.get(), tokens.get()]);
  assert.ok(settled.every((one) => one.status === "rejected" && one.reason instanceof AuthError));
  assert.equal(await tokens.get(), "token-2");
});

Deno.test("One caller's abort ends that caller's wait and no other's", async () => {
  let answer = (_: TokenResponse): void => {};
  const { tokens, forms } = setUp(() => new Promise((resolve) => answer = resolve));
  const controller = new AbortController();
  const impatient = tokens.get(controller.signal);
  const patient = tokens.get();
  controller.abort(new Error("enough"));
  await assert.rejects(impatient, /enough/);
  await assert.rejects(tokens.get(controller.signal), /enough/);
  answer(granted({}, 1));
  assert.equal(await patient, "token-1");
  assert.equal(forms.length, 1);
});

const REFUSALS: readonly [answer: TokenResponse, error: string, message: RegExp][] = [
  [
    { status: 400, body: { error: "invalid_grant", error_description: "The token is expired" } },
    "invalid_grant",
    /"invalid_grant": The token is expired\. .*consent again with "adsctl auth url"/,
  ],
  [{ status: 401, body: { error: "invalid_client" } }, "invalid_client", /PLATFORM_ADS_CLIENT_SECRET/],
  [{ status: 400, body: { error: "unauthorized_client" } }, "unauthorized_client", /PLATFORM_ADS_CLIENT_ID/],
  [{ status: 400, body: { error: "unheard_of" } }, "unheard_of", /"unheard_of"$/],
  [{ status: 403, body: "<html>Forbidden</html>" }, "http_403", /"http_403"/],
  [{ status: 200, body: { access_token: "" } }, "http_200", /"http_200"/],
  [{ status: 200, body: "not JSON" }, "http_200", /"http_200"/],
  [{ status: 400, body: null }, "http_400", /"http_400"/],
];

for (const [answer, error, message] of REFUSALS) {
  Deno.test(`The answer ${JSON.stringify(answer)} becomes an AuthError "${error}"`, () => {
    assert.throws(() => readTokenResponse(answer), (thrown: Error) => {
      assert.ok(thrown instanceof AuthError);
      assert.equal(thrown.error, error);
      assert.match(thrown.message, message);
      return true;
    });
  });
}

Deno.test("A lost token request says that the request behind it was never sent", async () => {
  const { tokens } = setUp(() => {
    throw new NetworkError("no answer", { method: "POST", url: "u", mayHaveActed: true, timedOut: true });
  });
  await assert.rejects(
    tokens.get(),
    (error: Error) => error instanceof NetworkError && !error.mayHaveActed && error.timedOut,
  );
});

Deno.test("A token endpoint that fails is an authentication failure, not a failed write", async () => {
  const { tokens } = setUp(() => {
    throw new ServerError("down", { statusCode: 503, method: "POST", url: "u" });
  });
  await assert.rejects(
    tokens.get(),
    (error: Error) => error instanceof AuthError && error.error === "http_503",
  );
});
