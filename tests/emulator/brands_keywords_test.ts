import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const VERDICT = { "content-type": "application/json", accept: "application/vnd.sbkeywordresponse.v3+json" };
const LIST = { accept: "application/vnd.sbkeyword.v3.2+json" };

/** An ad group that takes keywords; its ids as they are written into JSON. */
function place(caller: Caller) {
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const adGroup = profile.collection("sb.ad_groups").all().find((each) =>
    each.state === "ENABLED" &&
    profile.collection("sb.campaigns").get(String(each.campaignId))!.state === "ENABLED"
  )!;
  return { adGroupId: String(adGroup.adGroupId), campaignId: String(adGroup.campaignId) };
}

/** JSON with ids as bare integers, whatever their length. */
function bare(value: unknown): string {
  return JSON.stringify(value).replace(/"(\w+Id)":"(\d+)"/g, '"$1":$2');
}

/** Reads JSON with ids as text, whatever their length. */
function quoted(text: string) {
  return JSON.parse(text.replace(/"(\w+Id)":(\d+)/g, '"$1":"$2"'));
}

function write(caller: Caller, method: string, items: unknown, path = "/sb/keywords") {
  return caller.call(method, path, undefined, { raw: bare(items), headers: VERDICT });
}

async function list(caller: Caller, query: string, path = "/sb/keywords") {
  const headers = path === "/sb/keywords" ? LIST : { accept: "application/vnd.sbnegativekeyword.v3.2+json" };
  return await caller.call("GET", `${path}?${query}`, undefined, { headers });
}

Deno.test("Brands keywords are created in the order they were sent, with ids as bare numbers past 2^53", async () => {
  await using caller = await Caller.start();
  const at = place(caller);
  const items = Array.from({ length: 8 }, (_, index) => ({
    ...at,
    keywordText: `new tent ${index}`,
    matchType: "exact",
    bid: 1.5,
  }));
  const answer = await write(caller, "POST", items);
  assert.equal(answer.status, 207);
  assert.equal(answer.headers.get("content-type"), VERDICT.accept);
  const verdicts = quoted(answer.text);
  assert.ok(verdicts.every((verdict: { code: string }) => verdict.code === "SUCCESS"), answer.text);
  const ids = verdicts.map((verdict: { keywordId: string }) => verdict.keywordId);
  assert.ok(ids.some((id: string) => BigInt(id) > 2n ** 53n), "an id past 2^53");

  const read = await list(caller, `keywordIdFilter=${ids.join(",")}`);
  assert.deepEqual(
    quoted(read.text),
    items.map((item, index) => ({ ...item, keywordId: ids[index], state: "enabled" })),
  );
  assert.ok(!read.text.includes(`"${ids[0]}"`), "ids are not quoted on the wire");
});

const REFUSED: [string, Record<string, unknown>, string, string][] = [
  [
    "a state",
    { state: "enabled" },
    "INVALID_ARGUMENT",
    "The noted field is not allowed with this API endpoint : state",
  ],
  [
    "an upper-case match type",
    { matchType: "EXACT" },
    "INVALID_ARGUMENT",
    "matchType must be one of: broad, exact, phrase",
  ],
  ["no text", { keywordText: undefined }, "INVALID_ARGUMENT", "keywordText is required"],
  ["a campaign of nobody", { campaignId: "5" }, "NOT_FOUND", "Campaign not found"],
  ["an ad group of nobody", { adGroupId: "5" }, "NOT_FOUND", "Ad group not found"],
];
Deno.test("a Brands keyword is refused alone for a wrong value, with the code and words of version 3", async () => {
  await using caller = await Caller.start();
  const item = { ...place(caller), keywordText: "new tent", matchType: "exact", bid: 1 };
  const items = [item, ...REFUSED.map(([, change]) => ({ ...item, ...change }))];
  const [first, ...others] = quoted((await write(caller, "POST", items)).text);
  assert.equal(first.code, "SUCCESS");
  for (const [index, [what, , code, description]] of REFUSED.entries()) {
    assert.deepEqual(others[index], { code, description }, what);
  }
});

const REASONS: [string, Record<string, unknown>, string, string][] = [
  ["a bid above the marketplace's", { bid: 1001 }, "bid", "BID_OUT_OF_MARKET_PLACE_RANGE"],
  ["brackets in the text", { keywordText: "tent (big)" }, "keywordText", "FORBIDDEN_CHARS"],
  ["eleven words", { keywordText: "a b c d e f g h i j k" }, "keywordText", "TOO_LONG"],
  ["a leading space", { keywordText: " tent" }, "keywordText", "LEADING_OR_TRAILING_WHITESPACE"],
  ["the same keyword twice", { keywordText: "NEW TENT" }, "keywordText", "DUPLICATE_VALUE"],
];
Deno.test("a Brands keyword's refusal tells field and reason where the platform does", async () => {
  await using caller = await Caller.start();
  const item = { ...place(caller), keywordText: "new tent", matchType: "exact", bid: 1 };
  const items = [item, ...REASONS.map(([, change]) => ({ ...item, ...change }))];
  const [, ...others] = quoted((await write(caller, "POST", items)).text);
  for (const [index, [what, , location, reason]] of REASONS.entries()) {
    assert.equal(others[index].code, "INVALID_ARGUMENT", what);
    assert.equal(others[index].errors[0].KeywordError.location, location, what);
    assert.equal(others[index].errors[0].KeywordError.reason, reason, what);
  }
});

Deno.test("a batch of Brands keywords is refused as a whole for quoted ids, too many items and anything but a list", async () => {
  await using caller = await Caller.start();
  const item = { ...place(caller), keywordText: "new tent", matchType: "exact" };
  const bodies: [string, string][] = [
    ["quoted ids", JSON.stringify([item])],
    ["101 items", bare(Array(101).fill(item))],
    ["no items", "[]"],
    ["an object", bare({ keywords: [item] })],
    ["an id with a fraction", bare([item]).replace(/"adGroupId":\d+/, '"adGroupId":1.5')],
  ];
  for (const [what, raw] of bodies) {
    const answer = await caller.call("POST", "/sb/keywords", undefined, { raw, headers: VERDICT });
    assert.equal(answer.status, 400, what);
    assert.equal(answer.json.code, "INVALID_ARGUMENT", what);
  }
});

Deno.test("an update of a Brands keyword repeats its ad group and campaign and is written into the history", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const at = place(caller);
  const keyword = profile.collection("sb.keywords").all().find((each) =>
    each.adGroupId === at.adGroupId && each.state === "enabled"
  )!;
  const keywordId = String(keyword.keywordId);
  const verdicts = quoted(
    (await write(caller, "PUT", [
      { keywordId, bid: 2 },
      { keywordId, ...at, adGroupId: "1", bid: 2 },
      { keywordId, ...at, state: "PAUSED" },
      { keywordId: "3", ...at, bid: 2 },
      { keywordId, ...at, keywordText: "other" },
      { keywordId, ...at, state: "paused", bid: 2 },
    ])).text,
  );
  assert.deepEqual(verdicts, [
    { code: "INVALID_ARGUMENT", description: "adGroupId is required" },
    { code: "INVALID_ARGUMENT", description: "adGroupId is not that of the keyword" },
    { code: "INVALID_ARGUMENT", description: "state must be one of: enabled, paused, archived" },
    { code: "NOT_FOUND", description: "Keyword not found" },
    {
      code: "INVALID_ARGUMENT",
      description: "The noted field is not allowed with this API endpoint : keywordText",
    },
    { code: "SUCCESS", keywordId },
  ]);
  assert.deepEqual(
    profile.history().slice(-2).map((
      event,
    ) => [event.entityType, event.changeType, event.previousValue, event.newValue]),
    [["KEYWORD", "STATUS", "ENABLED", "PAUSED"], ["KEYWORD", "BID_AMOUNT", String(keyword.bid), "2"]],
  );
});

Deno.test("Brands keywords are archived one at a time, for good", async () => {
  await using caller = await Caller.start();
  const at = place(caller);
  const created = await write(caller, "POST", [{ ...at, keywordText: "short-lived", matchType: "exact" }]);
  const [{ keywordId }] = quoted(created.text);
  const archive = (id: string) =>
    caller.call("DELETE", `/sb/keywords/${id}`, undefined, { headers: VERDICT });
  assert.deepEqual(quoted((await archive(keywordId)).text), { code: "SUCCESS", keywordId });
  const again = await archive(keywordId);
  assert.equal(again.status, 400);
  assert.equal(again.json.code, "INVALID_ARGUMENT");
  const missing = await archive("12345");
  assert.equal(missing.status, 404);
  assert.equal(missing.json.code, "NOT_FOUND");
  const [verdict] = quoted((await write(caller, "PUT", [{ ...at, keywordId, state: "enabled" }])).text);
  assert.equal(verdict.errors[0].KeywordError.reason, "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED");
  const one = await caller.call("GET", `/sb/keywords/${keywordId}`, undefined, {
    headers: { accept: "application/vnd.sbkeyword.v3+json" },
  });
  assert.equal(one.json.state, "archived");
});

Deno.test("lists of Brands keywords take comma lists, and page by position without repeating or leaving out", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const all = profile.collection("sb.keywords").all();
  const open = all.filter((keyword) => keyword.state !== "archived").map((keyword) => keyword.keywordId);
  const found: string[] = [];
  for (let start = 0;; start += 50) {
    const page = quoted((await list(caller, `stateFilter=enabled,paused&startIndex=${start}&count=50`)).text);
    if (page.length === 0) break;
    found.push(...page.map((keyword: { keywordId: string }) => keyword.keywordId));
  }
  assert.deepEqual(found, open);

  const video = quoted((await list(caller, "creativeType=video&matchTypeFilter=exact,phrase")).text);
  assert.ok(video.length > 0 && video.length < all.length);
  assert.ok(video.every((keyword: { matchType: string }) => keyword.matchType !== "broad"));
  const [first] = all;
  const same = quoted(
    (await list(caller, `keywordText=${encodeURIComponent(String(first!.keywordText))}`)).text,
  );
  assert.ok(same.some((keyword: { keywordId: string }) => keyword.keywordId === first!.keywordId));

  const older = await caller.call("GET", "/sb/keywords?count=1", undefined, {
    headers: { accept: "application/vnd.sbkeyword.v3+json" },
  });
  assert.equal(older.headers.get("content-type"), "application/vnd.sbkeyword.v3+json");
});

Deno.test("a list of Brands keywords refuses filters it does not understand", async () => {
  await using caller = await Caller.start();
  const queries = [
    "stateFilter=ENABLED",
    "campaignIdFilter=A1B2",
    "matchTypeFilter=negativeExact",
    "count=0",
    "count=5001",
    "startIndex=-1",
    "creativeType=poster",
  ];
  for (const query of queries) {
    const answer = await list(caller, query);
    assert.equal(answer.status, 400, query);
    assert.equal(typeof answer.json.details, "string", query);
  }
  const json = await caller.call("GET", "/sb/keywords", undefined, {
    headers: { accept: "application/json" },
  });
  assert.equal(json.status, 406);
});

Deno.test("negative Brands keywords are listed one state at a time and never paused", async () => {
  await using caller = await Caller.start();
  const path = "/sb/negativeKeywords";
  const at = place(caller);
  const created = await write(caller, "POST", [
    { ...at, keywordText: "free tent", matchType: "negativePhrase" },
    { ...at, keywordText: "free", matchType: "phrase" },
    { ...at, keywordText: "free", matchType: "negativeExact", bid: 1 },
    { ...at, keywordText: "one two three four five", matchType: "negativePhrase" },
    { ...at, keywordText: "one two three four five", matchType: "negativeExact" },
  ], path);
  const verdicts = quoted(created.text);
  assert.deepEqual(verdicts.map((each: { code: string }) => each.code), [
    "SUCCESS",
    "INVALID_ARGUMENT",
    "INVALID_ARGUMENT",
    "INVALID_ARGUMENT",
    "SUCCESS",
  ]);
  const { keywordId } = verdicts[0];
  const [paused] = quoted((await write(caller, "PUT", [{ keywordId, ...at, state: "paused" }], path)).text);
  assert.equal(paused.description, "state must be one of: enabled, archived");

  assert.equal((await list(caller, "stateFilter=enabled,archived", path)).status, 400);
  assert.equal((await list(caller, "stateFilter=paused", path)).status, 400);
  const states = (text: string) => new Set(quoted(text).map((each: { state: string }) => each.state));
  assert.deepEqual(states((await list(caller, "stateFilter=archived", path)).text), new Set(["archived"]));
  assert.deepEqual(states((await list(caller, "", path)).text), new Set(["enabled", "archived"]));
});

Deno.test("a fault rule makes single Brands keywords fail with the busy code of version 3", async () => {
  await using caller = await Caller.start({
    faults: [{
      match: { operation: "sponsored-brands-v3:createKeywords" },
      effects: { itemErrors: { errorType: "throttledError", at: [1] } },
    }],
  });
  const at = place(caller);
  const items = ["one", "two", "three"].map((word) => ({
    ...at,
    keywordText: `tent ${word}`,
    matchType: "exact",
  }));
  const verdicts = quoted((await write(caller, "POST", items)).text);
  assert.deepEqual(verdicts.map((each: { code: string }) => each.code), [
    "SUCCESS",
    "SERVER_IS_BUSY",
    "SUCCESS",
  ]);
});

Deno.test("an account without Sponsored Brands lists nothing", async () => {
  await using caller = await Caller.start();
  const profile = caller.profile("MX");
  const keywords = await caller.call("GET", "/sb/keywords", undefined, { headers: LIST, profile });
  assert.equal(keywords.text, "[]");
});
