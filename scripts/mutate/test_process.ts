/**
 * Runs tests of a changed copy, as `mutate.ts` orders on standard input: all changes of the sources are in the copy, and
 * one of them is active at a time. Runs in the copy.
 */
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { type CollectedTest, collectTests, endCollectedTests, test } from "./collected_tests.ts";
import { linesIn } from "../../src/base/text/lines.ts";
import { $mutant } from "./mutant_switch.ts";
import { heldUp } from "./held_up.ts";
import { ANSWER_MARK, type KnownTest, type TestAnswer, type TestOrder } from "./test_protocol.ts";

/** A test that takes so many times longer than before, and so many milliseconds more, does not end. */
const [MAX_SLOWDOWN, MORE_TIME] = [20, 8000];
/** The same of the changes that it passes. */
const [MAX_REPEATS, MORE_PASSED] = [50, 200_000];
const TOO_SLOW = "did not end";

const files = new Map<string, readonly CollectedTest[]>();
let uncaught: unknown;
for (const kind of ["unhandledrejection", "error"] as const) {
  globalThis.addEventListener(kind, (event) => {
    event.preventDefault();
    uncaught = event instanceof ErrorEvent ? event.error : (event as PromiseRejectionEvent).reason;
  });
}
Object.defineProperty(Deno, "test", { value: test, configurable: true, writable: true });
for (const name of ["log", "warn", "error", "info"] as const) console[name] = () => {};

for await (const line of linesIn(Deno.stdin.readable)) {
  const order: TestOrder = JSON.parse(line);
  await answer(order.kind === "measure" ? await measured(order) : await tried(order));
}
await endCollectedTests();
Deno.exit(0);

async function measured(
  { file, lane, isOnce = false }: TestOrder & { readonly kind: "measure" },
): Promise<TestAnswer> {
  const once = new Set<number>();
  const known: KnownTest[] = [];
  const failing: string[] = [];
  $mutant.reached = once;
  const tests = await testsOf(file).catch((error) => {
    failing.push(`${file}: ${error}`);
    return [];
  });
  for (const [index, one] of tests.entries()) {
    if (lane !== undefined && one.isLong !== (lane === "long")) continue;
    await answer({ kind: "begins", test: one.name });
    const first = new Set<number>();
    const again = new Set<number>();
    $mutant.reached = first;
    const problem = isOnce ? undefined : await failureOf(one, Infinity);
    $mutant.reached = again;
    $mutant.passed = 0;
    const began = performance.now();
    const laterProblem = problem ?? await failureOf(one, Infinity);
    const milliseconds = performance.now() - began;
    for (const id of first) if (!again.has(id)) once.add(id);
    $mutant.reached = once;
    if (laterProblem !== undefined) failing.push(`${file}: ${one.name}: ${laterProblem}`);
    else {
      known.push({
        ...{ file, index, name: one.name, milliseconds },
        ...{ passed: $mutant.passed, reached: [...again] },
      });
    }
  }
  $mutant.reached = undefined;
  return { kind: "measured", tests: known, reachedOnce: [...once], failing };
}

async function tried({ id, tests, isEarly }: TestOrder & { readonly kind: "try" }): Promise<TestAnswer> {
  for (const { file, index, name, milliseconds, passed } of tests) {
    const noticedBy = `${file}: ${name}`;
    await answer({ kind: "begins", test: noticedBy });
    $mutant.active = isEarly ? id : 0;
    let one: CollectedTest | undefined;
    try {
      one = (await testsOf(file))[index];
    } catch (error) {
      if (!isEarly) throw error;
    }
    if (one === undefined) return { kind: "tried", noticedBy, isSpoiled: true, isEndless: false };
    $mutant.active = id;
    $mutant.passed = 0;
    $mutant.limit = passed * MAX_REPEATS + MORE_PASSED;
    const problem = await failureOf(one, milliseconds * MAX_SLOWDOWN + MORE_TIME);
    const isEndless = $mutant.passed > $mutant.limit || problem === TOO_SLOW;
    $mutant.limit = Infinity;
    if (problem === undefined) continue;
    $mutant.active = 0;
    const isSpoiled = isEarly || isEndless || await failureOf(one, MORE_TIME * MAX_SLOWDOWN) !== undefined;
    return { kind: "tried", noticedBy, isSpoiled, isEndless };
  }
  $mutant.active = 0;
  return { kind: "tried", noticedBy: undefined, isSpoiled: isEarly, isEndless: false };
}

async function testsOf(file: string): Promise<readonly CollectedTest[]> {
  const known = files.get(file) ?? await collectTests(() => import(pathToFileURL(resolve(file)).href));
  files.set(file, known);
  return known;
}

/** What a test fails with; `undefined` when it passes. */
async function failureOf(one: CollectedTest, milliseconds: number): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  uncaught = undefined;
  const [began, before] = [performance.now(), heldUp("thread-self")];
  const tooSlow = new Promise<never>((_, reject) => {
    const wait = (left: number): void => {
      timer = setTimeout(() => {
        const left = milliseconds - (performance.now() - began - (heldUp("thread-self") - before));
        if (left > 0) wait(left);
        else reject(TOO_SLOW);
      }, left);
    };
    if (milliseconds < Infinity) wait(milliseconds);
  });
  try {
    await Promise.race([one.run(), tooSlow]);
    return uncaught === undefined ? undefined : `Uncaught ${uncaught}`;
  } catch (error) {
    return error === TOO_SLOW ? TOO_SLOW : String(error);
  } finally {
    clearTimeout(timer);
  }
}

async function answer(value: TestAnswer): Promise<void> {
  const bytes = new TextEncoder().encode(`\n${ANSWER_MARK}${JSON.stringify(value)}\n`);
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}
