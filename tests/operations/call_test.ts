import { rejects } from "../support/assert.ts";
import { callOperation } from "../../src/operations/reads/call.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";

Deno.test("an operation that can change data is called only where a person was asked", async () => {
  const profile = { call: () => Promise.reject(new Error("sent")) } as unknown as ProfileClient;
  const { signal } = new AbortController();
  const input = { operation: "sponsored-products:UpdateSponsoredProductsKeywords", check: "warn" } as const;
  await rejects(
    callOperation.run({ profile, signal }, input),
    /^UnsupportedOperationError: Cannot call ".*" here/,
  );
  await rejects(callOperation.run({ profile, signal, mayWrite: true }, input), /sent/);
});
