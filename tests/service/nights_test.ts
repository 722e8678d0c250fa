import { deepEqual, equal, ok } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { parseService, runService, type ServiceEvent } from "../../src/automation/service/mod.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { WatchState } from "../../src/automation/watch/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { longFile } from "../support/long.ts";

longFile();

const DAYS = 4;

Deno.test("four nights with a service that is ended every other one and a channel that fails: nothing is left out, lost or written", async () => {
  await using folder = await temporaryFolder();
  const emulator = await Emulator.start({
    clock: { now: "2026-09-20T20:00:00Z", frozen: true },
    quirks: { reportSeconds: 30 },
  });
  const place = folder.file("ads.sqlite");
  const rules = folder.file("watch.yaml");
  await Deno.writeTextFile(
    rules,
    `version: 1
channels: { hook: { kind: webhook, url_env: HOOK } }
rules:
  spend: { over: market, when: cost1d > 0, channel: hook }
`,
  );
  const text = `version: 1
profiles: all
reports: [sp_campaigns]
timers: { sync: nightly 04:00, watch: daily 05:00 }
files: { watch: ${rules} }
`;
  const now = (): number => emulator.clock.now();
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now,
    sleep: (seconds) => Promise.resolve(void emulator.advance(seconds)),
  });
  const profiles = [await ads.profile("US"), await ads.profile("JP")];
  const end = now() + DAYS * 86_400_000;
  const events: ServiceEvent[] = [];
  const heard: string[] = [];
  let posts = 0;
  let begun = 0;
  try {
    for (let start = 0; now() < end; start++) {
      const stop = new AbortController();
      const store = await Warehouse.open(place, { now });
      try {
        await runService(profiles, {
          file: parseService(text, "service.yaml"),
          place,
          store,
          plans: PlanStore.open(folder.path, { now }),
          env: { HOOK: "https://hook.example/alerts" },
          fetch: (_, init) => {
            const id = new Headers(init?.headers).get("idempotency-key") ?? "";
            const isDown = posts++ % 3 !== 2;
            if (!isDown) heard.push(id);
            return Promise.resolve(new Response(null, { status: isDown ? 500 : 200 }));
          },
          sleep: async (seconds) => {
            await new Promise((resume) => setTimeout(resume, 0));
            emulator.advance(Math.max(seconds, 900));
            if (now() >= end) stop.abort();
          },
          onEvent: (event) => {
            events.push(event);
            // A sync of every other night is cut off in the middle of its reports.
            if (event.kind === "began" && event.timer === "sync" && begun++ % 5 === 1) {
              setTimeout(() => stop.abort(), 5);
            }
          },
          signal: stop.signal,
        });
      } finally {
        await store.close();
      }
      ok(start < 60, "the service goes on");
    }
    ok(events.some(({ kind, timer }) => kind === "stopped" && timer === "sync"), "some syncs were cut off");
    for (const { countryCode, profileId } of profiles) {
      const done = events.filter((event) =>
        event.countryCode === countryCode && event.timer === "sync" && event.kind === "done"
      );
      equal(new Set(done.map(({ due }) => due)).size, done.length, "no night twice");
      ok(done.length >= DAYS, `${countryCode}: ${done.length} nights`);
      await using state = await WatchState.open(place);
      const alerts = await state.list({ profileId });
      ok(alerts.length >= DAYS - 1, `${countryCode}: ${alerts.length} alerts`);
      equal(new Set(alerts.map(({ day }) => day)).size, alerts.length, "each day is said once");
      const lost = alerts.filter(({ id, waiting }) => !heard.includes(id) && waiting.length === 0);
      deepEqual(lost, [], "each alert is delivered, or waits");
      ok(
        alerts.filter(({ waiting }) => waiting.length > 0).length <= 1,
        "a channel that comes back gets the rest",
      );
    }
    equal(new Set(heard).size, heard.length, "what was taken is not sent again");
    const writes = emulator.requests().filter(({ method, path }) =>
      method !== "GET" && !/token|\/list$|\/reporting\/|\/history/.test(path)
    );
    deepEqual(writes.map(({ method, path }) => `${method} ${path}`), []);
    await using store = await Warehouse.open(place, { now });
    const rows = await store.coverage();
    ok(
      rows.length >= 2 && rows.every(({ gaps }) => gaps.length === 0),
      JSON.stringify(rows.map(({ gaps }) => gaps)),
    );
  } finally {
    await emulator.stop();
  }
});
