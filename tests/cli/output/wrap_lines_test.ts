import { equal, ok } from "../../support/assert.ts";
import { textWidth, wrapLines } from "../../../src/interfaces/cli/shell/io/text_width.ts";
import { SeededRandom } from "../../support/seeded_random.ts";

Deno.test("lines break between words, and what follows is indented a little more", () => {
  equal(wrapLines("  a note that is too wide\nshort\n", 14), "  a note that\n    is too\n    wide\nshort\n");
  equal(
    wrapLines("\x1b[1mbold words that go on\x1b[22m\n", 10),
    "\x1b[1mbold words\n  that go\n  on\x1b[22m\n",
  );
  equal(
    wrapLines("\x1b[33m  ! take care of it\x1b[39m\n", 12),
    "\x1b[33m  ! take\n    care of\n    it\x1b[39m\n",
  );
  equal(wrapLines("鋳鉄 フライパン 大\n", 12), "鋳鉄\n  フライパン\n  大\n");
  equal(wrapLines("\x1b[0G\x1b[2Kthree wide words\n", 12), "\x1b[0G\x1b[2Kthree wide\n  words\n");
});

Deno.test("commands, words without a space, other streams and lines of progress stay as they are", () => {
  const command = "  adsctl plan apply plan-20261127-030129-8295420d.json --demo";
  for (const [text, columns] of [[command, 30], ["a".repeat(50), 30], ["a b c d e f", undefined]] as const) {
    equal(wrapLines(`${text}\n`, columns), `${text}\n`);
  }
  equal(wrapLines("a note\n40 of 93 reports", 8), "a note\n40 of 93 reports");
});

Deno.test("no word is lost, split or moved, and no line with a space to break at is too wide", () => {
  const random = new SeededRandom(5);
  const words = [
    "bid",
    "keyword",
    "→",
    "鋳鉄",
    "0.69",
    "\x1b[32m+0.10\x1b[39m",
    "208903515028741",
    "",
    "(EXACT)",
  ];
  for (let run = 0; run < 300; run++) {
    const columns = random.integer(12, 60);
    const text = Array.from(
      { length: random.integer(1, 30) },
      () => words[random.integer(0, words.length - 1)],
    )
      .join(" ");
    const lines = wrapLines(`${text}\n`, columns).split("\n");
    equal(lines.join(" ").split(/ +/).join(" ").trim(), text.split(/ +/).join(" ").trim());
    for (const line of lines) {
      // deno-lint-ignore no-control-regex
      const plain = line.replaceAll(/\x1b\[\d+m/g, "");
      ok(textWidth(plain) <= columns || !plain.trim().includes(" "), `${columns}: ${line}`);
    }
  }
});
