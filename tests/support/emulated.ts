import { type Fetch, PlatformAds, type PlatformAdsOptions, type ProfileClient } from "../../mod.ts";
import { Emulator, type EmulatorOptions } from "../../src/emulator/mod.ts";
import { PublishedCheck } from "./published_check.ts";
import { FakeTime } from "./fake_time.ts";

const NOW = "2026-09-30T12:00:00Z";

/** A client and the platform it talks to over loopback, both with clocks that stand still. */
export interface Emulated extends AsyncDisposable {
  /** The platform. */
  readonly emulator: Emulator;
  /** The account-level client. */
  readonly ads: PlatformAds;
  /** The client of the seller in the United States. */
  readonly us: ProfileClient;
  /** The client's time; its waits end at once. */
  readonly time: FakeTime;
  /** The paths below the host that were asked since the last call, as `POST /sp/keywords`. */
  asked(): string[];
}

/** How the pair is started. */
export interface EmulatedOptions {
  readonly emulator?: EmulatorOptions;
  readonly client?: Partial<PlatformAdsOptions>;
  /** False where the test sends what does not fit the published description, on purpose. @default true */
  readonly checkRequests?: boolean;
  /** What the client sends by, without any comparison. */
  readonly fetchOf?: (emulator: Emulator) => Fetch;
}

/**
 * Starts an emulator with the demo account and a client for it. Every exchange is compared with what is published; a
 * difference that is not known fails the test.
 */
export async function emulated(
  options: EmulatedOptions = {},
): Promise<Emulated> {
  const time = new FakeTime({ now: NOW });
  const emulator = await Emulator.start({ clock: { now: NOW, frozen: true }, ...options.emulator });
  const published = new PublishedCheck();
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    fetch: options.fetchOf?.(emulator) ??
      published.fetch(emulator.url, { request: options.checkRequests ?? true }),
    now: time.now,
    sleep: time.sleep,
    random: () => 0.5,
    ...options.client,
  });
  const us = await ads.profile("US");
  let seen = emulator.requests().length;
  return {
    emulator,
    ads,
    us,
    time,
    asked: () => {
      const entries = emulator.requests().slice(seen);
      seen += entries.length;
      return entries.map(({ method, path }) => `${method} ${path.replace(/^\/(na|eu|fe)/, "")}`);
    },
    [Symbol.asyncDispose]: async () => {
      await emulator.stop();
      await published.verify();
    },
  };
}
