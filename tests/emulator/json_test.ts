import { deepEqual, equal, throws } from "../support/assert.ts";
import fc from "fast-check";
import { parseJson, writeJson } from "../../src/emulator/core/json.ts";

Deno.test("integers of any length survive reading and writing", () => {
  fc.assert(fc.property(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), (integer) => {
    const text = `{"id":${integer},"list":[${integer}],"text":"${integer}"}`;
    equal(writeJson(parseJson(text)), text);
  }));
});

Deno.test("fractions and small integers are read as numbers", () => {
  deepEqual(parseJson("[0.12345678901234567, 7, 1e3, 9007199254740991]"), [
    0.12345678901234567,
    7,
    1000,
    9007199254740991,
  ]);
});

Deno.test("text that is not JSON is refused", () => {
  for (const text of ["", "{", "[1,]", "1234567890123456789x"]) throws(() => parseJson(text), SyntaxError);
});
