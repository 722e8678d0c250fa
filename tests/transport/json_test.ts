import assert from "node:assert/strict";
import fc from "fast-check";
import { bareInteger, parseJson, stringifyJson } from "../../src/base/json/json.ts";
import { anyText } from "../support/any_text.ts";

const INTEGER = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
/** Any text, digits and escapes often among it. */
const TEXT = fc.oneof(
  anyText(),
  INTEGER.map((n) => `${n}`),
  INTEGER.map((n) => `": ${n}, "\\`),
  fc.constantFrom("__proto__", "\\", '"', "\\u0031", "[12345678901234567890]"),
);
// V8 itself now and then takes one escaped key for another (`"\""` for `"\\"`), so these keys have no escapes.
const KEY = TEXT.filter((text) => JSON.stringify(text) === `"${text}"`);
/** Any JSON whose integers are `bigint`. */
const VALUE = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    INTEGER,
    TEXT,
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(KEY, tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** How a value comes back from the wire: small integers as numbers, others as strings of their digits. */
function asRead(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(asRead);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, asRead(part)]));
}

Deno.test("Any integer up to 2^64 survives both directions, alone", () => {
  fc.assert(
    fc.property(INTEGER, (n) => {
      const text = stringifyJson(n);
      assert.equal(text, `${n}`);
      assert.equal(BigInt(parseJson(text) as string | number), n);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("Any JSON survives both directions, nested, with any text between the integers", () => {
  fc.assert(
    fc.property(VALUE, fc.constantFrom(0, 2), (value, indent) => {
      const text = stringifyJson(value);
      assert.deepEqual(parseJson(text), asRead(value));
      const spaced = indent === 0 ? text : ` ${text.replaceAll("\n", " ")}\n`;
      assert.deepEqual(parseJson(spaced), asRead(value));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("The edge of what a number can hold is where strings begin", () => {
  assert.deepEqual(parseJson("[9007199254740991,9007199254740992,-9007199254740991,-9007199254740992]"), [
    9007199254740991,
    "9007199254740992",
    -9007199254740991,
    "-9007199254740992",
  ]);
  assert.equal(parseJson("9223372036854775807"), "9223372036854775807");
  assert.equal(parseJson("-9223372036854775808"), "-9223372036854775808");
});

Deno.test("Strings that hold digits, keys and fractions stay what they are", () => {
  const text =
    '{"12345678901234567890":"12345678901234567890","a \\" 12345678901234567890":1.2345678901234567e3,"b":0.1234567890123456}';
  assert.deepEqual(parseJson(text), JSON.parse(text));
});

Deno.test("No digit is lost however deep it is nested", () => {
  for (const depth of [1, 99, 100, 101, 100_000]) {
    const text = `${"[".repeat(depth)}9007199254740993${"]".repeat(depth)}`;
    let value = parseJson(text);
    while (Array.isArray(value)) value = value[0];
    assert.equal(value, "9007199254740993", `${depth} deep`);
  }
});

Deno.test("What is malformed for JSON is malformed here, however many digits it holds", () => {
  const malformed = [
    "",
    "{12345678901234567890:1}",
    "{12345678901234567890 : 12345678901234567890}",
    "[012345678901234567890]",
    "[-012345678901234567]",
    "[+12345678901234567890]",
    "[12345678901234567890.]",
    "[.12345678901234567890]",
    "[12345678901234567890 12345678901234567890]",
    '["12345678901234567890]',
    '{"a":12345678901234567890',
    "12345678901234567890x",
    "0x12345678901234567890",
    "[12345678901234567890,]",
    "NaN",
  ];
  for (const text of malformed) {
    assert.throws(() => JSON.parse(text), SyntaxError, text);
    assert.throws(() => parseJson(text), SyntaxError, text);
  }
});

Deno.test("Whatever JSON.parse refuses is refused, and what it takes is taken", () => {
  const pieces = fc.constantFrom(
    ...'{}[],:"\\ -+.eE0'.split(""),
    "12345678901234567890",
    "9007199254740993",
    "1",
    '"a"',
    "null",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      if (valid) parseJson(text);
      else assert.throws(() => parseJson(text), SyntaxError, text);
    }),
    { numRuns: 5000 },
  );
});

Deno.test("A value without a bigint is written as JSON.stringify writes it", () => {
  const day = new Date(0);
  for (const value of [{ a: undefined, b: [undefined, () => 1], day, n: -0, f: NaN }, [], "x", null, 5]) {
    assert.equal(stringifyJson(value), JSON.stringify(value));
  }
  assert.equal(
    stringifyJson({ id: 1n, a: undefined, b: [undefined, () => 1], day, f: NaN }),
    '{"id":1,"b":[null,null],"day":"1970-01-01T00:00:00.000Z","f":null}',
  );
});

Deno.test("A value that holds itself is refused in words, with a bigint and without", () => {
  const holds: Record<string, unknown> = { list: [] };
  (holds["list"] as unknown[]).push({ holds });
  for (const value of [holds, { id: 1n, holds }]) {
    assert.throws(() => stringifyJson(value), /^TypeError: Cannot write JSON: a value holds itself$/);
  }
  const shared = { id: 1n };
  assert.equal(stringifyJson([shared, { shared }]), '[{"id":1},{"shared":{"id":1}}]');
});

Deno.test("An id becomes a bare integer only when it is a row of digits", () => {
  assert.equal(stringifyJson([bareInteger("18446744073709551615")]), "[18446744073709551615]");
  for (const id of ["", "-1", "1.5", "1e3", "A1", " 1", "1".repeat(21)]) {
    assert.throws(() => bareInteger(id), TypeError, id);
  }
});
