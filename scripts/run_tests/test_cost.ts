/** What a test did. */
export interface TestCost {
  readonly file: string;
  readonly name: string;
  /** Processor time of the test's own thread: a figure to look at, which no run depends on. */
  readonly milliseconds: number;
  /** Processes that it started. */
  readonly processes: number;
  /** Requests that it sent. */
  readonly requests: number;
  /** Days of the reports that it asked for, over all of them. */
  readonly reportDays: number;
  /** How often the wide policy of every client was asked, where there is one. */
  readonly judged?: number;
}

/** An everyday test that needs more than this is to be tagged: about 3 seconds of a processor. */
const MAX_WORK = { processes: 4, requests: 1500, reportDays: 2000 } as const;

const WORK = [
  ["processes", "processes"],
  ["requests", "requests"],
  ["reportDays", "days of reports"],
] as const;

/** From this on a test is named at the end of a run, in milliseconds. */
const COSTLY = 3000;

/** Throws where a test of `deno task test` does more work than such a test may. */
export function checkWork(cost: TestCost): void {
  const tooMuch = WORK.filter(([kind]) => cost[kind] > MAX_WORK[kind])
    .map(([kind, name]) => `${cost[kind]} ${name} (at most ${MAX_WORK[kind]})`);
  if (tooMuch.length === 0) return;
  throw new Error(
    `Cannot be an everyday test: it needs ${tooMuch.join(" and ")}. Make it smaller, or put long() before it`,
  );
}

/** Reads what the tests of a run did. */
export async function readCosts(path: string): Promise<readonly TestCost[]> {
  const text = await Deno.readTextFile(path).catch(() => "");
  return text.trimEnd().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Reads which test file started which process. */
export function readStarted(path: string): Map<number, string> {
  try {
    return new Map(
      Deno.readTextFileSync(path).trimEnd().split("\n").map((line) => {
        const [pid, file = ""] = line.split(" ");
        return [Number(pid), file] as const;
      }),
    );
  } catch {
    // None has been started.
    return new Map();
  }
}

/** Names the tests that took long, the longest first. */
export function tellCostly(costs: readonly TestCost[]): string[] {
  return costs.filter(({ milliseconds }) => milliseconds > COSTLY)
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .map(({ file, name, milliseconds }) =>
      `Took ${(milliseconds / 1000).toFixed(1)} s of a processor: ${file} => ${name}`
    );
}

/** Files that are named with what they took. */
const DEAREST = 10;

/**
 * Names the files that took the most processor time, the dearest first, and the sums of all.
 *
 * @param processes Seconds of the processes that the tests started, by file or program.
 */
export function tellDearest(costs: readonly TestCost[], processes: ReadonlyMap<string, number>): string[] {
  const threads = new Map<string, number>();
  for (const { file, milliseconds } of costs) {
    threads.set(file, (threads.get(file) ?? 0) + milliseconds / 1000);
  }
  const files = [...new Set([...threads.keys(), ...processes.keys()])].map((name) => {
    const own = processes.get(name) ?? 0;
    return { name, own, all: own + (threads.get(name) ?? 0) };
  }).toSorted((a, b) => b.all - a.all);
  const sum = (times: Iterable<number>): string => [...times].reduce((a, b) => a + b, 0).toFixed(0);
  return [
    ...files.slice(0, DEAREST).map(({ name, own, all }) =>
      `${all.toFixed(1)} s of a processor, ${own.toFixed(1)} of them in processes: ${name}`
    ),
    `All tests: ${sum(threads.values())} s of a processor in their threads, and ${
      sum(processes.values())
    } in the processes that they started`,
  ];
}

/** Names the files that ran under a policy which none of their tests asked anything. */
export function tellUnjudged(costs: readonly TestCost[]): string[] {
  const files = Map.groupBy(costs.filter(({ judged }) => judged !== undefined), ({ file }) => file);
  return [...files].filter(([, own]) => own.every(({ judged }) => judged === 0)).map(([file]) =>
    `Asked its policy nothing (name it in scripts/run_tests/under_policy.ts): ${file}`
  ).sort();
}
