import { equal, ok } from "../support/assert.ts";
import { operationMatcher } from "../../src/client/calls/operation_matcher.ts";

Deno.test("clients of one platform share what finds its operations, those of another do not", () => {
  ok(operationMatcher("acme") === operationMatcher("acme"));
  ok(operationMatcher("acme") !== operationMatcher("platform"));
});

Deno.test("an operation is found by method and path, one without placeholders first", async () => {
  const found = async (method: string, path: string): Promise<string | undefined> =>
    (await operationMatcher("platform").find(method, path))?.operationId;
  equal(await found("GET", "/v2/profiles"), "listProfiles");
  equal(await found("GET", "/v2/profiles/123"), "getProfileById");
  equal(await found("GET", "/sd/campaigns/extended"), "listCampaignsEx");
  equal(await found("GET", "/sd/campaigns/77"), "getCampaign");
  equal(await found("DELETE", "/v2/profiles"), undefined);
  equal(await found("GET", "/v2/profiles/123/more"), undefined);
});
