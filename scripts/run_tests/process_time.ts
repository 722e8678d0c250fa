/** A process by the kernel's account. */
export interface ProcessEntry {
  readonly parent: number;
  /** Seconds of a processor that it used itself. */
  readonly own: number;
  /** Those of its children that have ended, and of theirs. */
  readonly ended: number;
  readonly program: string;
}

/** Ticks of the kernel's clock in a second. */
const TICKS = 100;

/** All processes of this machine by their numbers. None where the system does not tell, which is all but Linux. */
export function processEntries(): Map<number, ProcessEntry> {
  const entries = new Map<number, ProcessEntry>();
  if (Deno.build.os !== "linux") return entries;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const text = Deno.readTextFileSync(`/proc/${name}/stat`);
      const end = text.lastIndexOf(")");
      const fields = text.slice(end + 2).split(" ").map(Number);
      entries.set(Number(name), {
        parent: fields[1]!,
        own: (fields[11]! + fields[12]!) / TICKS,
        ended: (fields[13]! + fields[14]!) / TICKS,
        program: text.slice(text.indexOf("(") + 1, end),
      });
    } catch {
      // It has ended meanwhile.
    }
  }
  return entries;
}

/** Numbers of a process and of all that it started, and they in turn. */
export function withStarted(
  root: number,
  entries: ReadonlyMap<number, ProcessEntry> = processEntries(),
): readonly number[] {
  const children = Map.groupBy(entries.keys(), (pid) => entries.get(pid)!.parent);
  const all = [root];
  for (const pid of all) all.push(...children.get(pid) ?? []);
  return all;
}

/**
 * Processor time of the processes that a run of tests starts, by the test file that started them, or by the program
 * where a library did. Those that leave their parent to go on alone are not counted.
 */
export class ProcessTime {
  readonly #root: number;
  readonly #fileOf: (pid: number) => string | undefined;
  /** Seconds of those that have ended, by file. */
  readonly #spent = new Map<string, number>();
  #living = new Map<number, { readonly name: string; readonly seconds: number }>();
  #ended = 0;

  /** @param fileOf The file that started a process, if it is known. */
  constructor(root: number, fileOf: (pid: number) => string | undefined) {
    this.#root = root;
    this.#fileOf = fileOf;
  }

  /** Looks once more: the oftener, the better are short processes told apart. */
  look(entries: ReadonlyMap<number, ProcessEntry> = processEntries()): void {
    const root = entries.get(this.#root);
    if (root === undefined) return;
    const children = Map.groupBy(entries, ([, { parent }]) => parent);
    const timeOf = (pid: number): number => {
      const { own, ended } = entries.get(pid)!;
      return own + ended + (children.get(pid) ?? []).reduce((sum, [child]) => sum + timeOf(child), 0);
    };
    const before = this.#living;
    this.#living = new Map(
      (children.get(this.#root) ?? []).map(([pid, { program }]) => [
        pid,
        { name: this.#fileOf(pid) ?? before.get(pid)?.name ?? program, seconds: timeOf(pid) },
      ]),
    );
    const gone = [...before].filter(([pid]) => !this.#living.has(pid)).map(([, one]) => one);
    const known = gone.reduce((sum, { seconds }) => sum + seconds, 0);
    for (const { name, seconds } of gone) this.#add(name, seconds);
    // Their last moments, and those that came and went between two looks.
    const rest = root.ended - this.#ended - known;
    for (const { name } of gone) this.#add(name, Math.max(0, rest) / gone.length);
    if (gone.length === 0 && rest > 0) this.#add(SHORT, rest);
    this.#ended = root.ended;
  }

  /** Seconds by file, or by program. */
  get seconds(): ReadonlyMap<string, number> {
    const all = new Map(this.#spent);
    for (const { name, seconds } of this.#living.values()) all.set(name, (all.get(name) ?? 0) + seconds);
    return all;
  }

  #add(name: string, seconds: number): void {
    this.#spent.set(name, (this.#spent.get(name) ?? 0) + seconds);
  }
}

/** Stands for those that no look has seen. */
const SHORT = "short processes";
