/**
 * The assertions that tests name one by one, all of them strict. Under Deno 2.9 the names `equal`, `deepEqual`, `notEqual`
 * and `notDeepEqual` of `node:assert/strict` are the loose ones: `equal(1, "1")` passes.
 */
export {
  deepStrictEqual as deepEqual,
  doesNotMatch,
  match,
  notDeepStrictEqual as notDeepEqual,
  notStrictEqual as notEqual,
  ok,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
