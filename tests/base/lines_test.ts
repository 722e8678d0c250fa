import fc from "fast-check";
import { deepEqual, rejects } from "../support/assert.ts";
import { jsonLine, jsonLinesIn, jsonLinesOf, linesIn } from "../../src/base/text/lines.ts";

Deno.test("lines are the same wherever their bytes are cut, also within a letter", async () => {
  const texts = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", ""));
  await fc.assert(fc.asyncProperty(
    fc.array(texts, { maxLength: 8 }),
    fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    fc.boolean(),
    async (lines, sizes, isEnded) => {
      const bytes = new TextEncoder().encode(
        lines.map((line, at) => isEnded || at < lines.length - 1 ? `${line}\n` : line).join(""),
      );
      const pieces = async function* (): AsyncGenerator<Uint8Array> {
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          yield bytes.subarray(at, at += size);
        }
      };
      const whole = isEnded || lines.at(-1) !== "" ? lines : lines.slice(0, -1);
      deepEqual(await Array.fromAsync(linesIn(pieces())), whole);
    },
  ));
});

Deno.test("JSON lines come back as they were written, with the numbers of those that are damaged", async () => {
  const values = [{ a: "one\ntwo" }, null, [1]];
  const text = values.map(jsonLine).join("");
  deepEqual(jsonLinesOf(text).map(({ number, value }) => [number, value]), [[1, values[0]], [2, null], [3, [
    1,
  ]]]);
  deepEqual(await Array.fromAsync(jsonLinesIn(new Blob([text]).stream())), values);
  const damaged = jsonLinesOf('{"a":\n\n7\n{"b"');
  deepEqual(damaged.map(({ number, text, value }) => [number, text, value]), [
    [1, '{"a":', undefined],
    [2, "", undefined],
    [3, "7", 7],
    [4, '{"b"', undefined],
  ]);
  deepEqual(jsonLinesOf(""), []);
  await rejects(() => Array.fromAsync(jsonLinesIn(new Blob(["7\n{"]).stream())), SyntaxError);
});
