import { test } from "node:test";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator, type EmulatorOptions } from "../../src/emulator/mod.ts";

/** An emulator with a client of one of its profiles. */
export interface ReportGround {
  readonly emulator: Emulator;
  readonly client: ProfileClient;
  /** The login of the client. */
  readonly ads: PlatformAds;
  /** Seconds of every wait. */
  readonly slept: number[];
}

/** Makes tests over HTTP against an emulator whose clock is moved by every wait. */
export function reportTests(market: string) {
  return (
    what: string,
    run: (ground: ReportGround) => Promise<void>,
    options: EmulatorOptions = {},
  ): void => {
    test(`over HTTP, ${what}`, async () => {
      const emulator = await Emulator.start({
        clock: { now: "2026-09-30T19:00:00Z", frozen: true },
        ...options,
      });
      const slept: number[] = [];
      try {
        const ads = new PlatformAds(emulator.credentials, {
          platform: emulator.platform,
          now: () => emulator.clock.now(),
          random: () => 0.5,
          sleep: (seconds) => {
            slept.push(seconds);
            return Promise.resolve(emulator.advance(seconds));
          },
        });
        await run({ emulator, ads, client: await ads.profile(market), slept });
      } finally {
        await emulator.stop();
      }
    });
  };
}
