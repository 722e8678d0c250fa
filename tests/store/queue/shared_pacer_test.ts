import { laneRecord } from "../../../src/platform/transport/pacer/lane.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { PlatformAds } from "../../../mod.ts";
import { Emulator } from "../../../src/emulator/mod.ts";
import { openSharedPacer, type SharedPacer } from "../../../src/store/queue/shared_pacer.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { inPipe } from "../../cli/support/process.ts";
import { long } from "../../support/long.ts";

/** Statuses of the requests of three programs that want six exports each at the same time. */
async function statusesOf(open: (clientId: string) => Promise<SharedPacer | undefined>): Promise<number[]> {
  const emulator = await Emulator.start({
    quirks: { reportSeconds: 4 },
    clock: { now: "2026-09-30T12:00:00Z", frozen: true },
  });
  const opened: SharedPacer[] = [];
  // Time passes only while no request is under way, so that a slow machine makes none of them late.
  let [underWay, idle] = [0, Promise.withResolvers<void>()];
  const counted: typeof fetch = async (...request) => {
    if (underWay++ === 0) idle = Promise.withResolvers<void>();
    try {
      return await fetch(...request);
    } finally {
      if (--underWay === 0) idle.resolve();
    }
  };
  try {
    await Promise.all([1, 2, 3].map(async () => {
      const shared = await open(emulator.credentials.clientId);
      if (shared !== undefined) opened.push(shared);
      const ads = new PlatformAds(emulator.credentials, {
        platform: emulator.platform,
        pacer: shared?.pacer,
        now: emulator.clock.now.bind(emulator.clock),
        fetch: counted,
        sleep: async (seconds) => {
          const until = emulator.clock.now() + 1000 * seconds;
          while (underWay > 0) await idle.promise;
          const left = until - emulator.clock.now();
          if (left > 0) emulator.advance(left / 1000);
        },
      });
      const us = await ads.profile("US");
      await Promise.all(Array.from({ length: 6 }, () => us.call("v1-exports:CampaignExport", {})));
    }));
    return emulator.requests()
      .filter(({ method, path }) => method === "POST" && path.endsWith("/campaigns/export"))
      .map(({ status }) => status ?? 0);
  } finally {
    for (const { close } of opened) await close();
    await emulator.stop();
  }
}

test("programs that share a pacer have five exports at once between them; each by itself is refused some", async () => {
  await using folder = await temporaryFolder();
  const shared = await statusesOf((clientId) => openSharedPacer({ clientId, folder: folder.path }));
  assert.deepEqual(shared, Array(18).fill(202));
  const apart = await statusesOf(() => Promise.resolve(undefined));
  assert(apart.includes(429), apart.join(" "));
});

test("a database that cannot be reached is stood in for by the file", async () => {
  await using folder = await temporaryFolder();
  const place = { clientId: "me", folder: folder.path, store: "postgres://u:p@127.0.0.1:9/none" };
  const [one, two] = [await openSharedPacer(place), await openSharedPacer(place)];
  await one.pacer.store.update((state) => state.pausedUntil = 1);
  await one.pacer.store.update((state) => state.pausedUntil = 7);
  await two.pacer.store.update(() => {});
  assert.equal(await two.pacer.store.update((state) => state.pausedUntil), 7);
  for (const { close } of [one, two]) await close();
});

test("a pacer is closed once its last note is written, so that no lock is left to the next process", async () => {
  await using folder = await temporaryFolder();
  const { pacer, close } = await openSharedPacer({ clientId: "me", folder: folder.path });
  const turn = await pacer.lane("host", "group").turn({
    ...{ caller: "me", profile: "1", weight: 1, priority: "interactive", retried: false, patience: 1 },
    tooLong: () => new Error(),
  });
  turn?.passed();
  await close();
  const [file, ...others] = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
  assert.deepEqual(others, []);
  const { lanes } = JSON.parse(await Deno.readTextFile(`${folder.path}/${file}`));
  assert.deepEqual(lanes["host group"].holders, {});
});

test("adsctl keeps its pace in the state folder, without the client id in it", async () => {
  await using world = await processWorld();
  const { code, stderr } = await inPipe([...ADSCTL, "auth", "profiles"], world);
  assert.equal(code, 0, stderr);
  const [file] = [...Deno.readDirSync(`${world.folder}/platform-ads`)].filter(({ name }) =>
    name.startsWith("pace-")
  );
  const text = await Deno.readTextFile(`${world.folder}/platform-ads/${file!.name}`);
  assert(Object.keys(JSON.parse(text).lanes).length > 0, text);
  assert(!`${file!.name}${text}`.includes(world.env.PLATFORM_ADS_CLIENT_ID));
});

long();
test("auth doctor shows who was asked to pause, and --forget-pauses drops it for every process", async () => {
  await using world = await processWorld();
  const { pacer, close } = await openSharedPacer({
    clientId: world.env.PLATFORM_ADS_CLIENT_ID,
    folder: `${world.folder}/platform-ads`,
  });
  await pacer.store.update((state, now) => {
    const pause = { since: now, until: now + 3_600_000 };
    laneRecord(state, "https://na.api.test report creation").pauses["42"] = pause;
  });
  const shown = await inPipe([...ADSCTL, "auth", "doctor"], world);
  assert.match(
    shown.stdout,
    /^ok {4}pauses +the platform asked to wait .*:\n +profile 42: report creation at https:\/\/na\.api\.test, 3\d{3} s more, until 20.* UTC$/m,
  );
  assert.equal((await pacer.pauses()).length, 1);
  const dropped = await inPipe([...ADSCTL, "auth", "doctor", "--forget-pauses"], world);
  assert.match(dropped.stdout, /^ok {4}pauses +dropped:\n +profile 42/m);
  assert.deepEqual(await pacer.pauses(), []);
  await close();
});

const ADSCTL = ["deno", "run", "-A", "-q", "cli.ts"];

/** An emulator, and the variables of a process that works on it. */
async function processWorld() {
  const folder = await temporaryFolder();
  const emulator = await Emulator.start();
  const { clientId, clientSecret, refreshToken } = emulator.credentials;
  return {
    folder: folder.path,
    env: {
      XDG_STATE_HOME: folder.path,
      PLATFORM_ADS_BASE_URL_NA: emulator.platform.regions.NA!.baseUrl,
      PLATFORM_ADS_TOKEN_URL: emulator.platform.tokenUrl,
      PLATFORM_ADS_CLIENT_ID: clientId,
      PLATFORM_ADS_CLIENT_SECRET: clientSecret,
      PLATFORM_ADS_REFRESH_TOKEN: refreshToken,
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await emulator.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}
