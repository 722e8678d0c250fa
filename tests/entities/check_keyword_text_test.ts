import { deepEqual, equal } from "../support/assert.ts";
import { checkKeywordText } from "../../mod.ts";
import type { KeywordTextOptions } from "../../src/client/entities/mod.ts";
import { emulated } from "../support/emulated.ts";

const words = (count: number): string => Array.from({ length: count }, (_, at) => `w${at}`).join(" ");

/** A text, what it is checked for, and the rules it breaks with the parts that are meant. */
const CASES: [string, KeywordTextOptions, [string, string][]][] = [
  ["running shoes", {}, []],
  ["zelt für 2 personen", {}, []],
  ["登山 テント", { marketplace: "JP" }, []],
  ["d'été", {}, []],
  ["wi-fi c++x 2.5l", {}, []],
  ['[exact] & "quoted"', {}, []],
  ["", {}, [["empty", ""]]],
  ["  ", {}, [["empty", "  "]]],
  ["x".repeat(80), {}, []],
  ["x".repeat(81), {}, [["too_long", "x".repeat(81)]]],
  ["👟".repeat(81), {}, [["too_long", "👟".repeat(81)], ["forbidden_character", "👟"]]],
  [words(10), { matchType: "EXACT" }, []],
  [words(11), { matchType: "EXACT" }, [["too_many_words", "w10"]]],
  [words(4), { negative: true }, []],
  [words(6), { negative: true }, [["too_many_words", "w4 w5"]]],
  [words(5), { matchType: "NEGATIVE_PHRASE" }, [["too_many_words", "w4"]]],
  [words(5), { matchType: "negativePhrase" }, [["too_many_words", "w4"]]],
  [words(10), { matchType: "negativeExact" }, []],
  [words(10), { negative: true, matchType: "exact" }, []],
  [words(11), { matchType: "NEGATIVE_EXACT" }, [["too_many_words", "w10"]]],
  [" shoes", {}, [["space_at_end", " shoes"]]],
  ["shoes\t", {}, [["space_at_end", "shoes\t"]]],
  ["-shoes", {}, [["mark_outside_word", "-shoes"]]],
  ["red + blue", {}, [["mark_outside_word", "+"]]],
  ["vol. 2", {}, [["mark_outside_word", "vol."]]],
  ["shoes (red)", {}, [["forbidden_character", "("], ["forbidden_character", ")"]]],
  ["size: 4", {}, [["forbidden_character", ":"]]],
  ["50% off", {}, [["forbidden_character", "%"]]],
  ["50% off", { marketplace: "ae" }, []],
  ["50% off", { marketplace: "SA" }, []],
  ["50% off", { marketplace: "US" }, [["forbidden_character", "%"]]],
  ["Automatically Selected Keywords", {}, [["reserved_phrase", "Automatically Selected Keywords"]]],
];

for (const [text, options, expected] of CASES) {
  const shown = text.length > 40 ? `${[...text].length} times ${[...text][0]}` : JSON.stringify(text);
  Deno.test(`the keyword text ${shown} with ${JSON.stringify(options)} breaks ${expected.length} rules`, () => {
    deepEqual(checkKeywordText(text, options).map(({ rule, fragment }) => [rule, fragment]), expected);
  });
}

Deno.test("what is found wrong in a keyword's text is what the platform refuses", async () => {
  await using world = await emulated();
  const [{ campaignId, adGroupId } = { campaignId: "", adGroupId: "" }] = await world.us.sp.keywords.list({
    states: ["ENABLED"],
  });
  const texts = CASES.filter(([, options]) =>
    !options.negative && !options.matchType && !options.marketplace
  );
  const items = texts.map(([keywordText]) => ({
    campaignId,
    adGroupId,
    keywordText,
    matchType: "PHRASE",
    state: "ENABLED",
  }));
  const result = await world.us.sp.keywords.create(items);
  for (const { index, ok } of result) {
    const { keywordText } = items[index]!;
    equal(
      ok,
      checkKeywordText(keywordText, { matchType: "PHRASE", marketplace: "US" }).length === 0,
      keywordText,
    );
  }
});
