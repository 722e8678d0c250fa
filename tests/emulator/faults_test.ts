import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import type { FaultEffects, JsonObject } from "../../src/emulator/mod.ts";
import { Caller, type CallOptions } from "./caller.ts";
import { errorsOf, list, newAdGroup, pick, resource, write } from "./products.ts";

const { type } = resource("sp.keywords");

/** Changes one keyword's bid; gives back what was answered and the bid that the emulator holds afterwards. */
async function changeBid(
  caller: Caller,
  options: CallOptions = {},
): Promise<{ status: number; retryAfter: string | null; text: string; bid: unknown }> {
  const { keywordId } = pick(caller, "sp.keywords", (keyword) => keyword.state === "ENABLED");
  const answer = await caller.call("PUT", "/sp/keywords", { keywords: [{ keywordId, bid: 7.77 }] }, {
    type,
    ...options,
  });
  const { bid } = pick(caller, "sp.keywords", (keyword) => keyword.keywordId === keywordId);
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text: answer.text, bid };
}

function keywordsOf(caller: Caller): readonly JsonObject[] {
  return caller.emulator.state.profile(caller.profile("US"))!.collection("sp.keywords").all();
}

function startWith(effects: FaultEffects): Promise<Caller> {
  return Caller.start({
    faults: [{ match: { operation: "UpdateSponsoredProductsKeywords" }, times: 1, effects }],
  });
}

Deno.test("an answer in place of the real one: nothing is done, and the next request is served", async () => {
  await using caller = await startWith({
    response: { status: 429, body: { code: "THROTTLED" }, retryAfter: 7 },
  });
  const first = await changeBid(caller);
  equal(first.status, 429);
  equal(first.retryAfter, "7");
  equal(first.text, `{"code":"THROTTLED"}`);
  ok(first.bid !== 7.77);
  const second = await changeBid(caller);
  equal(second.status, 207);
  equal(second.bid, 7.77);
});

Deno.test("accepted, but answered with 429", async () => {
  await using caller = await startWith({ response: { status: 429, acted: true } });
  const { status, retryAfter, text, bid } = await changeBid(caller);
  deepEqual({ status, retryAfter, text, bid }, { status: 429, retryAfter: null, text: "", bid: 7.77 });
});

Deno.test("an HTML body and headers of its own", async () => {
  const headers = { "Content-Type": "text/html", "x-platform-request-id": "MINE" };
  await using caller = await Caller.start({
    faults: [{ effects: { response: { status: 502, body: "<h1>Bad</h1>", headers } } }],
  });
  const answer = await caller.call("GET", "/v2/profiles");
  equal(answer.text, "<h1>Bad</h1>");
  equal(answer.headers.get("content-type"), "text/html");
  equal(answer.headers.get("x-platform-request-id"), "MINE");
});

for (const [drop, bidChanged] of [["before", false], ["after", true]] as const) {
  Deno.test(`a connection cut ${drop} acting ${bidChanged ? "keeps" : "prevents"} the change`, async () => {
    await using caller = await startWith({ drop });
    await rejects(changeBid(caller, { alone: true }));
    const entry = caller.emulator.requests().at(-1)!;
    equal(entry.dropped, drop);
    equal(entry.status, undefined);
    const isChanged = keywordsOf(caller).some((keyword) => keyword.bid === 7.77);
    equal(isChanged, bidChanged);
  });
}

Deno.test("a body cut short ends the connection", async () => {
  await using caller = await startWith({ truncate: 10 });
  await rejects(changeBid(caller));
});

Deno.test("a delay is waited for by the sleep that was handed in", async () => {
  const slept: number[] = [];
  const sleep = (milliseconds: number) => {
    slept.push(milliseconds);
    return Promise.resolve();
  };
  await using caller = await Caller.start({ sleep, faults: [{ effects: { delay: 2.5 } }] });
  equal((await caller.call("GET", "/v2/profiles")).status, 200);
  deepEqual(slept, [2500]);
});

Deno.test("tokens that expire in mid-run are refused until a new one is fetched", async () => {
  await using caller = await startWith({ expireToken: true });
  equal((await changeBid(caller)).status, 401);
  equal((await changeBid(caller)).status, 401);
  await caller.logIn();
  equal((await changeBid(caller)).status, 207);
});

Deno.test("single items are throttled or fail inside, carried out or not", async () => {
  for (
    const [errorType, reason] of [["throttledError", "THROTTLED"], [
      "internalServerError",
      "INTERNAL_ERROR",
    ]] as const
  ) {
    for (const acted of [false, true]) {
      const faults = [{
        match: { method: "POST", path: "/sp/keywords" },
        effects: { itemErrors: { errorType, every: 2, acted } },
      }];
      await using caller = await Caller.start({ faults });
      const place = await newAdGroup(caller);
      const items = [1, 2, 3, 4].map((number) => ({
        ...place,
        keywordText: `tent ${number}`,
        matchType: "EXACT",
        state: "ENABLED",
      }));
      const verdicts = await write(caller, ["POST", "sp.keywords"], items);
      deepEqual(errorsOf(verdicts).map(([index, family, why]) => [index, family, why]), [[
        1,
        errorType,
        reason,
      ], [3, errorType, reason]]);
      const { json } = await list(caller, "sp.keywords", { adGroupIdFilter: { include: [place.adGroupId] } });
      equal(json.totalResults, acted ? 4 : 2);
    }
  }
});

Deno.test("successes come in another order although the quirk is switched off", async () => {
  const quirks = { shuffleSuccess: false };
  await using caller = await Caller.start({ quirks });
  const update = async () => {
    const items = keywordsOf(caller).filter((keyword) => keyword.state === "ENABLED").slice(0, 5).map((
      { keywordId },
    ) => ({ keywordId, bid: 1 }));
    return (await write(caller, ["PUT", "sp.keywords"], items)).success.map(({ index }) => index);
  };
  deepEqual(await update(), [0, 1, 2, 3, 4]);
  caller.emulator.setFaults([{ effects: { shuffleSuccess: true } }]);
  const shuffled = await update();
  deepEqual([...shuffled].sort(), [0, 1, 2, 3, 4]);
  ok(shuffled.some((index, position) => index !== position));
});

Deno.test("an empty page in front of the first, with a token that leads on", async () => {
  await using caller = await Caller.start({ faults: [{ times: 1, effects: { emptyPage: true } }] });
  const first = await list(caller, "sp.campaigns", {});
  deepEqual(first.json.campaigns, []);
  const second = await list(caller, "sp.campaigns", { nextToken: first.json.nextToken });
  equal(second.json.campaigns.length, first.json.totalResults);
});

Deno.test("a state nobody has heard of", async () => {
  const unknownEnum = { field: "state", value: "HIBERNATING" };
  await using caller = await Caller.start({ faults: [{ effects: { unknownEnum } }] });
  const { json } = await list(caller, "sp.campaigns", { maxResults: 2 });
  deepEqual(json.campaigns.map((campaign: { state: string }) => campaign.state), [
    "HIBERNATING",
    "HIBERNATING",
  ]);
});

Deno.test("faults are set over HTTP and tell how often they acted", async () => {
  await using caller = await Caller.start();
  const rules = [{
    name: "busy",
    match: { path: "/v2/*" },
    every: 2,
    effects: { response: { status: 503 } },
  }];
  equal((await caller.control("POST", "faults", { rules })).status, 200);
  const statuses = [];
  for (let count = 0; count < 4; count++) statuses.push((await caller.call("GET", "/v2/profiles")).status);
  deepEqual(statuses, [200, 503, 200, 503]);
  const { json } = await caller.control("GET", "faults");
  deepEqual([json.rules[0].name, json.rules[0].seen, json.rules[0].acted], ["busy", 4, 2]);
  match(
    (await caller.control("POST", "faults", [{ effects: { nonsense: 1 } }])).json.message,
    /Expected one of delay, drop/,
  );
});
