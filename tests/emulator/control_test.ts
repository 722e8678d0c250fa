import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { Caller } from "./caller.ts";

const KEYWORDS = "application/vnd.spKeyword.v3+json";

Deno.test("the settings are all that a client needs", async () => {
  await using caller = await Caller.start();
  const { json } = await caller.control("GET", "settings");
  deepEqual(json.platform, JSON.parse(JSON.stringify(caller.emulator.platform)));
  deepEqual(json.credentials, JSON.parse(JSON.stringify(caller.emulator.credentials)));
  match(json.platform.regions.FE.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/fe$/);
});

Deno.test("the clock is shown, moved, frozen and set going", async () => {
  await using caller = await Caller.start();
  deepEqual((await caller.control("GET", "clock")).json, { now: "2026-09-30T12:00:00.000Z", frozen: true });
  equal((await caller.control("POST", "clock", { advance: 86_400 })).json.now, "2026-10-01T12:00:00.000Z");
  equal(
    (await caller.control("POST", "clock", { now: "2027-02-03T04:05:06Z" })).json.now,
    "2027-02-03T04:05:06.000Z",
  );
  equal((await caller.control("POST", "clock", { frozen: false })).json.frozen, false);
});

Deno.test("a move of the clock that cannot be made in full is not made at all", async () => {
  await using caller = await Caller.start();
  const moves = [
    { now: "2027-01-01T00:00:00Z", advance: "a day" },
    { now: "2027-01-01T00:00:00Z", frozen: "no" },
    { now: "2027-01-01T00:00:00Z", advance: 1e300 },
  ];
  for (const move of moves) {
    equal((await caller.control("POST", "clock", move)).status, 400);
    equal((await caller.control("GET", "clock")).json.now, "2026-09-30T12:00:00.000Z");
  }
});

Deno.test("the journal tells operation, region, profile, status and body of a request", async () => {
  await using caller = await Caller.start();
  await caller.control("DELETE", "requests");
  await caller.call("POST", "/sp/keywords/list?debug=1", { maxResults: 1 }, { type: KEYWORDS });
  const [entry, ...more] = (await caller.control("GET", "requests")).json.requests;
  deepEqual(more, []);
  const { number: _, headers, bodyHash, ...rest } = entry;
  deepEqual(rest, {
    time: "2026-09-30T12:00:00.000Z",
    method: "POST",
    path: "/na/sp/keywords/list",
    query: "debug=1",
    operation: "sponsored-products:ListSponsoredProductsKeywords",
    region: "NA",
    profileId: caller.profile("US"),
    body: `{"maxResults":1}`,
    status: 200,
  });
  match(bodyHash, /^[0-9a-f]{64}$/);
  deepEqual(Object.keys(headers).sort(), ["accept", "content-type", "user-agent"]);
});

Deno.test("the journal keeps the newest requests only", async () => {
  await using caller = await Caller.start({ journalLimit: 3 });
  for (let count = 0; count < 20; count++) await caller.call("GET", `/v2/profiles?n=${count}`);
  deepEqual(caller.emulator.requests().map((entry) => entry.query), ["n=17", "n=18", "n=19"]);
});

Deno.test("a reset forgets changes, requests and faults that were set since", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const keyword = profile.collection("sp.keywords").all().find((entity) => entity.state === "ENABLED")!;
  const body = { keywords: [{ keywordId: keyword.keywordId, bid: 7.77 }] };
  await caller.call("PUT", "/sp/keywords", body, { type: KEYWORDS });
  await caller.control("POST", "faults", [{ effects: { response: { status: 503 } } }]);
  await caller.control("POST", "reset");
  deepEqual((await caller.control("GET", "requests")).json.requests, []);
  deepEqual((await caller.control("GET", "faults")).json.rules, []);
  const filter = { keywordIdFilter: { include: [keyword.keywordId] } };
  const list = await caller.call("POST", "/sp/keywords/list", filter, { type: KEYWORDS });
  equal(list.json.keywords[0].bid, keyword.bid);
});

const WRONG: readonly [method: string, name: string, body: unknown, status: number, text: RegExp][] = [
  ["POST", "clock", { advance: "soon" }, 400, /not a number/],
  ["POST", "clock", { now: "soon" }, 400, /soon.* is not a moment/],
  ["POST", "clock", { then: 1 }, 400, /then.* is unknown/],
  ["POST", "clock", [], 400, /expected/],
  ["POST", "clock", "{", 400, /Cannot read the body: it is not JSON/],
  ["POST", "snapshot", "junk", 400, /Cannot read the body: it is not JSON/],
  ["POST", "faults", { rules: [{}] }, 400, /has no .*effects/],
  ["PUT", "clock", {}, 405, /It takes GET and POST/],
  [
    "POST",
    "faults",
    [{ effects: { response: { status: 99 } } }],
    400,
    /\\"status\\" of \\"response\\" of \\"effects\\" of rule 0 is 99. Expected 200 to 599/,
  ],
  [
    "POST",
    "faults",
    [{ effects: { explode: 1 } }],
    400,
    /unknown field \\"explode\\". Expected one of delay, drop/,
  ],
  [
    "POST",
    "faults",
    [{ match: { op: "x" }, effects: {} }],
    400,
    /unknown field \\"op\\". Expected one of operation, path/,
  ],
  ["POST", "faults", [{ effects: 1 }], 400, /of rule 0 is not an object/],
  ["GET", "constructor", undefined, 404, /Expected one of GET settings/],
  ["GET", "", undefined, 404, /Expected one of GET /],
];

for (const [method, name, body, status, text] of WRONG) {
  Deno.test(`${method} /_emulator/${name} with ${JSON.stringify(body)} is answered with ${status}`, async () => {
    await using caller = await Caller.start();
    const answer = await caller.control(method, name, body);
    equal(answer.status, status);
    match(answer.text, text);
  });
}

Deno.test("a port that is in use is refused by its number", async () => {
  await using caller = await Caller.start();
  const port = Number(new URL(caller.emulator.url).port);
  await rejects(Caller.start({ port }), new RegExp(`on port ${port}: it is in use. Choose another port`));
});
