import { equal } from "../support/assert.ts";
import { markdownCell, visibleText } from "../../src/base/text/visible_text.ts";

Deno.test("visibleText() shows what would draw, turn or break the line", () => {
  const cases: [string, string][] = [
    ["plain 日本語 👩‍👩‍👧 naïve", "plain 日本語 👩‍👩‍👧 naïve"],
    ["a\nb\tc\r", "a b c "],
    ["\u001b[2J\u0007", "\\x1b[2J\\x07"],
    ["\u009b31m", "\\x9b31m"],
    ["a\u2028b\u2029c", "a\\u2028b\\u2029c"],
    ["a\u{e0041}\u{e0042}\u200b\u2063\ufeffb\u00adc", "a\\ue0041\\ue0042\\u200b\\u2063\\ufeffb\\xadc"],
    ["क्\u200dष ❤\ufe0f", "क्\u200dष ❤\ufe0f"],
    ["pay \u202e01\u202c", "pay \\u202e01\\u202c"],
  ];
  for (const [given, shown] of cases) equal(visibleText(given), shown);
});

Deno.test("markdownCell() cannot end its cell", () => {
  equal(markdownCell("a|b"), "a\\|b");
  equal(markdownCell("a\\|b"), "a\\\\\\|b");
  equal(markdownCell("a\n|b"), "a \\|b");
});
