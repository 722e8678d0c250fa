import assert from "node:assert/strict";
import type { SyncProfile } from "../../src/store/sync/sync_profile.ts";
import { OtherAccountError } from "../../src/store/sync/check_accounts.ts";
import type { ReportHost } from "../support/report_host.ts";
import { ONE, profileWith, storeTests } from "./sync_ground.ts";

const storeTest = storeTests();
const DAY = { ...ONE, start: "2026-09-01", end: "2026-09-01" };

function clientOf(host: ReportHost, profileId: string, countryCode: string, login?: string[]): SyncProfile {
  const reached = login?.map((profileId) => ({ profileId }));
  return profileWith(host.client({ profileId, countryCode }), {
    loginProfiles: () => reached === undefined ? Promise.reject(new Error("away")) : Promise.resolve(reached),
  });
}

storeTest("refuses profiles of a login that reaches none of a store's profiles", async ({ host, store }) => {
  await store.sync(clientOf(host, "1", "US", ["1", "2"]), DAY);
  const asked = host.asked("POST").length;
  await assert.rejects(store.sync(clientOf(host, "9", "DE", ["8", "9"]), DAY), (error: Error) => {
    assert(error instanceof OtherAccountError);
    assert.match(error.message, /^Cannot add DE 9 to store ".*": it holds another account \(US 1\)/);
    return true;
  });
  assert.equal(host.asked("POST").length, asked);
  assert((await store.sync(clientOf(host, "2", "DE", ["1", "2"]), DAY)).ok, "of the same login");
  assert((await store.sync(clientOf(host, "9", "DE", ["8", "9"]), { ...DAY, addAccount: true })).ok);
  assert((await store.sync(clientOf(host, "9", "DE", ["8", "9"]), DAY)).ok, "it belongs there now");
});

storeTest("refuses a second profile of a country where the login is not known", async ({ host, store }) => {
  await store.sync(clientOf(host, "1", "US"), DAY);
  await assert.rejects(store.sync(clientOf(host, "2", "US"), DAY), OtherAccountError);
  assert((await store.sync(clientOf(host, "3", "DE"), DAY)).ok);
  assert(
    (await store.sync([clientOf(host, "1", "US"), clientOf(host, "2", "US")], DAY)).ok,
    "beside a known one",
  );
});
