import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { PlatformAds, type ProfileClient, UnexpectedResponseError } from "../../mod.ts";
import {
  noteOrigin,
  originOf,
  readBody,
  unexpectedResponse,
} from "../../src/platform/transport/unexpected_response.ts";
import { reportStatus } from "../../src/client/reports/requests/report_job.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../support/stub_client.ts";
import { type StubAnswer, StubServer } from "../support/stub_server.ts";

const REFUSAL = { code: "ACCESS_DENIED", message: "The advertiser is suspended", requestId: "in-body" };
const PAGE = "<!DOCTYPE html><html><head><title>Sign in to the proxy</title></head><body>…</body></html>";

/** A profile whose platform responds to everything with one success. */
async function responding<T>(
  answer: StubAnswer,
  use: (us: ProfileClient, server: StubServer) => Promise<T>,
): Promise<T> {
  await using server = StubServer.start(({ path }) =>
    path === "/token" ? { json: { access_token: "token", expires_in: 3600 } } : answer
  );
  const ads = new PlatformAds(STUB_CREDENTIALS, {
    platform: stubPlatform(server.url),
    sleep: async () => {},
  });
  return await use(ads.profileFrom("1", "US"), server);
}

const headers = { "x-platform-request-id": "in-header" };
const CASES: readonly [what: string, answer: StubAnswer, code: string | undefined, said: RegExp][] = [
  [
    "an error body",
    { json: REFUSAL },
    "ACCESS_DENIED",
    /ACCESS_DENIED: The advertiser is suspended \(request id in-body\)$/,
  ],
  ["an empty object", { status: 207, json: {}, headers }, undefined, /says: \{\} \(request id in-header\)$/],
  [
    "a page of HTML",
    { text: PAGE, headers: { ...headers, "content-type": "text/html" } },
    undefined,
    /Sign in to the proxy \(request id in-header\)$/,
  ],
];

for (const [what, answer, code, said] of CASES) {
  Deno.test(`a list, a report and profiles that get ${what} say the platform's words, code and request id`, async () => {
    await responding(answer, async (us) => {
      const reads = [
        () => us.sp.campaigns.list(),
        () => us.sb.keywords.list(),
        () => us.sb.targets.list(),
        () => reportStatus(us, "7"),
      ];
      for (const read of reads) {
        await rejects(read(), (error: Error) => {
          ok(error instanceof UnexpectedResponseError, String(error));
          match(error.message, said);
          equal(error.code, code);
          equal(error.statusCode, answer.status ?? 200);
          ok(error.requestId?.startsWith("in-"));
          return true;
        });
      }
    });
  });

  Deno.test(`a write that gets ${what} may have been done, says the platform's words, and is not sent again`, async () => {
    await responding(answer, async (us, server) => {
      const writes = [
        () => us.sp.keywords.update([{ keywordId: "9", bid: 0.5 }]),
        () =>
          us.sb.keywords.create([{
            campaignId: "1",
            adGroupId: "2",
            keywordText: "a",
            matchType: "exact",
            bid: 1,
          }]),
      ];
      for (const write of writes) {
        const before = server.requests.length;
        const { errors: [error], stoppedBy } = await write();
        equal(server.requests.filter(({ path }) => path !== "/token").length, before === 0 ? 1 : 2);
        ok(stoppedBy instanceof UnexpectedResponseError, String(stoppedBy));
        deepEqual([error!.outcome, error!.code], ["unknown", "UNREADABLE"]);
        match(error!.message, said);
        match(error!.hint ?? "", /could not be read: check the account/);
      }
    });
  });
}

Deno.test("of long words 500 characters are kept", async () => {
  const message = "x".repeat(2000);
  await responding({ json: { code: "LONG", message } }, async (us) => {
    await rejects(us.sp.campaigns.list(), (error: Error) => {
      ok(error instanceof UnexpectedResponseError);
      ok(error.message.length < 700 && error.message.includes("x".repeat(490)), String(error.message.length));
      return error.body.length === 500;
    });
  });
});

Deno.test("an unexpected response keeps the cause that reading its body had, and has none without", () => {
  const cause = new TypeError("rows is not an array");
  const failing = (): never => {
    throw cause;
  };
  throws(() => readBody({}, "Cannot read rows", failing), (error: Error) => error.cause === cause);
  equal("cause" in unexpectedResponse({}, "Cannot read rows"), false);
});

const ORIGIN = { status: 200, method: "GET", url: "http://host/list", requestId: "R1" };

Deno.test("a body that is an object keeps its response, which its error tells; others have none", () => {
  for (const body of [{}, []]) {
    equal(originOf(body), undefined);
    noteOrigin(body, undefined);
    equal(originOf(body), undefined);
    noteOrigin(body, ORIGIN);
    equal(originOf(body), ORIGIN);
    const error = unexpectedResponse(body, "Cannot list");
    deepEqual([error.statusCode, error.method, error.url, error.requestId], [200, "GET", ORIGIN.url, "R1"]);
    match(
      error.message,
      /^Cannot list. The platform responded with 200 to GET \/list, and says: .* \(request id R1\)$/,
    );
  }
  for (const body of ["text", 7, null, undefined, true]) {
    noteOrigin(body, ORIGIN);
    equal(originOf(body), undefined);
  }
});

Deno.test("an unexpected response without a known request says what it holds, or that it is empty", () => {
  const cases: readonly [body: unknown, said: string][] = [
    [undefined, "sent an empty body"],
    ["", "sent an empty body"],
    ["text", "says: text"],
    [null, "says: null"],
    [{ a: 1 }, 'says: {"a":1}'],
    [{ code: "C" }, "says: C"],
    [{ message: "M", requestId: "R2" }, "says: M (request id R2)"],
    ["x".repeat(500), `says: ${"x".repeat(500)}`],
    ["x".repeat(501), `says: ${"x".repeat(500)}…`],
  ];
  for (const [body, said] of cases) {
    const error = unexpectedResponse(body, "Cannot list");
    equal(error.message, `Cannot list. The platform ${said}`);
    deepEqual([error.statusCode, error.cause], [undefined, undefined]);
  }
});
