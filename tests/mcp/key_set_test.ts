import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import { KeySet, KeysUnavailableError, readIssuerKeys } from "../../src/interfaces/mcp/access/issuer_keys.ts";
import { AuthorizationServer, signingKey } from "./support/authorization_server.ts";

const MINUTE = 60_000;

interface Issuer {
  keys: JSONWebKeySet | Error;
  reads: number;
  now: number;
  readonly log: string[];
}

function keySetOf(issuer: Issuer): KeySet {
  return new KeySet({
    read: () => {
      issuer.reads++;
      return issuer.keys instanceof Error ? Promise.reject(issuer.keys) : Promise.resolve(issuer.keys);
    },
    choose: createLocalJWKSet,
    isUnknownKey: (error) => error instanceof errors.JWKSNoMatchingKey,
    now: () => issuer.now,
    log: (line) => void issuer.log.push(line),
  });
}

const FIRST = await signingKey("first");
const SECOND = await signingKey("second");
const THIRD = await signingKey("third");
const [first, second] = [{ alg: "ES256", kid: "first" }, { alg: "ES256", kid: "second" }];

function issuerOf(keys: Issuer["keys"]): Issuer {
  return { keys, reads: 0, now: 0, log: [] };
}

Deno.test("keys are read once for many tokens, and again after ten minutes", async () => {
  const issuer = issuerOf({ keys: [FIRST.jwk] });
  const keys = keySetOf(issuer);
  await Promise.all(Array.from({ length: 50 }, () => keys.find(first)));
  equal(issuer.reads, 1);
  issuer.now = 10 * MINUTE;
  await keys.find(first);
  equal(issuer.reads, 1);
  issuer.now += 1;
  await keys.find(first);
  equal(issuer.reads, 2);
});

Deno.test("a key that is not known is looked for at the issuer, at once and then at most every ten seconds", async () => {
  const issuer = issuerOf({ keys: [FIRST.jwk] });
  const keys = keySetOf(issuer);
  await keys.find(first);
  issuer.keys = { keys: [FIRST.jwk, SECOND.jwk] };
  await keys.find(second);
  equal(issuer.reads, 2, "right after they were read");
  issuer.reads = 1;
  for (let count = 0; count < 100; count++) {
    issuer.now += 600;
    await rejects(keys.find({ alg: "ES256", kid: `made up ${count}` }), errors.JWKSNoMatchingKey);
  }
  equal(issuer.reads, 6, "a minute of made-up names costs the issuer five requests");
  issuer.keys = { keys: [THIRD.jwk] };
  issuer.now += MINUTE;
  await keys.find({ alg: "ES256", kid: "third" });
  await rejects(keys.find(first), errors.JWKSNoMatchingKey, "the old key is withdrawn");
});

Deno.test("while the issuer cannot be read the known keys count, for a day, and the log says so", async () => {
  const issuer = issuerOf({ keys: [FIRST.jwk] });
  const keys = keySetOf(issuer);
  await keys.find(first);
  issuer.keys = new Error("it is down");
  issuer.now = 11 * MINUTE;
  await keys.find(first);
  match(issuer.log[0]!, /Cannot renew the keys.*known keys stay valid: it is down/);
  await keys.find(first);
  equal(issuer.log.length, 1, "not tried again at once");
  issuer.now = 24 * 60 * MINUTE + 1;
  await rejects(keys.find(first), KeysUnavailableError);
  issuer.keys = { keys: [FIRST.jwk] };
  issuer.now += MINUTE;
  await keys.find(first);
});

Deno.test("the issuer's metadata name its keys, by either of the standards, and must bear its name", async () => {
  await using server = await AuthorizationServer.start({ path: "/realm/ads" });
  const settings = { issuer: server.issuer, audience: "https://ads.example/mcp" };
  equal((await readIssuerKeys(settings, fetch)).keys.length, 1);
  deepEqual(server.requests, ["/.well-known/oauth-authorization-server/realm/ads", "/realm/ads/keys"]);
  server.requests.length = 0;
  server.metadataPath = "/realm/ads/.well-known/openid-configuration";
  await readIssuerKeys(settings, fetch);
  equal(server.requests.length, 4);
  const tables: [string, Record<string, unknown>, RegExp][] = [
    ["another name", { issuer: "https://evil.example" }, /calls itself "https:\/\/evil.example"/],
    ["an address of keys in the clear", { jwks_uri: "http://evil.example/keys" }, /no https address/],
    ["no address of keys", { jwks_uri: undefined }, /no https address/],
  ];
  for (const [what, metadata, why] of tables) {
    server.metadata = metadata;
    await rejects(readIssuerKeys(settings, fetch), why, what);
  }
});

Deno.test("what is not a list of keys is refused: a redirect, a huge text, no JSON, another shape", async () => {
  const settings = {
    issuer: "https://id.example",
    audience: "https://ads.example",
    jwks: "https://id.example/keys",
  };
  const cases: [() => Response, RegExp][] = [
    [() => Response.json({ keys: "none" }), /it holds no list of keys/],
    [() => Response.json([]), /it holds no list of keys/],
    [() => new Response("<html>"), /it is not JSON/],
    [() => new Response("x".repeat(1_100_000)), /more than 1000000 characters/],
    [() => new Response(null, { status: 404 }), /status 404/],
  ];
  for (const [response, why] of cases) {
    await rejects(readIssuerKeys(settings, () => Promise.resolve(response())), why);
  }
  const modes: unknown[] = [];
  await rejects(
    readIssuerKeys(settings, (_, init) => Promise.reject(new TypeError(String(modes.push(init?.redirect))))),
    /it cannot be reached/,
  );
  deepEqual(modes, ["error"], "redirects are not followed");
});
