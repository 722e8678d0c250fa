import assert from "node:assert/strict";
import * as ads from "../mod.ts";

const FIELDS: ads.transport.ApiErrorFields = { statusCode: 400, method: "GET", url: "https://api.example/x" };

Deno.test("Every error names its class and descends from PlatformAdsError", () => {
  const errors: readonly [string, Error, ...unknown[]][] = [
    ["ConfigurationError", new ads.ConfigurationError("x")],
    ["AuthError", new ads.AuthError("x", "invalid_grant")],
    ["BadRequestError", new ads.BadRequestError("x", FIELDS)],
    ["UnauthorizedError", new ads.UnauthorizedError("x", FIELDS)],
    ["ForbiddenError", new ads.ForbiddenError("x", FIELDS)],
    ["NotFoundError", new ads.NotFoundError("x", FIELDS)],
    ["UnprocessableError", new ads.UnprocessableError("x", FIELDS)],
    ["ThrottledError", new ads.ThrottledError("x", { ...FIELDS, retryAfter: 3 })],
    ["ServerError", new ads.ServerError("x", FIELDS)],
    [
      "NetworkError",
      new ads.NetworkError("x", { method: "GET", url: "u", mayHaveActed: true, timedOut: false }),
    ],
    ["PartialFailureError", new ads.PartialFailureError("x", {})],
    ["ReportFailedError", new ads.ReportFailedError("x", "r1", "FAILED")],
    ["PlanDriftError", new ads.PlanDriftError("x", [])],
    ["UnsupportedOperationError", new ads.UnsupportedOperationError("x")],
  ];
  for (const [name, error] of errors) {
    assert.equal(error.name, name);
    assert.ok(error instanceof ads.PlatformAdsError, name);
    assert.equal(error instanceof ads.ApiError, "statusCode" in error, name);
    assert.match(String(error), new RegExp(`^${name}: x$`));
  }
});

Deno.test("No text field of an error keeps a token, whoever builds it", () => {
  const token = "Atza|planted.token";
  const api = new ads.ThrottledError(`Bearer ${token}`, {
    ...FIELDS,
    body: `{"access_token":"${token}"}`,
    url: `https://api.example/x?token=${token}`,
  }, { cause: new Error(`sent Bearer ${token}`) });
  const auth = new ads.AuthError("refused", `bad ${token}`);
  const seen = [api.message, api.body, api.url, api.stack, String(api.cause), auth.error].join("\n");
  assert.ok(!seen.includes("planted"), seen);
});

Deno.test("An error keeps 4,000 characters of a body", () => {
  const error = new ads.BadRequestError("x", { ...FIELDS, body: "y".repeat(10_000) });
  assert.equal(error.body.length, 4000);
});
