import { equal, match, ok, rejects } from "../support/assert.ts";
import { ApiError, ForbiddenError, UnauthorizedError } from "../../mod.ts";
import { refusesProfile } from "../../src/platform/transport/error_body.ts";
import { failureText } from "../../src/interfaces/mcp/calls/failure_text.ts";
import { StubClient } from "../support/stub_client.ts";

const CASES: readonly [status: number, body: object, hint: RegExp][] = [
  [
    401,
    { code: "UNAUTHORIZED", details: "Not authorized to access scope 7" },
    /has no access to this profile/,
  ],
  [
    401,
    { code: "401", details: "No matching advertiser found for scope: 7" },
    /No profile of this host has the id/,
  ],
  [
    403,
    { message: "Invalid key=value pair (missing equal-sign) in Authorization header" },
    /check the path and the region/,
  ],
  [400, { code: "400", details: "Advertiser ID cannot be decrypted" }, /id of an advertiser account/],
];

for (const [status, json, hint] of CASES) {
  Deno.test(`${status} "${Object.values(json).at(-1)}" comes with advice, for agents too`, async () => {
    await using client = StubClient.start(() => ({ status, json }));
    await rejects(client.send({ scope: "7" }), (error: Error) => {
      ok(error instanceof ApiError);
      match(error.hint ?? "", hint);
      match(failureText(error), hint);
      return true;
    });
  });
}

Deno.test("other refusals come without advice", async () => {
  await using client = StubClient.start(() => ({ status: 403, json: { message: "Forbidden" } }));
  await rejects(client.send(), (error: Error) => error instanceof ApiError && error.hint === undefined);
});

Deno.test("ten lists of a refused profile renew the token once, and others still renew an expired one", async () => {
  let expired = "token-none";
  await using client = StubClient.start(({ headers }) => {
    const token = headers.get("authorization")!.replace("Bearer ", "");
    if (token === expired) return { status: 401, json: { code: "UNAUTHORIZED", details: "expired" } };
    return headers.get("platform-advertising-api-scope") === "7"
      ? { status: 401, json: { code: "UNAUTHORIZED", details: "Not authorized to access scope" } }
      : { json: "done" };
  });
  for (let list = 0; list < 10; list++) await rejects(client.send({ scope: "7", path: `/list/${list}` }));
  equal(client.tokenRequests, 2, "the first token and one renewal");
  equal(client.requests.length, 11);
  expired = "token-2";
  equal(await client.send({ scope: "8" }), "done");
  equal(client.tokenRequests, 3);
});

Deno.test("only a 401 that is about the scope refuses the profile", () => {
  const fields = { method: "GET", url: "http://host/list" };
  const about = "Not authorized to access scope 7";
  const cases: readonly [error: unknown, refuses: boolean][] = [
    [new UnauthorizedError("x", { ...fields, statusCode: 401, body: about }), true],
    [new UnauthorizedError("x", { ...fields, statusCode: 401, body: "expired" }), false],
    [new ForbiddenError("x", { ...fields, statusCode: 403, body: about }), false],
    [new Error(about), false],
    [undefined, false],
  ];
  for (const [error, refuses] of cases) equal(refusesProfile(error), refuses, String(error));
});
