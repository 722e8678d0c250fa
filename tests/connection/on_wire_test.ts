import assert from "node:assert/strict";
import { onWire } from "../../src/platform/connection/platform.ts";

Deno.test("The platform's own word takes the neutral word's place and case", () => {
  assert.equal(onWire("Platform-Ads-AccountId", "acme"), "Acme-Ads-AccountId");
  assert.equal(onWire("x-platform-request-id", "acme"), "x-acme-request-id");
  assert.equal(onWire("PLATFORM_X platform", "acme"), "ACME_X acme");
  assert.equal(onWire("application/vnd.platformads.v1+json", "acme"), "application/vnd.acmeads.v1+json");
});

Deno.test("The neutral word itself changes nothing", () => {
  assert.equal(onWire("Platform-PLATFORM-platform", "platform"), "Platform-PLATFORM-platform");
});
