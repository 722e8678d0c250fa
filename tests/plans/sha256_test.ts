import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { Sha256, sha256 } from "../../src/base/text/sha256.ts";
import { anyText } from "../support/any_text.ts";

function reference(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

Deno.test("SHA-256 agrees with the runtime's own at every length around its blocks", () => {
  for (let length = 0; length <= 260; length++) {
    const text = "x".repeat(length);
    assert.equal(sha256(text), reference(text), String(length));
  }
});

Deno.test("SHA-256 agrees with the runtime's own for any text", () => {
  fc.assert(
    fc.property(anyText({ maxLength: 500 }), (text) => {
      assert.equal(sha256(text), reference(text));
    }),
    { numRuns: 200 },
  );
  for (let at = 4090; at < 4100; at++) {
    const cut = "x".repeat(at) + "😀".repeat(5000) + "\ud83d";
    assert.equal(sha256(cut), reference(cut), `two units at ${at}`);
  }
  const long = "日本語 – é 👩‍👩‍👧 ".repeat(20_000);
  assert.equal(sha256(long), reference(long));
});

Deno.test("texts that are hashed in turns, part by part, do not meet", () => {
  const texts = fc.array(fc.array(fc.string({ maxLength: 300 }), { maxLength: 6 }), { maxLength: 4 });
  fc.assert(
    fc.property(texts, (texts) => {
      const hashes = texts.map(() => new Sha256());
      for (let turn = 0; turn < 6; turn++) {
        texts.forEach((parts, at) => hashes[at]!.update(parts[turn] ?? ""));
      }
      assert.deepEqual(hashes.map((hash) => hash.hex()), texts.map((parts) => reference(parts.join(""))));
    }),
    { numRuns: 200 },
  );
});
