/** Takes the place of `Deno.test` and of `node:test`: keeps the tests of a file, to be run more than once. */

import { marks } from "../run_tests/marks.ts";

/** A test as its file declares it. */
export interface CollectedTest {
  readonly name: string;
  /** True of a test that `tests/support/long.ts` tags. */
  readonly isLong: boolean;
  run(): Promise<void>;
}

type Body = (context: object) => unknown;

interface Options {
  readonly name?: string;
  readonly ignore?: boolean;
  readonly skip?: boolean | string;
  readonly fn?: Body;
}

let tests: CollectedTest[] = [];
const hooks = { before: [] as Body[], after: [] as Body[] };
let around = { beforeEach: [] as Body[], afterEach: [] as Body[] };

/** The tests that a file declares while it is imported. */
export async function collectTests(load: () => Promise<unknown>): Promise<readonly CollectedTest[]> {
  tests = [];
  around = { beforeEach: [], afterEach: [] };
  Object.assign(marks, {
    isFileLong: false,
    isNextLong: false,
    whyWithoutPolicy: undefined,
    hooks: undefined,
  });
  await load();
  for (const hook of hooks.before.splice(0)) await hook({});
  return tests;
}

/** Runs what the files want to have run after their last test. */
export async function endCollectedTests(): Promise<void> {
  for (const hook of hooks.after.splice(0)) await hook({});
}

/** Declares a test in any form that `Deno.test` and `node:test` take. */
export function test(...given: readonly (string | Options | Body | undefined)[]): void {
  const body = given.findLast((one): one is Body => typeof one === "function");
  const options = given.find((one): one is Options => typeof one === "object");
  const name = given.find((one) => typeof one === "string") ?? options?.name ?? body?.name ?? "";
  const run = body ?? options?.fn;
  const isLong = marks.isFileLong || marks.isNextLong;
  marks.isNextLong = false;
  if (run === undefined || options?.ignore === true || (options?.skip ?? false) !== false) return;
  const { beforeEach, afterEach } = around;
  tests.push({
    name,
    isLong,
    run: async () => {
      for (const hook of beforeEach) await hook({});
      try {
        await inContext(name, run);
      } finally {
        for (const hook of afterEach) await hook({});
      }
    },
  });
}

export const before = (hook: Body): void => void hooks.before.push(hook);
export const after = (hook: Body): void => void hooks.after.push(hook);
test.before = before;
test.after = after;
test.beforeAll = before;
test.afterAll = after;
test.beforeEach = (hook: Body): void => void around.beforeEach.push(hook);
test.afterEach = (hook: Body): void => void around.afterEach.push(hook);
test.ignore = (): void => {};

/** Runs a test or a step of one with what both kinds of tests find in their context. */
async function inContext(name: string, run: Body): Promise<void> {
  const ends: Body[] = [];
  const step = async (...given: readonly (string | Options | Body | undefined)[]): Promise<boolean> => {
    const options = given.find((one): one is Options => typeof one === "object");
    const body = given.findLast((one): one is Body => typeof one === "function") ?? options?.fn;
    if (body === undefined || options?.ignore === true) return false;
    await inContext(name, body);
    return true;
  };
  try {
    await run({ name, step, test: step, after: (hook: Body) => ends.push(hook), diagnostic: () => {} });
  } finally {
    for (const end of ends) await end({});
  }
}
