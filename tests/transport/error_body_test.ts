import assert from "node:assert/strict";
import * as ads from "../../mod.ts";
import { readErrorBody } from "../../src/platform/transport/error_body.ts";
import { answerOf, fixtureNames, readFixture } from "../support/fixture.ts";
import { StubClient } from "../support/stub_client.ts";

interface Expected {
  readonly error: new (message: string, fields: ads.transport.ApiErrorFields) => ads.ApiError;
  readonly code?: string;
  readonly requestId?: string;
  readonly message: RegExp;
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  "errors/code_details": {
    error: ads.UnauthorizedError,
    code: "UNAUTHORIZED",
    requestId: "R1CODEDETAILS",
    message:
      /^The platform responded with 401 to GET \/na\/v2\/profiles: UNAUTHORIZED: Not authorized to access scope 1234567890 \(request id R1CODEDETAILS\)$/,
  },
  "errors/code_details_request_id": {
    error: ads.UnprocessableError,
    code: "422",
    requestId: "R2INTHEBODY",
    message: /422 to GET \/na\/sb\/keywords: Id filter has invalid value \(request id R2INTHEBODY\)$/,
  },
  "errors/code_message": {
    error: ads.BadRequestError,
    code: "INVALID_ARGUMENT",
    requestId: "R3CODEMESSAGE",
    message: /INVALID_ARGUMENT: maxResults must be/,
  },
  "errors/code_message_errors": {
    error: ads.BadRequestError,
    code: "INVALID_ARGUMENT",
    requestId: "R4ERRORS",
    message: /INVALID_ARGUMENT: Request body is malformed: Could not read the value \(request/,
  },
  "errors/access_denied": {
    error: ads.ForbiddenError,
    code: "ACCESS_DENIED",
    requestId: "R5DENIED",
    message: /ACCESS_DENIED/,
  },
  "errors/unsupported_media_type": {
    error: ads.ApiError,
    code: "UNSUPPORTED_MEDIA_TYPE",
    requestId: "R6MEDIA",
    message: /responded with 415/,
  },
  "errors/internal_error": {
    error: ads.ServerError,
    code: "INTERNAL_ERROR",
    requestId: "R7INTERNAL",
    message: /responded with 500/,
  },
  "errors/throttled": {
    error: ads.ThrottledError,
    code: "THROTTLED",
    requestId: "R8THROTTLED",
    message: /responded with 429.*THROTTLED: Too many requests/,
  },
  "errors/report_detail": {
    error: ads.BadRequestError,
    code: "400",
    requestId: "R9REPORT",
    message: /reports: startDate to endDate range \(32 days\)/,
  },
  "errors/report_duplicate": {
    error: ads.ApiError,
    code: "425",
    requestId: "R10DUPLICATE",
    message: /duplicate of : 0f7c1d52/,
  },
  "errors/export_error_code": {
    error: ads.NotFoundError,
    code: "NOT_FOUND",
    requestId: "R11EXPORT",
    message: /NOT_FOUND: No such export/,
  },
  "errors/gateway_message": {
    error: ads.ForbiddenError,
    requestId: "R12GATEWAY",
    message: /\/mcp\/some_tool: Invalid key=value pair/,
  },
  "errors/html": { error: ads.ServerError, message: /profiles: 503 Service Unavailable$/ },
  "errors/empty": { error: ads.ApiError, message: /^The platform responded with 406 to GET \/na\/invoices$/ },
  "errors/error_list_alone": {
    error: ads.BadRequestError,
    code: "INVALID_ARGUMENT",
    requestId: "R15LIST",
    message: /adProductFilter is required/,
  },
};

Deno.test("Every recorded error body is expected here", () => {
  assert.deepEqual(fixtureNames("errors"), Object.keys(EXPECTED).sort());
});

for (const [name, expected] of Object.entries(EXPECTED)) {
  Deno.test(`The recorded answer ${name} becomes a ${expected.error.name} with its code, words and request id`, async () => {
    const fixture = readFixture(name);
    await using client = StubClient.start(() => answerOf(fixture), {
      transport: { retry: { maxAttempts: 1 } },
    });
    const { method, path, json } = fixture.request;
    await assert.rejects(client.send({ method, path, json, idempotent: false }), (error: Error) => {
      assert.ok(error instanceof ads.ApiError);
      assert.equal(error.constructor, expected.error);
      assert.equal(error.statusCode, fixture.response.status);
      assert.equal(error.code, expected.code);
      assert.equal(error.requestId, expected.requestId);
      assert.match(error.message, expected.message);
      assert.equal(error.method, method);
      assert.equal(error.url, `${client.server.url}/na${path}`);
      const body = fixture.response.text ?? JSON.stringify(fixture.response.json);
      assert.equal(error.body, body);
      return true;
    });
  });
}

Deno.test("A throttled answer tells how long the platform asked to wait", async () => {
  await using client = StubClient.start(() => answerOf(readFixture("errors/throttled")), {
    transport: { retry: { maxAttempts: 1 } },
  });
  await assert.rejects(
    client.send(),
    (error: Error) => error instanceof ads.ThrottledError && error.retryAfter === 7,
  );
});

Deno.test("Odd bodies are read as far as they go", () => {
  const cases: readonly [text: string, expected: unknown][] = [
    ["", {}],
    ["   ", {}],
    ["{}", {}],
    ["[]", {}],
    ["null", { message: "null" }],
    ['{"code":12345678901234567890,"message":5}', { code: "12345678901234567890", message: "5" }],
    ['[{"code":"A","description":"first"},{"code":"B"}]', { code: "A", message: "first" }],
    ['{"code":"CUT","message":"in the mid', { message: '{"code":"CUT","message":"in the mid' }],
    ["plain words", { message: "plain words" }],
    ["<p>a <b>b</b>\n c</p>", { message: "a b c" }],
    ['{"error":"invalid_grant","error_description":"gone"}', { code: "invalid_grant", message: "gone" }],
    ['{"message":"m","errors":[{"message":"a"},{"details":"b"},{"message":"m"},{"message":"a"},7,{}]}', {
      message: "m: a; b",
    }],
    ['{"code":{"deep":1},"message":["x"],"requestId":"r"}', { requestId: "r" }],
  ];
  for (const [text, expected] of cases) assert.deepEqual(readErrorBody(text), expected, text);
});

Deno.test("A very long message is cut", () => {
  for (const [length, expected] of [[1000, "m".repeat(1000)], [1001, `${"m".repeat(1000)}…`]] as const) {
    assert.equal(readErrorBody(JSON.stringify({ message: "m".repeat(length) })).message, expected);
  }
});
