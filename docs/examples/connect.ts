import { PlatformAds, type ProfileClient } from "@platform/ads";
import { Emulator } from "@platform/ads/emulator";

/** A profile to try an example on, and how to let go of it. */
export interface Connected {
  /** The client of the profile. */
  readonly client: ProfileClient;
  /** Ends the embedded emulator, where there is one. */
  close(): Promise<void>;
}

/**
 * Connects as the arguments say: `--demo` starts the embedded emulator, otherwise the environment and `.env` tell
 * where the account is. The first other argument is a country code or profile id.
 */
export async function connect(args: readonly string[], market: string): Promise<Connected> {
  const chosen = args.find((arg) => !arg.startsWith("--")) ?? market;
  if (!args.includes("--demo")) {
    return { client: await (await PlatformAds.fromEnv()).profile(chosen), close: () => Promise.resolve() };
  }
  const emulator = await Emulator.start();
  const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
  return { client: await ads.profile(chosen), close: () => emulator.stop() };
}
