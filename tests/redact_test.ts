import assert from "node:assert/strict";
import { redact, redactError, redactValue } from "../src/base/text/redact.ts";

const SECRET = "Xy7.very-Secret_0";

const ECHOES: Readonly<Record<string, string>> = {
  "a bearer header": `Authorization: Bearer ${SECRET}`,
  "a bearer token in a sentence": `the token Bearer ${SECRET} is expired`,
  "a basic header": `authorization: Basic ${SECRET}`,
  "a form body": `grant_type=refresh_token&refresh_token=${SECRET}&client_id=c`,
  "a JSON body": JSON.stringify({ client_secret: SECRET, other: 1 }),
  "a JSON body in camel case": JSON.stringify({ accessToken: SECRET, refreshToken: SECRET }),
  "JSON inside JSON": JSON.stringify({ message: JSON.stringify({ access_token: SECRET }) }),
  "a token of the identity provider": `bad token Atza|${SECRET} given`,
  "a percent-encoded token of the identity provider": `refresh_token given: Atzr%7C${SECRET}`,
  "a token in the middle of a percent-encoded text": `GET /x?message=bad%20token%20Atza%7C${SECRET}`,
  "a token that was percent-encoded twice": `GET /x?next=%2Fy%3Ftoken%20Atza%257C${SECRET}`,
  "a consent code in an address": `GET https://app.example/back?code=${SECRET}&state=1`,
  "a pre-signed address": `https://files.example/r.gz?x-sig-credential=${SECRET}&x-sig-signature=${SECRET}`,
};

for (const [what, text] of Object.entries(ECHOES)) {
  Deno.test(`redact() removes ${what}`, () => {
    const clean = redact(text);
    assert.ok(!clean.includes(SECRET), clean);
    assert.match(clean, /\[redacted\]/);
  });
}

Deno.test("redact() removes known secrets wherever they stand, as they are or percent-encoded", () => {
  const secret = "key/with+signs|x";
  const clean = redact(`a ${secret} b ${encodeURIComponent(secret)} c`, [secret]);
  assert.equal(clean, "a [redacted] b [redacted] c");
});

Deno.test("redact() leaves words alone that only look like secrets", () => {
  for (
    const text of ["Basic Tees", "The access token is expired", "code=5 is unknown", "bid 0.5 below 0.75"]
  ) {
    assert.equal(redact(text, ["abc"]), text);
  }
});

Deno.test("redactValue() cleans every text of a JSON value and keeps its shape", () => {
  assert.deepEqual(
    redactValue({ error: "x", list: [`Bearer ${SECRET}`, 1, null], deep: { known: "my-known-secret" } }, [
      "my-known-secret",
    ]),
    { error: "x", list: ["Bearer [redacted]", 1, null], deep: { known: "[redacted]" } },
  );
});

Deno.test("redactError() cleans message, stack and causes, and keeps name and code", () => {
  const address = `https://files.example/r.gz?token=${SECRET}`;
  const cause = Object.assign(new Error(`sending to ${address}`), { code: "ECONNRESET" });
  const error = redactError(new TypeError(`fetch of ${address} failed`, { cause })) as Error;
  assert.equal(error.message, "fetch of https://files.example/r.gz?token=[redacted] failed");
  assert.equal(error.name, "TypeError");
  assert.equal((error.cause as { code: string }).code, "ECONNRESET");
  assert.ok(
    !`${error.stack}${(error.cause as Error).stack}${(error.cause as Error).message}`.includes(SECRET),
  );
});

Deno.test("redactError() hands back an error without secrets as it is, and survives a circle of causes", () => {
  const clean = new Error("no secret here", { cause: "plain" });
  assert.equal(redactError(clean), clean);
  const circle = new Error("round");
  circle.cause = circle;
  assert.ok(redactError(circle) instanceof Error);
});

Deno.test("redactError() keeps what has no secret in an error that has one: fields, inner errors, causes of any kind", () => {
  const known = "key-of-no-pattern";
  const error = new AggregateError(
    [new Error(`one ${known}`), "two", { three: known }],
    "all failed",
    { cause: { request: { url: new URL(`https://x.example/?q=${known}`) }, tries: 3 } },
  );
  Object.assign(error, {
    code: "E1",
    config: { headers: new Headers({ authorization: "anything" }), timeout: 5, retry: () => {} },
    seen: new Map([["a", [known, 1]]]),
  });
  const clean = redactError(error, [known]);
  assert.ok(clean instanceof AggregateError);
  assert.ok(!Deno.inspect(clean, { depth: 20, showHidden: true }).includes(known));
  assert.deepEqual(clean.errors.slice(1), ["two", { three: "[redacted]" }]);
  assert.deepEqual(clean.cause, {
    request: { url: { href: "https://x.example/?q=[redacted]" } },
    tries: 3,
  });
  const { code, config, seen } = clean as AggregateError & Record<string, unknown>;
  assert.deepEqual({ code, config, seen }, {
    code: "E1",
    config: { headers: { authorization: "[redacted]" }, timeout: 5, retry: undefined },
    seen: { a: ["[redacted]", 1] },
  });
});

Deno.test("redactError() keeps the names of classes and of the web's errors, and no other", () => {
  class StaleFileError extends Error {
    override name = "StaleFileError";
  }
  for (const known of [new StaleFileError("x"), new RangeError("x"), new DOMException("x", "TimeoutError")]) {
    assert.equal(redactError(known), known);
  }
  const named = (name: string): Error => Object.assign(new TypeError("x"), { name });
  for (const name of ["Key4711", `Bearer ${SECRET}`]) {
    const clean = redactError(named(name)) as Error;
    assert.equal(clean.name, "TypeError");
    assert.ok(!Deno.inspect(clean).includes(name), Deno.inspect(clean));
  }
  class Wrapped extends Error {}
  Wrapped.prototype.name = SECRET;
  const clean = redactError(new Wrapped("x")) as Error;
  assert.equal(clean.name, "Wrapped");
  assert.ok(!Deno.inspect(clean).includes(SECRET), Deno.inspect(clean));
});
