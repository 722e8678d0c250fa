/** Runs in each isolate of `run_tests.ts`: declares the tests of one lane, and counts the work of each. */
import { FileTurns } from "./file_turns.ts";
import { type Lane, lanesOf, LONG_MARK, NO_POLICY_MARK } from "./lanes.ts";
import { marks } from "./marks.ts";
import { keepInMemory } from "./temporary_place.ts";
import { checkWork, type TestCost } from "./test_cost.ts";

type Body = (context: Deno.TestContext) => void | Promise<void>;
type Given = readonly (string | Partial<Deno.TestDefinition> | Body)[];

/** What an isolate runs. */
export interface IsolateOptions {
  /** `policy` for everyday tests that run once more, with a policy. */
  readonly lane: Lane | "policy";
  /** File that takes a JSON line for each test. */
  readonly costs: string;
  /** File that takes the number of each process that a test starts, and the test file. */
  readonly started: string;
  /** Folder in memory for temporary files. @default the place of the system */
  readonly memory?: string | undefined;
  /** Test files that do without it. @default none */
  readonly onDisk?: readonly string[];
  /** Work of this isolate so far: see {@linkcode countWork}. */
  readonly counted: WorkDone;
  /** Test files by their paths, in order. */
  readonly files: Readonly<Record<string, () => Promise<unknown>>>;
  /** Reads the text of a test file. @default from the disk */
  readonly textOf?: (path: string) => Promise<string>;
}

const DAY = 86_400_000;

/** Tests of how a store is made, and those that do all twice the same: their stores are no copies. */
const MAKES_STORES = /^tests\/(?:store\/sqlite|simulation)\//;

/** Work since the counting began. */
export interface WorkDone {
  processes: number;
  requests: number;
  reportDays: number;
  /** Told the number of each process that is started. */
  onStart?: (pid: number) => void;
}

/** Loads the files one after another, so that each declares its tests under its own name. */
export async function declareTests(
  { lane, costs, started, memory, onDisk = [], counted, files, textOf = (path) => Deno.readTextFile(path) }:
    IsolateOptions,
): Promise<void> {
  let file = "";
  const leaving = new Set<string>();
  const turns = new FileTurns();
  const { copyNewStores } = await import("../../tests/support/empty_sqlite.ts");
  copyNewStores(() => !MAKES_STORES.test(turns.file ?? file));
  if (memory !== undefined) keepInMemory(memory, () => onDisk.includes(turns.file ?? file));
  counted.onStart = (pid) =>
    Deno.writeTextFileSync(started, `${pid} ${turns.file ?? file}\n`, { append: true });
  const declare = Deno.test;
  const chosen = (...given: Given): void => {
    const definition = definitionOf(given);
    const isLong = marks.isFileLong || marks.isNextLong;
    const { whyWithoutPolicy } = marks;
    Object.assign(marks, { isNextLong: false, whyWithoutPolicy: undefined });
    if (lane === "policy" && isLong) return;
    if (lane === "policy" && whyWithoutPolicy !== undefined) {
      declare({
        name: `${NO_POLICY_MARK}${whyWithoutPolicy}] ${definition.name}`,
        ignore: true,
        fn: () => {},
      });
    } else if (lane === "everyday" && isLong) {
      leaving.add(file);
      declare({ name: `${LONG_MARK}${definition.name}`, ignore: true, fn: () => {} });
    } else if (lane !== "long" || isLong) {
      declare({ ...definition, fn: measured(definition, { file, isLong, costs, counted, turns }) });
    }
  };
  Object.defineProperty(Deno, "test", { value: Object.assign(chosen, declare), configurable: true });
  for (const [path, load] of Object.entries(files)) {
    file = path;
    Object.assign(marks, { isFileLong: false, isNextLong: false, hooks: turns.add(path) });
    await load();
    if (leaving.has(path) && !lanesOf(await textOf(path)).includes("long")) {
      throw new Error(
        `Cannot leave tests of ${path} to the long lane, which would not find them: name what tags them in lanes.ts`,
      );
    }
  }
  marks.hooks = undefined;
  if (turns.needsEnd) declare.afterAll(() => turns.end());
}

/** One form for the five that `Deno.test` takes. */
function definitionOf(given: Given): Deno.TestDefinition {
  const body = given.findLast((one): one is Body => typeof one === "function");
  const options = given.find((one): one is Partial<Deno.TestDefinition> => typeof one === "object");
  const fn = body ?? options?.fn;
  const name = given.find((one) => typeof one === "string") ?? options?.name ?? fn?.name;
  if (fn === undefined || name === undefined) {
    throw new TypeError("Cannot declare a test: it has no name or no body");
  }
  return { ...options, name, fn };
}

function measured(
  { name, fn }: Deno.TestDefinition,
  { file, isLong, costs, counted, turns }: Pick<IsolateOptions, "costs" | "counted"> & {
    readonly file: string;
    readonly isLong: boolean;
    readonly turns: FileTurns;
  },
): Body {
  return async (context) => {
    await turns.begin(file);
    const before = { ...counted, judged: marks.judged, milliseconds: threadTime() };
    await fn(context);
    const cost: TestCost = {
      file,
      name,
      milliseconds: Math.round(threadTime() - before.milliseconds),
      processes: counted.processes - before.processes,
      requests: counted.requests - before.requests,
      reportDays: counted.reportDays - before.reportDays,
      ...(marks.isUnderPolicy ? { judged: marks.judged - before.judged } : {}),
    };
    Deno.writeTextFileSync(costs, `${JSON.stringify(cost)}\n`, { append: true });
    if (!isLong && !marks.isUnderPolicy) checkWork(cost);
  };
}

/** Counts from now on the processes that this isolate starts, its requests, and the days of reports among them. */
export function countWork(): WorkDone {
  const counted: WorkDone = { processes: 0, requests: 0, reportDays: 0 };
  const { fetch, Deno: { Command } } = globalThis;
  globalThis.fetch = (...given) => {
    counted.requests++;
    counted.reportDays += daysOf(given[1]?.body);
    return fetch(...given);
  };
  Object.defineProperty(Deno, "Command", {
    value: class Counted extends Command {
      readonly #given: ConstructorParameters<typeof Command>;

      constructor(...given: ConstructorParameters<typeof Command>) {
        super(...given);
        this.#given = given;
        counted.processes++;
      }

      override spawn(): Deno.ChildProcess {
        const child = super.spawn();
        counted.onStart?.(child.pid);
        return child;
      }

      override output(): Promise<Deno.CommandOutput> {
        const [program, options] = this.#given;
        const piped = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
        const child = new Command(program, { ...piped, ...options }).spawn();
        counted.onStart?.(child.pid);
        return child.output();
      }
    },
    configurable: true,
  });
  return counted;
}

/** Days that the body of a request asks a report of. */
function daysOf(body: unknown): number {
  if (typeof body !== "string") return 0;
  const [start, end] = [/"startDate":"([\d-]+)"/, /"endDate":"([\d-]+)"/].map((field) =>
    Date.parse(field.exec(body)?.[1] ?? "")
  );
  const days = (end! - start!) / DAY + 1;
  return days > 0 ? days : 0;
}

/** Processor time of this thread, in milliseconds; 0 where the system does not tell. */
function threadTime(): number {
  if (Deno.build.os !== "linux") return 0;
  return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / 1e6;
}
