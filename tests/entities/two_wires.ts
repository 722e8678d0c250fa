import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { type Emulated, emulated, type EmulatedOptions } from "../support/emulated.ts";

/** One account with a client for each wire. */
export async function twoWires(
  options: EmulatedOptions = {},
): Promise<AsyncDisposable & { world: Emulated; older: ProfileClient; newer: ProfileClient }> {
  const world = await emulated({
    ...options,
    client: { wire: "unified", onWarning: () => {}, ...options.client },
  });
  const older = await new PlatformAds(world.emulator.credentials, {
    platform: world.emulator.platform,
    now: world.time.now,
    sleep: world.time.sleep,
  }).profile("US");
  return { world, older, newer: world.us, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** The writes that were asked for since the last look. */
export function writes(world: Emulated): string[] {
  return world.asked().filter((line) => !/^GET |\/list$|\/query\/\w+$|\/auth\//.test(line));
}
