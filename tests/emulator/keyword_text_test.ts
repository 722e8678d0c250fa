import { equal } from "../support/assert.ts";
import { checkKeywordText } from "../../src/emulator/core/keyword_text.ts";

const words = (count: number) => Array(count).fill("w").join(" ");

const CASES: readonly [text: string, matchType: string, country: string, reason: string | undefined][] = [
  ["camping tent", "EXACT", "US", undefined],
  ["a".repeat(80), "EXACT", "US", undefined],
  ["a".repeat(81), "EXACT", "US", "TOO_LONG"],
  [words(10), "BROAD", "US", undefined],
  [words(11), "BROAD", "US", "TOO_LONG"],
  [words(4), "NEGATIVE_PHRASE", "US", undefined],
  [words(5), "NEGATIVE_PHRASE", "US", "TOO_LONG"],
  [words(10), "NEGATIVE_EXACT", "US", undefined],
  [words(10), "negativeExact", "US", undefined],
  [words(11), "NEGATIVE_EXACT", "US", "TOO_LONG"],
  ["", "EXACT", "US", "BLANK"],
  ["  ", "EXACT", "US", "BLANK"],
  [" tent", "EXACT", "US", "LEADING_OR_TRAILING_WHITESPACE"],
  ["tent\n", "EXACT", "US", "LEADING_OR_TRAILING_WHITESPACE"],
  ["two\tparts", "EXACT", "US", undefined],
  ["e-reader 2.5 a+b", "EXACT", "US", undefined],
  ["tent -", "EXACT", "US", "PATTERN_NOT_MATCHED"],
  ["-tent", "EXACT", "US", "PATTERN_NOT_MATCHED"],
  ["tent.", "EXACT", "US", "PATTERN_NOT_MATCHED"],
  [`b&b [x] 'y' "z"`, "EXACT", "US", undefined],
  ["10% off", "EXACT", "US", "FORBIDDEN_CHARS"],
  ["10% off", "EXACT", "AE", undefined],
  ["tent (blue)", "EXACT", "AE", "FORBIDDEN_CHARS"],
  ["size: l", "EXACT", "US", "FORBIDDEN_CHARS"],
  ["tent!", "EXACT", "US", "FORBIDDEN_CHARS"],
  ["🎒", "EXACT", "US", "FORBIDDEN_CHARS"],
  ["käsereibe größe", "EXACT", "DE", undefined],
  ["ほうじ茶 ティーバッグ", "EXACT", "JP", undefined],
  ["Automatically selected KEYWORDS", "EXACT", "US", "PATTERN_NOT_MATCHED"],
];

for (const [text, matchType, countryCode, reason] of CASES) {
  Deno.test(`${matchType} keyword ${JSON.stringify(text.slice(0, 24))} in ${countryCode}: ${reason ?? "accepted"}`, () => {
    equal(checkKeywordText(text, { matchType, countryCode })?.reason, reason);
  });
}
