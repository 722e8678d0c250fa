import assert from "node:assert/strict";
import { AuthError, UnauthorizedError } from "../../mod.ts";
import { StubClient, type StubClientOptions } from "../support/stub_client.ts";
import type { StubHandler } from "../support/stub_server.ts";

/** Serves those whose token is not among the expired ones. */
function accepting(expired: readonly string[]): StubHandler {
  return ({ headers }) => {
    const token = headers.get("authorization")!.replace("Bearer ", "");
    if (expired.includes(token)) return { status: 401, json: { code: "UNAUTHORIZED", details: "expired" } };
    // Its number, for a token that is echoed does not come through.
    return { json: Number(token.replace("token-", "")) };
  };
}

Deno.test("A 401 is answered with one fresh token, for a write too, without a wait", async () => {
  for (const method of ["GET", "PUT"]) {
    await using client = StubClient.start(accepting(["token-1"]));
    assert.equal(await client.send(method === "GET" ? {} : { method, json: {} }), 2);
    assert.deepEqual([client.requests.length, client.tokenRequests], [2, 2]);
    assert.deepEqual(client.time.slept, []);
  }
});

Deno.test("A 401 that persists is an UnauthorizedError after one renewal", async () => {
  await using client = StubClient.start(accepting(["token-1", "token-2", "token-3"]));
  await assert.rejects(
    client.send(),
    (error: Error) => error instanceof UnauthorizedError && /expired/.test(error.message),
  );
  assert.deepEqual([client.requests.length, client.tokenRequests], [2, 2]);
});

Deno.test("A storm of 401s renews the token once", async () => {
  await using client = StubClient.start(accepting(["token-1"]));
  const answers = await Promise.all(Array.from({ length: 40 }, () => client.send()));
  assert.deepEqual(new Set(answers), new Set([2]));
  assert.equal(client.tokenRequests, 2);
});

Deno.test("The renewal does not use up an attempt", async () => {
  const options: StubClientOptions = { transport: { retry: { maxAttempts: 2 } } };
  await using client = StubClient.start(
    (request, turn) => turn === 2 ? { status: 503 } : accepting(["token-1"])(request, turn),
    options,
  );
  assert.equal(await client.send(), 2);
  assert.equal(client.requests.length, 3);
});

Deno.test("A refused refresh token is an AuthError with the provider's code, and nothing else is sent", async () => {
  await using client = StubClient.start(({ path }) => {
    assert.equal(path, "/token");
    return {
      status: 400,
      json: { error: "invalid_grant", error_description: "expired", access_token: null },
    };
  }, { tokens: false });
  await assert.rejects(
    client.send(),
    (error: Error) =>
      error instanceof AuthError && error.error === "invalid_grant" && /expired/.test(error.message),
  );
  assert.equal(client.server.requests.length, 1);
});

Deno.test("A token endpoint that stays down is an AuthError that names its status", async () => {
  await using client = StubClient.start(() => ({ status: 503, text: "<title>Down</title>" }), {
    tokens: false,
    transport: { retry: { maxAttempts: 3 } },
  });
  await assert.rejects(
    client.send({ method: "POST", json: {} }),
    (error: Error) => error instanceof AuthError && error.error === "http_503" && /Down/.test(error.message),
  );
  assert.equal(client.server.requests.length, 3);
});

Deno.test("token() hands out the shared token and rejects when its signal is aborted", async () => {
  await using client = StubClient.start(() => ({ json: 1 }));
  assert.deepEqual([await client.transport.token(), await client.transport.token()], ["token-1", "token-1"]);
  await assert.rejects(client.transport.token(AbortSignal.abort(new Error("no more"))), /no more/);
});
