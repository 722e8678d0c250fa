import { equal, match } from "../support/assert.ts";
import { Caller, type CallOptions } from "./caller.ts";

const KEYWORDS = "application/vnd.spKeyword.v3+json";

interface Case {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly options: (caller: Caller) => CallOptions;
  readonly status: number;
  readonly text: RegExp;
}

const CASES: readonly Case[] = [
  {
    what: "no token",
    options: () => ({ headers: { authorization: "" } }),
    status: 401,
    text: /HTTP 401 Unauthorized/,
  },
  {
    what: "an unknown token",
    options: () => ({ headers: { authorization: "Bearer Atza|x.y" } }),
    status: 401,
    text: /HTTP 401 Unauthorized/,
  },
  {
    what: "a token of another scheme",
    options: () => ({ headers: { authorization: "Basic abc" } }),
    status: 401,
    text: /HTTP 401 Unauthorized/,
  },
  {
    what: "no client id",
    options: () => ({ headers: { "Platform-Advertising-API-ClientId": "" } }),
    status: 401,
    text: /ClientId header is missing/,
  },
  {
    what: "another client id",
    options: () => ({ headers: { "Platform-Advertising-API-ClientId": "someone" } }),
    status: 401,
    text: /ClientId does not match/,
  },
  {
    what: "no scope",
    options: () => ({ profile: null }),
    status: 401,
    text: /"details":"Scope header is missing"/,
  },
  {
    what: "the scope of nobody",
    options: () => ({ profile: "12" }),
    status: 401,
    text: /"details":"No matching advertiser found for scope: 12"/,
  },
  {
    what: "the scope of another region",
    options: (caller) => ({ profile: caller.profile("DE"), host: "NA" }),
    status: 401,
    text: /No matching advertiser found for scope/,
  },
  {
    what: "an unserved path",
    path: "/sp/nonsense",
    options: () => ({}),
    status: 403,
    text: /^\{"message":"Invalid key=value pair/,
  },
  {
    what: "a served path with another method",
    method: "PATCH",
    options: () => ({}),
    status: 403,
    text: /"message"/,
  },
  {
    what: "a hosted tool",
    path: "/mcp/query",
    options: () => ({}),
    status: 403,
    text: /Authorization header/,
  },
  {
    what: "a real operation of which no shape is published",
    path: "/dsp/rules/adjustments/list",
    options: () => ({}),
    status: 501,
    text: /does not serve the operation bid-adjustments:ListBidAdjustmentRules/,
  },
  {
    what: "another media type",
    options: () => ({ headers: { "content-type": "application/json" } }),
    status: 415,
    text: /"code":"UNSUPPORTED_MEDIA_TYPE"/,
  },
  {
    what: "a compressed body",
    options: () => ({ headers: { "content-encoding": "gzip" } }),
    status: 415,
    text: /UNSUPPORTED_MEDIA_TYPE/,
  },
  {
    what: "another accepted type",
    options: () => ({ headers: { accept: "text/html" } }),
    status: 406,
    text: /^$/,
  },
  { what: "malformed JSON", options: () => ({ raw: '{"a":' }), status: 400, text: /not valid JSON/ },
  {
    what: "bytes that are not UTF-8",
    options: () => ({ raw: new Uint8Array([0x22, 0xff, 0x22]) }),
    status: 400,
    text: /not valid JSON/,
  },
  {
    what: "a list in place of an object",
    options: () => ({ raw: "[1]" }),
    status: 400,
    text: /must be an object/,
  },
];

for (const { what, method = "POST", path = "/sp/keywords/list", options, status, text } of CASES) {
  Deno.test(`${what} is answered with ${status}`, async () => {
    await using caller = await Caller.start();
    const answer = await caller.call(method, path, {}, { type: KEYWORDS, ...options(caller) });
    equal(answer.status, status);
    match(answer.text, text);
    match(answer.headers.get("x-platform-request-id") ?? "", /^[0-9A-F]{20}$/);
  });
}

Deno.test("the token is looked at before the path, the scope before the media type", async () => {
  await using caller = await Caller.start();
  equal((await caller.call("POST", "/nonsense", {}, { headers: { authorization: "" } })).status, 401);
  equal(
    (await caller.call("POST", "/sp/keywords/list", {}, { profile: null, type: "text/plain" })).status,
    401,
  );
  const both = await caller.call("POST", "/sp/keywords/list", undefined, {
    raw: "{",
    headers: { accept: "a/b" },
    type: KEYWORDS,
  });
  equal(both.status, 406);
});

const ACCEPTED: readonly string[] = [
  KEYWORDS.toUpperCase(),
  "*/*",
  "application/*",
  `text/html, ${KEYWORDS};q=0.5`,
];

for (const accept of ACCEPTED) {
  Deno.test(`a caller that accepts ${accept} gets the operation's type`, async () => {
    await using caller = await Caller.start();
    const headers = { accept, "content-type": `${KEYWORDS}; charset=utf-8` };
    const answer = await caller.call("POST", "/sp/keywords/list", { maxResults: 1 }, { headers });
    equal(answer.status, 200);
    equal(answer.headers.get("content-type"), KEYWORDS);
  });
}

Deno.test("the sandbox serves a profile of any region", async () => {
  await using caller = await Caller.start();
  for (const country of ["US", "DE", "JP"]) {
    const options = { profile: caller.profile(country), host: "SANDBOX", type: KEYWORDS } as const;
    equal((await caller.call("POST", "/sp/keywords/list", { maxResults: 1 }, options)).status, 200);
  }
});

Deno.test("a refused login names the request id in its body too", async () => {
  await using caller = await Caller.start();
  const answer = await caller.call("GET", "/v2/profiles", undefined, { headers: { authorization: "" } });
  equal(answer.json.requestId, answer.headers.get("x-platform-request-id"));
});
