import { addressesIn, importsIn } from "../imports.ts";
import { lanesOf } from "./lanes.ts";

/** Test files that a run for changed files takes at most, {@linkcode nearestTests}: less than a minute. */
const MAX_REACHED = 60;

/** Words of paths that say nothing of a subject. */
const COMMON = new Set(["src", "tests", "test", "ts", "md", "mod", "support", "scripts", "docs"]);
/** A word that two paths share is worth this many imports between them. */
const STEPS_A_WORD = 2;
/** Tests that read every page import it. */
const READS_PAGES = "tests/support/markdown.ts";
/** Tests of how the sources are built read all of them, as do those that import this. */
const [READS_MODULES, RULES] = ["tests/support/module_graph.ts", "tests/structure/"];

/** What a change of files reaches. */
export interface ReachedTests {
  /** Files with everyday tests, those first that say most about the change. */
  readonly everyday: readonly string[];
  /** Files with everyday tests that read every module, where one was changed; not among `everyday`. */
  readonly rules: readonly string[];
  /** Files with long tests. */
  readonly long: readonly string[];
  /** Scripts that write generated pages. */
  readonly generators: readonly string[];
  /** Changed files that no test depends on. */
  readonly untested: readonly string[];
  /** Changed modules, and those that import one of them. */
  readonly near: readonly string[];
}

/**
 * Finds the tests that depend on changed files: by imports, by addresses of programs and files, and by paths of pages
 * that tests and scripts name. Those that read every page depend on each.
 *
 * First come those that are few imports away and share words of the path, then those that depend on little else.
 *
 * @param texts Every module of the repository, by its path from the root.
 */
export function reachedTests(changed: readonly string[], texts: ReadonlyMap<string, string>): ReachedTests {
  const files = [...new Set([...texts.keys(), ...changed])];
  const needs = new Map([...texts].map(([path, text]) => [path, needsOf(path, text, { changed, files })]));
  const users = new Map<string, string[]>();
  for (const [path, needed] of needs) {
    for (const one of needed) users.set(one, [...users.get(one) ?? [], path]);
  }
  const steps = new Map<string, number>();
  const untested: string[] = [];
  for (const path of changed) {
    const own = stepsFrom(path, users);
    if (![...own.keys()].some(isTest)) untested.push(path);
    for (const [user, far] of own) steps.set(user, Math.min(far, steps.get(user) ?? far));
  }
  const reached = [...steps.keys()].filter((path) => texts.has(path)).sort();
  const worth = new Map(
    reached.filter(isTest).map((path) => [path, {
      near: steps.get(path)! - STEPS_A_WORD * Math.max(...changed.map((one) => sharedWords(path, one))),
      size: stepsFrom(path, needs).size,
    }]),
  );
  const rules = changed.some((path) => /\.[jt]s$/.test(path))
    ? [...texts.keys()].filter((path) =>
      isTest(path) && (path.startsWith(RULES) || needs.get(path)!.includes(READS_MODULES))
    ).sort()
    : [];
  const isEveryday = (path: string): boolean => lanesOf(texts.get(path)!).includes("everyday");
  const tests = [...worth].sort(([, a], [, b]) => a.near - b.near || a.size - b.size).map(([path]) => path);
  return {
    everyday: tests.filter((path) => isEveryday(path) && !rules.includes(path)),
    rules: rules.filter(isEveryday),
    long: tests.filter((path) => lanesOf(texts.get(path)!).includes("long")),
    generators: reached.filter((path) => /^scripts\/generate_\w+\.ts$/.test(path)),
    untested,
    near: reached.filter((path) => steps.get(path)! <= 1),
  };
}

/** The test files to run for a change, those first that say most about it. */
export function nearestTests({ everyday, rules }: ReachedTests): readonly string[] {
  return [...everyday.slice(0, MAX_REACHED - rules.length), ...rules];
}

function isTest(path: string): boolean {
  return path.endsWith("_test.ts");
}

/** The files that a module depends on directly; an address may be that of a folder. */
function needsOf(
  path: string,
  text: string,
  { changed, files }: { readonly changed: readonly string[]; readonly files: readonly string[] },
): readonly string[] {
  const addresses = addressesIn(path, text).map((address) => address.replace(/\/$/, ""));
  const imports = importsIn(path, text);
  const isSource = path.startsWith("src/");
  const named = isSource ? [] : changed.filter((one) => !one.endsWith(".ts") && names(text, one));
  const folders = addresses.filter((address) => !files.includes(address));
  const inFolders = folders.flatMap((folder) => files.filter((one) => one.startsWith(`${folder}/`)));
  const pages = imports.includes(READS_PAGES) ? changed.filter((one) => one.endsWith(".md")) : [];
  return [...new Set([...imports, ...addresses, ...named, ...inFolders, ...pages])];
}

/** True where a text has a path, and not only as the end of another. */
function names(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    if (!/\w[/.-]?$/.test(text.slice(Math.max(0, at - 2), at))) return true;
  }
  return false;
}

/** Everything that is reached from a file, with the number of steps. */
function stepsFrom(path: string, next: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const steps = new Map([[path, 0]]);
  for (const [one, far] of steps) {
    for (const other of next.get(one) ?? []) if (!steps.has(other)) steps.set(other, far + 1);
  }
  return steps;
}

function sharedWords(a: string, b: string): number {
  const words = new Set(wordsOf(a));
  return new Set(wordsOf(b).filter((word) => words.has(word))).size;
}

function wordsOf(path: string): readonly string[] {
  return path.split(/[/_.]/).filter((word) => !COMMON.has(word));
}
