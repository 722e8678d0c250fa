import { PlatformAds, type ProfileClient } from "@platform/ads";
import { Emulator } from "@platform/ads/emulator";

/** A login, and how to close it. */
export interface Login {
  /** The login, which reaches every profile. */
  readonly ads: PlatformAds;
  /** Ends the embedded emulator, where there is one. */
  close(): Promise<void>;
}

/** A profile to try an example on. */
export interface Connected extends Login {
  /** The client of the profile. */
  readonly client: ProfileClient;
}

/** Logs in: `--demo` starts the embedded emulator, otherwise the environment and `.env` tell where the account is. */
export async function logIn(args: readonly string[]): Promise<Login> {
  if (!args.includes("--demo")) return { ads: await PlatformAds.fromEnv(), close: () => Promise.resolve() };
  const emulator = await Emulator.start();
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    // Nobody waits for the demo's reports: its clock is moved instead.
    sleep: (seconds) => Promise.resolve(emulator.advance(seconds)),
  });
  return { ads, close: () => emulator.stop() };
}

/** Logs in and chooses a profile: the first argument that is not an option is its country code or id. */
export async function connect(args: readonly string[], market: string): Promise<Connected> {
  const login = await logIn(args);
  const chosen = args.find((arg) => !arg.startsWith("--")) ?? market;
  return { ...login, client: await login.ads.profile(chosen) };
}
