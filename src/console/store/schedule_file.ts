import { sha256 } from "../../internal/sha256.ts";
import { readIfThere } from "../../plans/store/plan_places.ts";
import { fileSystem } from "../../runtime/file_system.ts";
import { parseSchedules, type ScheduleFile } from "../../schedules/load_schedules.ts";
import { editGrid } from "../../schedules/edit_schedules.ts";
import { gridOf, weekOf } from "../../schedules/schedule_week.ts";
import type { Schedule } from "../../schedules/schedule.ts";
import { ApiProblem } from "../http/api_problem.ts";

/** A file of schedules as it is on the disk now. */
export interface ReadSchedules {
  readonly text: string;
  /** Tells whether the file is still the one that was shown. */
  readonly fingerprint: string;
  readonly file: ScheduleFile;
}

/** A proposed change of the file, which a person takes over or throws away. */
export interface Proposal {
  /** Path of the proposed file. */
  readonly path: string;
  readonly fingerprint: string;
  /** Lines that differ, and some around them: `-` goes, `+` comes. */
  readonly lines: readonly { readonly sign: "-" | "+" | " "; readonly text: string }[];
}

/** Lines shown around a change. */
const AROUND = 2;

/** Reads the file; `undefined` where there is none. */
export async function readSchedules(path: string): Promise<ReadSchedules | undefined> {
  const text = await readIfThere(path);
  return text === undefined
    ? undefined
    : { text, fingerprint: await sha256(text), file: parseSchedules(text, path) };
}

/** The file that was shown. @throws {ApiProblem} when it is another one by now. */
export async function shownSchedules(path: string, fingerprint: string): Promise<ReadSchedules> {
  const read = await readSchedules(path);
  if (read?.fingerprint === fingerprint) return read;
  throw new ApiProblem(
    409,
    "FILE_CHANGED",
    `${path} is not the file that was shown. Nothing was written: load the page again and read it`,
  );
}

/** The proposal beside a file; `undefined` for none. */
export async function readProposal(path: string, present: string): Promise<Proposal | undefined> {
  const place = proposalPath(path);
  const text = await readIfThere(place);
  if (text === undefined) return undefined;
  return { path: place, fingerprint: await sha256(text), lines: differingLines(present, text) };
}

/** Writes other factors of a schedule into a proposal beside the file; later ones go on from it. */
export async function propose(
  path: string,
  { name, factors, present }: {
    readonly name: string;
    readonly factors: readonly (readonly number[])[];
    readonly present: string;
  },
): Promise<void> {
  const place = proposalPath(path);
  const base = await readIfThere(place) ?? present;
  const schedule = parseSchedules(base, path).schedules.find((one) => one.name === name);
  if (schedule !== undefined && !hasWholeHours(schedule)) {
    throw new ApiProblem(
      409,
      "QUARTERS",
      `Cannot change "${name}" by the hour: its grid has steps of quarters. Edit ${path}`,
    );
  }
  await fileSystem().writeText(place, editGrid(base, { name, grid: gridOf(factors) }, path));
}

/** True where every cell of a grid begins and ends with an hour, so that 24 factors a day say everything. */
export function hasWholeHours(schedule: Schedule): boolean {
  const hours = weekOf(schedule);
  return weekOf(schedule, { step: 15 }).every((day, at) =>
    day.every((factor, quarter) => factor === hours[at]?.[Math.floor(quarter / 4)])
  );
}

/** Ends a proposal: takes it over into the file, or throws it away. */
export async function decideProposal(
  path: string,
  { take, fingerprint }: { readonly take: boolean; readonly fingerprint: string },
): Promise<void> {
  const place = proposalPath(path);
  const text = await readIfThere(place);
  if (text === undefined || await sha256(text) !== fingerprint) {
    throw new ApiProblem(
      409,
      "FILE_CHANGED",
      `${place} is not what was shown. Nothing was written: load the page again`,
    );
  }
  if (take) {
    parseSchedules(text, place);
    await fileSystem().writeText(path, text);
  }
  await fileSystem().remove(place);
}

function proposalPath(path: string): string {
  return path.replace(/(\.\w+)?$/, ".proposed$1");
}

/** Lines of two texts by their longest common beginning and end, block by block. */
function differingLines(before: string, after: string): Proposal["lines"] {
  const [old, next] = [before.split("\n"), after.split("\n")];
  // Longest common subsequence; files of schedules are short.
  const width = next.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      lengths[i * width + j] = old[i] === next[j]
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const all: { sign: "-" | "+" | " "; text: string }[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      all.push({ sign: " ", text: old[i]! });
      i++;
      j++;
    } else if (
      j >= next.length || (i < old.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) all.push({ sign: "-", text: old[i++]! });
    else all.push({ sign: "+", text: next[j++]! });
  }
  return all.filter((_, at) =>
    all.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== " ")
  );
}
