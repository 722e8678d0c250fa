import assert from "node:assert/strict";
import fc from "fast-check";
import { pathSegment } from "../../src/platform/catalog/path_segment.ts";

const encode = (value: unknown): string => pathSegment("posts:GetPost", "postId", value);

for (
  const [value, expected] of [
    ["abc-DEF_0.9~", "abc-DEF_0.9~"],
    [":@!$&'()*,=", ":@!$&'()*,="],
    ["a b", "a%20b"],
    ["a+b", "a%2Bb"],
    ["a;b", "a%3Bb"],
    ["100%", "100%25"],
    ["50%off", "50%25off"],
    ["é", "%C3%A9"],
    ["日本", "%E6%97%A5%E6%9C%AC"],
    ["👩", "%F0%9F%91%A9"],
    ['"<>[]^`{|}', "%22%3C%3E%5B%5D%5E%60%7B%7C%7D"],
    ["...x", "...x"],
    [" x ", "%20x%20"],
    [12, "12"],
    [-3, "-3"],
    [18446744073709551615n, "18446744073709551615"],
  ] as const
) {
  Deno.test(`pathSegment() encodes ${JSON.stringify(String(value))} as ${expected}`, () => {
    assert.equal(encode(value), expected);
  });
}

for (
  const [value, reason] of [
    ["", /is empty/],
    ["../x", /contains a slash/],
    ["a/b", /contains a slash/],
    ["a\\b", /contains a backslash/],
    ["a?b", /contains a question mark/],
    ["a#b", /contains a hash/],
    ["a\nb", /contains a control character/],
    ["a\u0000", /contains a control character/],
    ["a\u007f", /contains a control character/],
    ["a\u0085", /contains a control character/],
    ["%2e", /contains a percent escape/],
    ["%2E%2E", /contains a percent escape/],
    ["a%2Fb", /contains a percent escape/],
    [".", /nothing but dots and spaces/],
    ["..", /nothing but dots and spaces/],
    [". .", /nothing but dots and spaces/],
    ["   ", /nothing but dots and spaces/],
    ["\u00a0.", /nothing but dots and spaces/],
    [";x", /nothing but dots and spaces/],
    ["..;x=1", /nothing but dots and spaces/],
    ["\ud800", /is not well-formed Unicode/],
    ["a\udc00b", /is not well-formed Unicode/],
  ] as const
) {
  Deno.test(`pathSegment() refuses ${JSON.stringify(value)} and names the parameter`, () => {
    assert.throws(() => encode(value), { name: "RangeError", message: reason });
    assert.throws(() => encode(value), { message: /"posts:GetPost".*"postId"/ });
  });
}

for (
  const [value, kind] of [
    [undefined, "undefined"],
    [null, "null"],
    [true, "a boolean"],
    [1.5, "the number 1.5"],
    [NaN, "the number NaN"],
    [Infinity, "the number Infinity"],
    [2 ** 53, "a number past 2^53"],
    [["1"], "an array"],
    [{}, "an object"],
    [new Uint8Array([1]), "an object"],
    [Symbol("s"), "a symbol"],
  ] as const
) {
  Deno.test(`pathSegment() refuses ${kind}, which is neither text nor an integer`, () => {
    assert.throws(() => encode(value), { name: "TypeError", message: new RegExp(kind.replace("^", "\\^")) });
  });
}

Deno.test("pathSegment() either refuses a text or encodes it as one segment that decodes to it", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..."ab.;% /\\?#+2eF\u0000é😀") }),
  );
  let accepted = 0;
  fc.assert(
    fc.property(text, (value) => {
      let segment: string;
      try {
        segment = encode(value);
      } catch (error) {
        assert.ok(error instanceof RangeError);
        return;
      }
      accepted++;
      assert.equal(decodeURIComponent(segment), value);
      assert.match(segment, /^(?:[A-Za-z0-9\-._~:@!$&'()*,=]|%[0-9A-F]{2})+$/);
      const url = new URL(`https://host.test/before/${segment}/after`);
      assert.deepEqual(url.pathname.split("/").length, 4);
      assert.equal(decodeURIComponent(url.pathname.split("/")[2]!), value);
    }),
    { numRuns: 2000 },
  );
  assert.ok(accepted > 200, `only ${accepted} texts were accepted`);
});
