/**
 * What a test file does before its first test and after its last one.
 *
 * In place of the hooks of `node:test`, which are those of an isolate: several files share one in `deno task test`.
 */
import * as ofIsolate from "node:test";
import { type Hook, marks } from "../../scripts/run_tests/marks.ts";

/** Does something before the first test of the file. */
export function before(hook: Hook): void {
  if (marks.hooks === undefined) ofIsolate.before(hook);
  else marks.hooks.before.push(hook);
}

/** Does something after the last test of the file. */
export function after(hook: Hook): void {
  if (marks.hooks === undefined) ofIsolate.after(hook);
  else marks.hooks.after.push(hook);
}
