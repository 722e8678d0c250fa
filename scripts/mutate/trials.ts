import { Imports } from "../imports.ts";
import type { Lane } from "../run_tests/lanes.ts";
import type { Mutant } from "./mutant.ts";
import { leastShared, type OwnChange, ownChange } from "./own_change.ts";
import { TestProcesses } from "./test_processes.ts";
import type { KnownTest } from "./test_protocol.ts";

/** Tests that are tried first because they noticed other changes of the same source. */
const MAX_FIRST = 12;

/** Milliseconds of tests that each change is tried with in a new process, where trials are brief. */
const MOST_ANEW = 20_000;

/** How a change fared. */
export interface Trial {
  /** The test that noticed it. */
  readonly noticedBy?: string | undefined;
  /** True when it was noticed because a test did not end, or its process died. */
  readonly isStopped?: boolean;
  /** True when no test reaches it. */
  readonly isUnreached?: boolean;
}

/** Tries changes with the tests that reach them, in several processes at once. */
export class Trials {
  readonly #lanes: readonly TestProcesses[];
  readonly #imports: Imports;
  readonly #files: readonly string[];
  readonly #lane: Lane | undefined;
  readonly #isBrief: boolean;
  readonly #tests: KnownTest[] = [];
  readonly #byChange = new Map<number, KnownTest[]>();
  readonly #onceReached = new Set<number>();
  readonly #sourceOf: ReadonlyMap<number, string>;
  /** The tests that noticed changes, the newest first, by source. */
  readonly #noticing = new Map<string, readonly KnownTest[]>();

  /**
   * @param files Paths of the files of tests; `mutants` are all changes that the copy holds. With a `lane`, only its tests
   * run. Where it `isBrief`, they are measured once, and only the first seconds of tests are tried in a new process.
   */
  constructor(
    { copy, env, jobs, files, mutants, lane, isBrief = false }: {
      readonly copy: string;
      readonly env: Readonly<Record<string, string>>;
      readonly jobs: number;
      readonly files: readonly string[];
      readonly mutants: readonly Mutant[];
      readonly lane?: Lane;
      readonly isBrief?: boolean;
    },
  ) {
    this.#lane = lane;
    this.#isBrief = isBrief;
    this.#lanes = Array.from({ length: jobs }, () => new TestProcesses(copy, env));
    this.#files = files;
    this.#imports = new Imports((path) => Deno.readTextFile(`${copy}/${path}`));
    this.#sourceOf = new Map(mutants.map(({ id, path }) => [id, path]));
  }

  /** Runs every test twice, unchanged, or once. Gives those that fail, which are left out, and how. */
  async measure(): Promise<readonly string[]> {
    const failing: string[] = [];
    await this.#each(this.#files, async (file, lane) => {
      const answer = await lane.ask({
        kind: "measure",
        file,
        lane: this.#lane,
        isOnce: this.#isBrief,
      });
      if (answer.kind !== "measured") {
        failing.push(
          `${file}: the process of the tests ended${answer.kind === "died" ? ` in ${answer.at}` : ""}`,
        );
        return;
      }
      failing.push(...answer.failing);
      this.#tests.push(...answer.tests);
      for (const id of answer.reachedOnce) this.#onceReached.add(id);
    });
    this.#tests.sort((a, b) => a.milliseconds - b.milliseconds);
    for (const test of this.#tests) {
      for (const id of test.reached) {
        const others = this.#byChange.get(id);
        if (others === undefined) this.#byChange.set(id, [test]);
        else others.push(test);
      }
    }
    return failing;
  }

  /** Tries changes, and tells of each one as it is known. */
  async run(mutants: readonly Mutant[], tell: (mutant: Mutant, trial: Trial) => void): Promise<void> {
    await this.#each(mutants, async (mutant, lane) => tell(mutant, await this.#try(mutant, lane)));
  }

  /** Milliseconds that the tests of each file take, unchanged. */
  costs(): ReadonlyMap<string, number> {
    const costs = new Map(this.#files.map((file) => [file, 0]));
    for (const { file, milliseconds } of this.#tests) costs.set(file, (costs.get(file) ?? 0) + milliseconds);
    return costs;
  }

  /** Tries changes with every file that reaches them, and tells which files notice each one as it is known. */
  async weigh(
    mutants: readonly Mutant[],
    tell: (mutant: Mutant, files: readonly string[]) => void,
  ): Promise<void> {
    await this.#each(mutants, async (mutant, lane) => {
      const noticing: string[] = [];
      for (const [file, tests] of Map.groupBy(this.#byChange.get(mutant.id) ?? [], ({ file }) => file)) {
        if ((await this.#tryWith(mutant, lane, tests, false)).noticedBy !== undefined) noticing.push(file);
      }
      tell(mutant, noticing);
    });
  }

  /** Looks for a change that a file alone notices, for each of some files, and tells of each as it is known. */
  async findOwn(
    files: readonly string[],
    { mutants, most }: { readonly mutants: readonly Mutant[]; readonly most: number },
    tell: (file: string, found: OwnChange) => void,
  ): Promise<void> {
    await this.#each(files, async (file, lane) => {
      const shared = leastShared(file, mutants, (id) => this.#byChange.get(id) ?? []);
      const isNoticed = async (mutant: Mutant, tests: readonly KnownTest[]): Promise<boolean> =>
        (await this.#tryWith(mutant, lane, tests, false)).noticedBy !== undefined;
      tell(file, await ownChange(shared.slice(0, most), isNoticed));
    });
  }

  async stop(): Promise<void> {
    for (const lane of this.#lanes) await lane.stop();
  }

  async #try(mutant: Mutant, lane: TestProcesses): Promise<Trial> {
    const reaching = this.#byChange.get(mutant.id) ?? [];
    const isOnce = this.#onceReached.has(mutant.id);
    if (reaching.length === 0 && !isOnce) return { isUnreached: true };
    const trial = await this.#tryWith(mutant, lane, this.#inOrder(mutant, reaching), false);
    if (trial.noticedBy !== undefined) return trial;
    // What modules and first calls make, and what they keep, is made anew only in a new process.
    await lane.stop();
    const anew = isOnce ? await this.#importing(mutant.path) : reaching;
    let left = this.#isBrief ? MOST_ANEW : Infinity;
    return await this.#tryWith(
      mutant,
      lane,
      anew.filter(({ milliseconds }) => (left -= milliseconds) > 0),
      true,
    );
  }

  async #tryWith(
    mutant: Mutant,
    lane: TestProcesses,
    tests: readonly KnownTest[],
    isEarly: boolean,
  ): Promise<Trial> {
    if (tests.length === 0) return {};
    // What a test reaches is long, and the process does not ask.
    const asked = tests.map(({ reached: _, ...one }) => one);
    const order = { kind: "try", id: mutant.id, tests: asked, isEarly } as const;
    let answer = await lane.ask(order);
    if (answer.kind === "tried" && answer.isSpoiled && !answer.isEndless && !isEarly) {
      // It may be an earlier change that the test failed of.
      await lane.stop();
      answer = await lane.ask(order);
    }
    if (answer.kind === "died") return { noticedBy: answer.at, isStopped: true };
    if (answer.kind !== "tried") throw new Error(`Expected the end of a trial, got "${answer.kind}"`);
    if (answer.isSpoiled) await lane.stop();
    const { noticedBy, isEndless } = answer;
    const noticing = tests.find(({ file, name }) => `${file}: ${name}` === noticedBy);
    if (noticing !== undefined) {
      const others = (this.#noticing.get(mutant.path) ?? []).filter((one) => one !== noticing);
      this.#noticing.set(mutant.path, [noticing, ...others].slice(0, MAX_FIRST));
    }
    return { noticedBy, isStopped: isEndless };
  }

  /** Those that noticed other changes of the source, then the quickest first. */
  #inOrder(mutant: Mutant, tests: readonly KnownTest[]): readonly KnownTest[] {
    const first = (this.#noticing.get(mutant.path) ?? []).filter((one) => tests.includes(one));
    return [...first, ...tests.filter((one) => !first.includes(one))];
  }

  /** The tests whose file imports a source: those first that reach any change of it. */
  async #importing(path: string): Promise<readonly KnownTest[]> {
    const files = new Set<string>();
    for (const file of this.#files) if ((await this.#imports.of(file)).has(path)) files.add(file);
    const tests = this.#tests.filter(({ file }) => files.has(file));
    const near = new Set(
      tests.filter(({ reached }) => reached.some((id) => this.#sourceOf.get(id) === path)),
    );
    const noticing = (this.#noticing.get(path) ?? []).filter((one) => tests.includes(one));
    return [...new Set([...noticing, ...tests.filter((one) => near.has(one)), ...tests])];
  }

  /** Does something with every value, as many at once as there are processes. */
  async #each<T>(values: readonly T[], act: (value: T, lane: TestProcesses) => Promise<void>): Promise<void> {
    const left = values[Symbol.iterator]();
    await Promise.all(this.#lanes.map(async (lane) => {
      for (const value of left) await act(value, lane);
    }));
  }
}
