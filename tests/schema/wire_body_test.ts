import assert from "node:assert/strict";
import { onWire } from "../../src/platform/connection/platform.ts";
import { ApiShapes, expandNode } from "../../src/platform/schema/api_shapes.ts";
import { loadApiShapes } from "../../src/platform/schema/load_api_shapes.ts";
import { bodyShape } from "../../src/platform/schema/operation_shape.ts";
import { neutralBody, wireBody } from "../../src/platform/schema/wire_body.ts";

const words = {
  word: (text: string): string => onWire(text, "acme"),
  short: (text: string): string => onWire(text, "acm"),
};
const shapes = new ApiShapes({ format: 1, api: "test", models: {}, errors: [], operations: {} });
const node = expandNode({
  id: "i",
  platform: "s",
  offPlatformSettings: { "": { word: true }, "strategy": "s" },
  platformUserData: { "": { type: "string", wordShort: true } },
  site: {
    "": { type: "string", enum: ["PLATFORM_BUSINESS", "PLATFORM_NEUTRAL"], wordEnum: ["PLATFORM_BUSINESS"] },
  },
  list: [{ "": { type: "string", enum: ["SOLD_ON_PLATFORM"], wordEnum: ["SOLD_ON_PLATFORM"] } }],
});

Deno.test("the platform's own word goes on the wire where the description has it, and is taken out on reading", () => {
  const body = {
    platform: "platform",
    offPlatformSettings: { strategy: "platform" },
    platformUserData: "x",
    site: "PLATFORM_BUSINESS",
    list: ["SOLD_ON_PLATFORM"],
  };
  const wired = wireBody(shapes, node, body, words);
  assert.deepEqual(wired, {
    platform: "platform",
    offAcmeSettings: { strategy: "platform" },
    acmUserData: "x",
    site: "ACME_BUSINESS",
    list: ["SOLD_ON_ACME"],
  });
  assert.deepEqual(neutralBody(shapes, node, wired, words), body);
  const other = { site: "PLATFORM_NEUTRAL" };
  assert.equal(wireBody(shapes, node, other, words), other, "what has no mark stays, the object too");
});

Deno.test("a text of digits becomes a bare number where an integer is wanted", () => {
  assert.deepEqual(wireBody(shapes, node, { id: "9007199254740993", platform: "12" }, words), {
    id: 9007199254740993n,
    platform: "12",
  });
});

Deno.test("a campaign's site restriction is sent in the platform's own word", async () => {
  const published = await loadApiShapes("sponsored-products");
  const shape = published?.operation("CreateSponsoredProductsCampaigns");
  const body = { campaigns: [{ siteRestrictions: ["PLATFORM_BUSINESS"] }] };
  assert.ok(published);
  assert.deepEqual(wireBody(published, bodyShape(shape)!, body, words), {
    campaigns: [{ siteRestrictions: ["ACME_BUSINESS"] }],
  });
});
