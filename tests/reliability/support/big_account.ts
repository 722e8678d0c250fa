import type { ProfileClient } from "../../../mod.ts";
import { PlatformAds } from "../../../mod.ts";
import { snapshotAccount } from "../../../src/account/mod.ts";
import { Emulator, type EmulatorOptions } from "../../../src/emulator/mod.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };

/** An emulator, and the client of its profile in the United States. */
export interface PlayedAccount extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly us: ProfileClient;
}

/** Starts an emulator whose clock stands still. */
export async function playedAccount(options: EmulatorOptions = {}): Promise<PlayedAccount> {
  const emulator = await Emulator.start({ clock: CLOCK, ...options });
  const us = await new PlatformAds(emulator.credentials, { platform: emulator.platform }).profile("US");
  return { emulator, us, [Symbol.asyncDispose]: () => emulator.stop() };
}

/** Plays the demo account with so many keywords, most of which have ids past 2^53. */
export async function bigAccount(count: number): Promise<PlayedAccount> {
  await using demo = await playedAccount();
  const small = await snapshotAccount(demo.us);
  const [profile] = small.profiles;
  const keywords = profile!.collections["sp.keywords"]!;
  const more = Array.from({ length: count - keywords.length }, (_, index) => ({
    ...keywords[index % keywords.length]!,
    keywordId: String(9_100_000_000_000_000_000n + BigInt(index)),
    keywordText: `word ${index}`,
  }));
  const collections = { ...profile!.collections, "sp.keywords": [...keywords, ...more] };
  return await playedAccount({ account: { ...small, profiles: [{ ...profile!, collections }] } });
}
