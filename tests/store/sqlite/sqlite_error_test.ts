import assert from "node:assert/strict";
import { test } from "node:test";
import { storeError } from "../../../src/store/sqlite/transactions.ts";
import { StoreError } from "../../../src/store/model/store_error.ts";

function failed(errcode: number | undefined): Error {
  return Object.assign(new Error("raw words"), { code: "ERR_SQLITE_ERROR", errcode });
}

test("what SQLite says is told in plain words, by its code or the code that it extends", () => {
  const told: [errcode: number | undefined, words: RegExp][] = [
    [5, /another process holds it$/],
    [5 + 256, /another process holds it$/],
    [8, /it is read-only$/],
    [10 + 3 * 256, /its disk fails$/],
    [11, /the file is damaged$/],
    [13, /the disk is full\. Stored data is unchanged; free space and run it again$/],
    [14, /the file cannot be opened$/],
    [26, /it is not an SQLite file$/],
    [1, /: raw words$/],
    [undefined, /: raw words$/],
  ];
  for (const [errcode, words] of told) {
    const cause = failed(errcode);
    const error = storeError(cause, "ads.sqlite");
    assert(error instanceof StoreError);
    assert.match(error.message, /^Cannot use store "ads\.sqlite": /);
    assert.match(error.message, words, String(errcode));
    assert.equal(error.cause, cause);
  }
});

test("any other error stays as it is", () => {
  for (const error of [new Error("x"), Object.assign(new Error("x"), { code: "ENOENT", errcode: 5 })]) {
    assert.equal(storeError(error, "ads.sqlite"), error);
  }
});
