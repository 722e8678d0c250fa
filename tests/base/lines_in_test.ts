import fc from "fast-check";
import { deepEqual } from "../support/assert.ts";
import { linesIn } from "../../src/base/text/lines_in.ts";

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
