import { inProcess } from "./world/realm.ts";
import type { Scenario } from "./scenario.ts";
import { Disk } from "./world/disk.ts";
import { SimProcess } from "./world/sim_process.ts";
import { World } from "./world/world.ts";

/** Result of one run. */
export interface RunResult {
  /** Hash of everything that happened. */
  readonly hash: string;
  readonly lines: readonly string[];
  /** Faults that happened, in order. */
  readonly struck: readonly string[];
  /** Broken promise; `undefined` for none. */
  readonly error: Error | undefined;
  /** Files of every machine at the end, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** What is played. */
export interface RunOptions {
  readonly seed: number;
  /** Numbers of faults that do not happen after all. */
  readonly muted?: ReadonlySet<number>;
  /** Most events; a run that needs more does not come to rest. @default 30000 */
  readonly steps?: number;
}

/** Plays a scenario in the world of a seed. */
export async function simulate(scenario: Scenario, { seed, ...options }: RunOptions): Promise<RunResult> {
  await scenario.load?.();
  const world = await World.start(seed, { ...scenario.emulator, ...options });
  // The judges live in the world too: what they make, such as ids of plans, is the same in each run.
  const judge = new SimProcess({ name: "judge", world, disk: new Disk(), skew: 0 });
  let error: Error | undefined;
  try {
    await inProcess(judge, () => scenario.run(world));
  } catch (problem) {
    error = problem instanceof Error ? problem : new Error(String(problem));
  }
  await world.emulator.stop();
  const disks = new Set(world.processes.map(({ disk }) => disk));
  const files = new Map(
    [...disks].flatMap((disk) => disk.paths().map((path) => [path, disk.text(path) ?? ""])),
  );
  return { hash: world.log.hash, lines: world.log.lines, struck: world.struck, error, files };
}

/**
 * Leaves faults out of a failing run for as long as it fails, and gives what remains.
 *
 * @param tries Most runs that are spent on it.
 */
export async function shrink(
  scenario: Scenario,
  { seed, failed, tries = 30 }: { seed: number; failed: RunResult; tries?: number },
): Promise<{ muted: ReadonlySet<number>; result: RunResult }> {
  let muted: ReadonlySet<number> = new Set();
  let result = failed;
  for (let size = Math.ceil(failed.struck.length / 2), left = tries; size >= 1 && left > 0;) {
    let isSmaller = false;
    for (let from = 0; from < result.struck.length && left > 0; from += size) {
      const more = new Set(muted);
      for (let at = from; at < from + size; at++) more.add(at);
      if (more.size === muted.size) continue;
      left--;
      const tried = await simulate(scenario, { seed, muted: more });
      if (tried.error === undefined) continue;
      muted = more;
      result = tried;
      isSmaller = true;
    }
    if (size === 1 && !isSmaller) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return { muted, result };
}
