import { join } from "node:path";
import { ConfigurationError } from "../../../errors.ts";
import { sha256 } from "../../../base/text/sha256.ts";
import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { fileSystem } from "../../../base/runtime/file_system.ts";
import { parseSchedules, type ScheduleFile } from "../../../automation/schedules/load_schedules.ts";
import { editGrid, putSchedules } from "../../../automation/schedules/edit_schedules.ts";
import { gridOf, weekOf } from "../../../automation/schedules/schedule_week.ts";
import { PROPOSED_SCHEDULES, type Schedule } from "../../../automation/schedules/schedule.ts";
import type { PlanFolder } from "../http/console_context.ts";
import { ApiProblem } from "../http/responses.ts";

interface ReadSchedules {
  readonly text: string;
  readonly fingerprint: string;
  readonly file: ScheduleFile;
}

export interface Proposal {
  readonly path: string;
  readonly maker: PlanFolder["maker"];
  readonly fingerprint: string;
  readonly lines: readonly { readonly sign: "-" | "+" | " "; readonly text: string }[];
}

const AROUND = 2;

export async function readSchedules(path: string): Promise<ReadSchedules | undefined> {
  const text = await readIfThere(path);
  return text === undefined
    ? undefined
    : { text, fingerprint: await sha256(text), file: parseSchedules(text, path) };
}

/**
 * A `fingerprint` of `null` means that there was no file.
 *
 * @throws {ApiProblem} when the file has changed since.
 */
export async function shownSchedules(
  path: string,
  fingerprint: string | null,
): Promise<ReadSchedules | undefined> {
  const read = await readSchedules(path);
  if ((read?.fingerprint ?? null) === fingerprint) return read;
  throw new ApiProblem(
    409,
    "FILE_CHANGED",
    `${path} changed since this page was loaded. Nothing was written: reload the page and review it`,
  );
}

/** A person's proposal takes precedence over an agent's. */
export async function readProposal(
  path: string,
  present: string | undefined,
  folders: readonly PlanFolder[],
): Promise<Proposal | undefined> {
  const found = await findProposal(path, present, folders);
  if (found === undefined) return undefined;
  const { place, text, maker } = found;
  return { path: place, maker, fingerprint: await sha256(text), lines: differingLines(present ?? "", text) };
}

async function findProposal(
  path: string,
  present: string | undefined,
  folders: readonly PlanFolder[],
): Promise<
  { readonly place: string; readonly maker: PlanFolder["maker"]; readonly text: string } | undefined
> {
  const place = proposalPath(path);
  const text = await readIfThere(place);
  if (text !== undefined) return { place, maker: "person", text };
  for (const { maker, store } of folders) {
    if (maker !== "agent") continue;
    const place = join(store.path, PROPOSED_SCHEDULES);
    const proposed = await readIfThere(place);
    if (proposed === undefined) continue;
    try {
      return { place, maker, text: putSchedules(present, proposed, place) };
    } catch (error) {
      // What does not fit into the file as it is now waits until it does.
      if (!(error instanceof ConfigurationError)) throw error;
    }
  }
  return undefined;
}

/** Further changes build on an existing proposal. */
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
      `Cannot change "${name}" by the hour: its grid uses quarter hours. Edit ${path}`,
    );
  }
  await fileSystem().writeText(place, editGrid(base, { name, grid: gridOf(factors) }, path));
}

export function hasWholeHours(schedule: Schedule): boolean {
  const hours = weekOf(schedule);
  return weekOf(schedule, { step: 15 }).every((day, at) =>
    day.every((factor, quarter) => factor === hours[at]?.[Math.floor(quarter / 4)])
  );
}

export async function decideProposal(
  path: string,
  { take, fingerprint, present, folders }: {
    readonly take: boolean;
    readonly fingerprint: string;
    readonly present: string | undefined;
    readonly folders: readonly PlanFolder[];
  },
): Promise<void> {
  const found = await findProposal(path, present, folders);
  if (found === undefined || await sha256(found.text) !== fingerprint) {
    throw new ApiProblem(
      409,
      "FILE_CHANGED",
      `The proposal for ${path} changed since this page was loaded. Nothing was written: reload the page`,
    );
  }
  const { place, text } = found;
  if (take) {
    parseSchedules(text, place);
    await fileSystem().writeText(path, text);
  }
  await fileSystem().remove(place);
}

function proposalPath(path: string): string {
  return path.replace(/(\.\w+)?$/, ".proposed$1");
}

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
