import assert from "node:assert/strict";
import { test } from "node:test";
import { PlatformAds } from "../../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../../src/client/profile_client.ts";
import type { LedgerEntry } from "../../../src/store/model/ledger_entry.ts";
import type { StoreDriver } from "../../../src/store/model/store_driver.ts";
import { syncStore } from "../../../src/store/sync/sync_store.ts";
import { ReportHost } from "../../support/report_host.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../../support/stub_client.ts";
import { VirtualClock } from "../../transport/pacer/virtual_clock.ts";
import { MemoryDriver } from "./memory_driver.ts";

const SCOPE = "Platform-Advertising-API-Scope";
const PROFILES = Array.from({ length: 40 }, (_, index) => String(index + 1));
/** Turns of the runtime before the clock jumps: responses are read meanwhile. */
const TURNS = 2;
/** Three reports a profile. */
const ASKED = { reports: ["sp_placement"], start: "2026-07-01", end: "2026-09-29" } as const;

/** A driver whose ledger keeps the reports of profiles apart. */
function driver(): StoreDriver {
  const memory = new MemoryDriver();
  return Object.assign(memory, {
    openLedger: async (entry: LedgerEntry) => (await memory.putLedger(entry), entry),
  }).driver;
}

/** Forty profiles of one client, of which the platform throttles one for so many seconds. */
function world(throttledFor: number): {
  host: ReportHost;
  clock: VirtualClock;
  clients: readonly ProfileClient[];
} {
  const host = new ReportHost();
  const clock = new VirtualClock();
  const began = host.now;
  let until: number | undefined;
  const creations = new Map<string, number>();
  host.intervene = ({ method, url, headers }) => {
    host.now = began + clock.now();
    if (url.pathname === "/token") {
      return Response.json({ access_token: "token-abcdefgh", token_type: "bearer", expires_in: 86_400 });
    }
    const profile = headers.get(SCOPE) ?? "";
    if (method !== "POST" || !url.pathname.endsWith("/reporting/reports")) return undefined;
    creations.set(profile, (creations.get(profile) ?? 0) + 1);
    if (profile !== "7") return undefined;
    until ??= clock.now() + throttledFor * 1000;
    const left = Math.ceil((until - clock.now()) / 1000);
    if (left <= 0) return undefined;
    return new Response("", { status: 429, headers: { "retry-after": String(left) } });
  };
  const ads = new PlatformAds(STUB_CREDENTIALS, {
    platform: stubPlatform("https://na.api.test", {
      regions: {
        NA: { baseUrl: "https://na.api.test" },
        EU: { baseUrl: "https://eu.api.test" },
        FE: { baseUrl: "https://fe.api.test" },
      },
    }),
    fetch: (input, init) => host.fetch(input, init),
    now: () => began + clock.now(),
    sleep: clock.sleep,
    random: () => 0.5,
  });
  return { host, clock, clients: PROFILES.map((id) => ads.profileFrom(id, "US")) };
}

test("one profile of forty that is throttled for four hours stops none of the others' reports", async () => {
  const { host, clock, clients } = world(4 * 3600);
  const result = await clock.run(
    syncStore({ driver: driver(), now: () => host.now, profiles: clients }, {
      ...ASKED,
    }),
    TURNS,
  );
  const stored = result.outcomes.filter(({ state }) => state === "stored");
  assert.equal(stored.length, 39 * 3);
  const left = result.outcomes.filter(({ state }) => state === "left");
  assert.deepEqual(left.map(({ profileId }) => profileId), ["7", "7", "7"]);
  assert.match(left[0]!.error!.message, /profile 7 to pause for \d+ s more, until 2026-09-30 16:/);
  const asked = host.asked("POST").filter(({ headers }) => headers.get(SCOPE) === "7");
  assert.ok(asked.length <= 3, `${asked.length} requests of the throttled profile`);
});

test("a profile that is throttled for two minutes takes no turns of the others meanwhile, and gets its reports", async () => {
  const { host, clock, clients } = world(120);
  const result = await clock.run(
    syncStore({ driver: driver(), now: () => host.now, profiles: clients }, {
      ...ASKED,
      concurrency: 2,
    }),
    TURNS,
  );
  const waited = host.reports.filter(({ profileId }) => profileId !== "7")
    .map(({ createdAt }) => (createdAt - Date.parse("2026-09-30T12:00:00Z")) / 1000);
  assert.ok(Math.max(...waited) < 60, `a healthy profile waited ${Math.max(...waited)} s`);
  assert.equal(result.outcomes.filter(({ state }) => state === "stored").length, 40 * 3);
});
