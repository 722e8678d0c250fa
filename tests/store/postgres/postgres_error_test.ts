import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ConfigurationError, type PlatformAdsError } from "../../../src/errors.ts";
import {
  codeOf,
  isAway,
  retryWhileUnavailable,
  storeError,
} from "../../../src/store/postgres/postgres_error.ts";
import { StoreError } from "../../../src/store/model/store_error.ts";

function withCode(code: unknown, message = "raw words"): Error {
  return Object.assign(new Error(message), { code });
}

test("what the database, the network or the certificate says is told in plain words", () => {
  const told: [error: Error, kind: typeof PlatformAdsError, words: RegExp][] = [
    [withCode("28P01"), ConfigurationError, /refuses the password/],
    [withCode("28000"), ConfigurationError, /pg_hba\.conf, and whether it requires encryption/],
    [withCode("3D000"), ConfigurationError, /no such database/],
    [withCode("ENOTFOUND"), ConfigurationError, /its host is not known/],
    [
      new Error("The server does not support SSL connections"),
      ConfigurationError,
      /does not support encryption/,
    ],
    [
      new Error("There was an error establishing an SSL connection"),
      ConfigurationError,
      /does not support encryption/,
    ],
    [new Error("SASL: client password must be a string"), ConfigurationError, /asks for a password/],
    [
      new Error("SASL: server signature does not match"),
      ConfigurationError,
      /cannot prove that it knows the password/,
    ],
    [withCode("CERT_HAS_EXPIRED"), ConfigurationError, /certificate is refused: raw words\. Check the host/],
    [withCode("DEPTH_ZERO_SELF_SIGNED_CERT"), ConfigurationError, /certificate is refused/],
    [withCode("ERR_TLS_CERT_ALTNAME_INVALID"), ConfigurationError, /certificate is refused/],
    [withCode("53100"), StoreError, /disk is full/],
    [withCode("55P03"), StoreError, /another process has held it for two minutes/],
    [withCode("ECONNREFUSED"), StoreError, /no server responds there/],
    [new Error("timeout expired"), StoreError, /no server responded within 10 s/],
    [new Error("Connection terminated unexpectedly"), StoreError, /connection was lost/],
    [
      new Error("Client has encountered a connection error and is not queryable"),
      StoreError,
      /connection was lost/,
    ],
    [new Error("Cannot use a pool after calling end on the pool"), StoreError, /it was closed already/],
    [withCode("42601"), StoreError, /: raw words$/],
  ];
  for (const [cause, kind, words] of told) {
    const error = storeError(cause, "postgres://db/ads");
    assert(error instanceof kind, cause.message);
    assert.match(error.message, /^Cannot use store "postgres:\/\/db\/ads": /);
    assert.match(error.message, words);
    assert.equal(error.cause, cause);
  }
});

test("an error of the program, and one without a code, stays as it is", () => {
  // What happens while rows are read may have a code of its own.
  const own = Object.assign(new ConfigurationError("x"), { code: "ECONNRESET" });
  for (const error of [new StoreError("x"), own, new Error("x"), withCode(5), "text", undefined]) {
    assert.equal(storeError(error, "postgres://db/ads"), error);
  }
});

test("the code of an error is its own, that of its first part, or what its words stand for", () => {
  assert.equal(codeOf(withCode("23505")), "23505");
  assert.equal(codeOf(new AggregateError([withCode("ECONNREFUSED"), withCode("EPIPE")])), "ECONNREFUSED");
  assert.equal(codeOf(new AggregateError([])), undefined);
  assert.equal(codeOf(new Error("timeout expired")), "CONNECT_TIMEOUT");
  assert.equal(codeOf({ code: "23505" }), undefined, "no error");
  assert.equal(codeOf(withCode(42)), undefined);
});

test("a server that restarts is away, one that refuses is not", () => {
  for (const code of ["57P01", "57P02", "57P03", "08006", "ECONNREFUSED", "ECONNRESET", "EPIPE"]) {
    assert(isAway(withCode(code)), code);
    assert(isAway(storeError(withCode(code), "x")), `${code}, as the store tells it`);
  }
  assert(isAway(new Error("Connection terminated")));
  for (const error of [withCode("57014"), withCode("28P01"), withCode("42501"), new Error("x"), {}]) {
    assert(!isAway(error));
  }
  assert(!isAway(new StoreError("x", { cause: withCode("42501") })));
});

test("work waits for a server that is away, for a minute at most, and for nothing else", async () => {
  const began = 5000;
  let now = began;
  const clock = mock.method(performance, "now", () => now);
  const waits: number[] = [];
  const { setTimeout: timer } = globalThis;
  const wait = (go: () => void, milliseconds: number): number => {
    waits.push(milliseconds);
    queueMicrotask(go);
    return 0;
  };
  Object.assign(globalThis, { setTimeout: wait });
  try {
    const failing = (...after: number[]) => (): Promise<string> => {
      const seconds = after.shift();
      if (seconds === undefined) return Promise.resolve("done");
      now = began + seconds * 1000;
      return Promise.reject(withCode("ECONNREFUSED"));
    };
    assert.equal(await retryWhileUnavailable(failing(1, 30, 60)), "done");
    assert.deepEqual(waits, [250, 250, 250]);
    now = began;
    await assert.rejects(retryWhileUnavailable(failing(1, 60.001)), /raw words/);
    const refused = withCode("42501");
    await assert.rejects(retryWhileUnavailable(() => Promise.reject(refused)), refused);
    assert.equal(waits.length, 4);
  } finally {
    clock.mock.restore();
    globalThis.setTimeout = timer;
  }
});
