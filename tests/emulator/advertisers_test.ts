import assert from "node:assert/strict";
import { type Answered, Caller } from "./caller.ts";

const caller = await Caller.start();

Deno.test.afterAll(async () => await caller.stop());

async function get(path: string): Promise<Pick<Answered, "status" | "json">> {
  return await caller.call("GET", path);
}

Deno.test("the DSP has advertisers, one by one and in pages, whose ids its reports take", async () => {
  const { json: { totalResults, response } } = await get("/dsp/advertisers?startIndex=1&count=1");
  assert.deepEqual([totalResults, response.length], [2, 1]);
  const [{ advertiserId, country, currency }] = response;
  assert.deepEqual([country, currency], ["US", "USD"]);
  assert.deepEqual((await get(`/dsp/advertisers/${advertiserId}`)).json, response[0]);
  assert.deepEqual((await get(`/dsp/advertisers?advertiserIdFilter=${advertiserId},7`)).json.totalResults, 1);
  assert.equal((await get("/dsp/advertisers/7")).status, 404);
  const { status, json } = await get("/dsp/advertisers?count=101");
  assert.deepEqual([status, json.errors[0].errorType], [400, "INVALID_ARGUMENT"]);
  const type = "application/vnd.dspcreatereports.v3+json";
  const days = { startDate: "2026-09-21", endDate: "2026-09-22" };
  const created = await caller.call("POST", `/accounts/${advertiserId}/dsp/reports`, days, {
    headers: { "content-type": type, accept: type },
  });
  assert.equal(created.status, 200, created.text);
});

Deno.test("attribution has an advertiser, publishers, and tags of each sort of them", async () => {
  const { json: { advertisers: [{ advertiserId }] } } = await get("/attribution/advertisers");
  const { json: { publisher } } = await get("/attribution/publishers");
  assert.deepEqual(publisher.map(({ macroEnabled }: { macroEnabled: boolean }) => macroEnabled), [
    true,
    false,
  ]);
  const ids = publisher.map(({ id }: { id: string }) => id).join(",");
  for (const [path, id] of [["macroTag", publisher[0].id], ["nonMacroTemplateTag", publisher[1].id]]) {
    const { json } = await get(`/attribution/tags/${path}?publisherIds=${ids}&advertiserIds=${advertiserId}`);
    assert.deepEqual(Object.keys(json.advertiserAttributionTagMap[advertiserId]), [id]);
    assert.match(json.advertiserAttributionTagMap[advertiserId][id], /^\?maas=.*tag=maas$/);
  }
  assert.equal((await get("/attribution/tags/macroTag")).status, 400);
  assert.equal((await get("/attribution/tags/macroTag?publisherIds=99")).status, 400);
  assert.equal((await get(`/attribution/tags/macroTag?publisherIds=${ids}&advertiserIds=1`)).status, 403);
});
