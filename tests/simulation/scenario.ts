import { PlatformAds, type PlatformAdsOptions } from "../../mod.ts";
import type { EmulatorOptions } from "../../src/emulator/mod.ts";
import type { Disk } from "./world/disk.ts";
import type { World } from "./world/world.ts";

/** A story that a world tells, with the judges that hold its end against the promises. */
export interface Scenario {
  /** One word, for lists of failures and the command line. */
  readonly name: string;
  /** What it tries, for the guide. */
  readonly about: string;
  /** Its share of the 100 seeds of a run of the tests: fewer where a run takes longer. */
  readonly seeds: number;
  /** The platform of its world. @default the demo account */
  readonly emulator?: EmulatorOptions;
  /** Loads what the library would load within a world: that takes real time, in which nothing happens there. */
  load?(): Promise<unknown>;
  /** Plays it once; what it throws breaks a promise. */
  run(world: World): Promise<void>;
}

/** `fetch` straight to the platform of a world, for its judges. */
export function fetchOf(world: World): typeof fetch {
  return (input, init) => world.emulator.fetch(input, init);
}

/** A client as a program of the world makes one: clock, network and chance are those of its process. */
export function clientIn(world: World, options: Partial<PlatformAdsOptions> = {}): PlatformAds {
  const { credentials, platform } = world.emulator;
  return new PlatformAds(credentials, { platform, ...options });
}

/** Runs one program to its end and gives what it returns; throws what it throws. */
export async function runProgram<T>(
  world: World,
  { name, disk, main }: { name: string; disk: Disk; main: () => Promise<T> },
): Promise<T> {
  let result: { value: T } | undefined;
  const process = world.spawn(name, {
    disk,
    main: async () => {
      result = { value: await main() };
    },
  });
  await world.run(process.ended);
  if (result === undefined) throw process.error ?? new Error(`${name} was killed`);
  return result.value;
}
