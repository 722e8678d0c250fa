import { join } from "node:path";
import { ConfigurationError } from "../../errors.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { parseSchedules, type ScheduleFile } from "./load_schedules.ts";
import { editGrid, putSchedules } from "./edit_schedules.ts";
import { gridOf, weekOf } from "./schedule_week.ts";
import { PROPOSED_SCHEDULES, type Schedule } from "./schedule.ts";

interface ReadSchedules {
  readonly text: string;
  readonly fingerprint: string;
  readonly file: ScheduleFile;
}

/** A folder of plans, which may hold a proposal. */
interface ProposalFolder {
  readonly maker: "agent" | "person";
  readonly store: { readonly path: string };
}

export interface Proposal {
  readonly path: string;
  readonly maker: ProposalFolder["maker"];
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

/** A person's proposal takes precedence over an agent's. */
export async function readProposal(
  path: string,
  present: string | undefined,
  folders: readonly ProposalFolder[],
): Promise<Proposal | undefined> {
  const found = await findProposal(path, present, folders);
  if (found === undefined) return undefined;
  const { place, text, maker } = found;
  return { path: place, maker, fingerprint: await sha256(text), lines: differingLines(present ?? "", text) };
}

async function findProposal(
  path: string,
  present: string | undefined,
  folders: readonly ProposalFolder[],
): Promise<
  { readonly place: string; readonly maker: ProposalFolder["maker"]; readonly text: string } | undefined
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

/**
 * Writes a proposal with other factors beside the file; further ones build on it.
 *
 * @returns False if the schedule uses quarter hours, which hourly factors would lose; nothing is written then.
 */
export async function propose(
  path: string,
  { name, factors, present }: {
    readonly name: string;
    readonly factors: readonly (readonly number[])[];
    readonly present: string;
  },
): Promise<boolean> {
  const place = proposalPath(path);
  const base = await readIfThere(place) ?? present;
  const schedule = parseSchedules(base, path).schedules.find((one) => one.name === name);
  if (schedule !== undefined && !hasWholeHours(schedule)) return false;
  await fileSystem().writeText(place, editGrid(base, { name, grid: gridOf(factors) }, path));
  return true;
}

export function hasWholeHours(schedule: Schedule): boolean {
  const hours = weekOf(schedule);
  return weekOf(schedule, { step: 15 }).every((day, at) =>
    day.every((factor, quarter) => factor === hours[at]?.[Math.floor(quarter / 4)])
  );
}

/**
 * Takes a proposal into the file, or discards it.
 *
 * @returns False if it is no longer the proposal of the fingerprint; nothing is written then.
 */
export async function decideProposal(
  path: string,
  { take, fingerprint, present, folders }: {
    readonly take: boolean;
    readonly fingerprint: string;
    readonly present: string | undefined;
    readonly folders: readonly ProposalFolder[];
  },
): Promise<boolean> {
  const found = await findProposal(path, present, folders);
  if (found === undefined || await sha256(found.text) !== fingerprint) return false;
  const { place, text } = found;
  if (take) {
    parseSchedules(text, place);
    await fileSystem().writeText(path, text);
  }
  await fileSystem().remove(place);
  return true;
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
