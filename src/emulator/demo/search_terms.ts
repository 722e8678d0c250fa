import type { Theme } from "./theme.ts";

/** Search terms of one product line: its nouns alone, with one modifier, and with two. */
export function searchTerms(theme: Theme, line: number): string[] {
  const nouns = [line, line + theme.lines.length].map((index) => theme.nouns[index % theme.nouns.length]!);
  const phrase = (noun: string, modifiers: readonly string[]) =>
    (theme.nounFirst ? [noun, ...modifiers] : [...modifiers, noun]).join(" ");
  return nouns.flatMap((noun) => [
    noun,
    ...theme.modifiers.map((modifier) => phrase(noun, [modifier])),
    ...theme.modifiers.flatMap((first) =>
      theme.modifiers.filter((second) => second !== first).map((second) => phrase(noun, [first, second]))
    ),
  ]);
}
