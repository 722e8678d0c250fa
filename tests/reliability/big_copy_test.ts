import { deepEqual, ok } from "../support/assert.ts";
import { fileURLToPath } from "node:url";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { snapshotAccount, unpackSnapshot } from "../../src/account/mod.ts";
import { Emulator, type EmulatorOptions } from "../../src/emulator/mod.ts";
import { settingsOf } from "../cli/support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { amount, WHOLE_SUITE } from "./support/size.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
const ADSCTL = fileURLToPath(new URL("../../cli.ts", import.meta.url));
const KEYWORDS = amount(3_000, 100_000);
/** Seconds of a processor and megabytes that a copy of 100,000 entities may cost, and the start from one. */
const [PULL, START, MEMORY] = [10, 5, 300];

async function started(
  options: EmulatorOptions,
): Promise<AsyncDisposable & { emulator: Emulator; us: ProfileClient }> {
  const emulator = await Emulator.start({ clock: CLOCK, ...options });
  const us = await new PlatformAds(emulator.credentials, { platform: emulator.platform }).profile("US");
  return { emulator, us, [Symbol.asyncDispose]: () => emulator.stop() };
}

/** Runs adsctl in a process, and gives the seconds of a processor and the megabytes that it took. */
async function measured(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ seconds: number; megabytes: number }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", ADSCTL, ...args],
    env,
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let [seconds, megabytes] = [0, 0];
  const look = setInterval(() => {
    try {
      const status = Deno.readTextFileSync(`/proc/${child.pid}/status`);
      megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      const [user = 0, system = 0] = Deno.readTextFileSync(`/proc/${child.pid}/stat`).split(") ")[1]!.split(
        " ",
      )
        .slice(11, 13).map(Number);
      seconds = Math.max(seconds, (user + system) / 100);
    } catch {
      // It has ended, or this system tells nothing of processes.
    }
  }, 20);
  const { success, stderr } = await child.output();
  clearInterval(look);
  ok(success, new TextDecoder().decode(stderr));
  return { seconds, megabytes };
}

Deno.test(`an account of ${KEYWORDS} keywords is copied and played within bounds of time and memory, and equal field by field`, async () => {
  await using folder = await temporaryFolder();
  const file = folder.file("big.snap");
  await using demo = await started({});
  const small = await snapshotAccount(demo.us);
  const [profile] = small.profiles;
  const keywords = profile!.collections["sp.keywords"]!;
  const more = Array.from({ length: KEYWORDS - keywords.length }, (_, index) => ({
    ...keywords[index % keywords.length]!,
    keywordId: String(9_100_000_000_000_000_000n + BigInt(index)),
    keywordText: `word ${index}`,
  }));
  const collections = { ...profile!.collections, "sp.keywords": [...keywords, ...more] };
  await using big = await started({ account: { ...small, profiles: [{ ...profile!, collections }] } });
  const env = { ...settingsOf(big.emulator, folder.path), HOME: folder.path };
  const pull = await measured(["rehearse", "pull", "-m", "US", "--out", file], env);
  const start = await measured(["list", "campaigns", "-m", "US", "--rehearse", file], env);
  const copy = await unpackSnapshot((await Deno.open(file)).readable);
  await using second = await started({ account: copy });
  const [before, after] = [await snapshotAccount(big.us), await snapshotAccount(second.us)];
  for (const [kind, entities] of Object.entries(before.profiles[0]!.collections)) {
    deepEqual(after.profiles[0]!.collections[kind], entities, kind);
  }
  console.log(
    `${KEYWORDS} keywords: copied in ${pull.seconds.toFixed(1)} s of a processor and ${
      pull.megabytes.toFixed(0)
    } MB, the first command on the copy took ${start.seconds.toFixed(1)} s and ${
      start.megabytes.toFixed(0)
    } MB`,
  );
  if (!WHOLE_SUITE) return;
  ok(pull.seconds <= PULL && pull.megabytes <= MEMORY, "the copy is made within its bounds");
  ok(start.seconds <= START, "a command on the copy begins within its bounds");
});
