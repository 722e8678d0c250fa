import { moduleTexts } from "../run_tests/changed_files.ts";
import { type Lane, lanesOf } from "../run_tests/lanes.ts";
import { reachedTests } from "../run_tests/reached_tests.ts";
import type { Mutant } from "./mutant.ts";
import type { Trial, Trials } from "./trials.ts";

/** Test files beside those of the folder that the changes left over are tried with, the nearest first. */
const MAX_FILES = 60;

/** How many changes the tests of each lane noticed. */
export interface NoticedByLane {
  readonly tried: number;
  readonly everyday: number;
  /** By long tests alone. */
  readonly long: number;
  /** Not noticed, but accepted. */
  readonly accepted: number;
  /** The others that were not noticed. */
  readonly open: readonly Mutant[];
}

/** Tests that changes are tried with. */
export interface LaneTests {
  readonly lane: Lane;
  readonly files: readonly string[];
  /** True for tests of other folders, which are many. */
  readonly isBrief: boolean;
}

/** What {@linkcode tryByLane} needs. */
export interface ByLaneOptions {
  /** Test files of the folder. */
  readonly files: readonly string[];
  readonly isAccepted: (mutant: Mutant) => boolean;
  /** Begins a step. */
  readonly trialsWith: (tests: LaneTests) => Promise<Pick<Trials, "run" | "stop">>;
  readonly tell: (mutant: Mutant, trial: Trial, lane: Lane) => void;
  /** Texts of all modules by path. @default those of the repository */
  readonly texts?: ReadonlyMap<string, string>;
}

/**
 * Tries changes with the everyday tests of their folder, those left over with the nearest everyday tests of others, and
 * what is still left with the nearest long tests.
 */
export async function tryByLane(
  mutants: readonly Mutant[],
  { files, isAccepted, trialsWith, tell, texts }: ByLaneOptions,
): Promise<NoticedByLane> {
  const all = texts ?? await moduleTexts();
  const noticed = { everyday: 0, long: 0 };
  let accepted = 0;
  let left = mutants;
  for (const step of ["folder", "everyday", "long"] as const) {
    const lane = step === "long" ? "long" : "everyday";
    const near = reachedTests([...new Set(left.map(({ path }) => path))], all);
    const others = near[lane].filter((file) => lane === "long" || !files.includes(file)).slice(0, MAX_FILES);
    const chosen = step === "folder"
      ? files.filter((file) => lanesOf(all.get(file) ?? "").includes(lane))
      : others;
    if (left.length === 0 || chosen.length === 0) continue;
    const trials = await trialsWith({
      lane,
      files: chosen,
      isBrief: step !== "folder",
    });
    const open: Mutant[] = [];
    await trials.run(left, (mutant, trial) => {
      if (trial.noticedBy === undefined) open.push(mutant);
      else noticed[lane]++;
      tell(mutant, trial, lane);
    });
    await trials.stop();
    left = open.filter((mutant) => !isAccepted(mutant)).sort((a, b) => a.id - b.id);
    accepted += open.length - left.length;
  }
  return { tried: mutants.length, ...noticed, accepted, open: left };
}
