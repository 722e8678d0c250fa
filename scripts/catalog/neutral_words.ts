/**
 * Puts the neutral word `platform` in place of a vendor's words, wherever they stand, keeping the case of each place:
 * with the word `acme`, `dspAcmeAdTag` becomes `dspPlatformAdTag`.
 */
export function neutralise(text: string, words: readonly string[]): string {
  const alternatives = words.filter((word) => word !== "").map((word) =>
    word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  );
  if (alternatives.length === 0) return text;
  return text.replace(new RegExp(alternatives.join("|"), "gi"), (found) => {
    if (found.length > 1 && found === found.toUpperCase()) return "PLATFORM";
    return found[0] === found[0]!.toUpperCase() ? "Platform" : "platform";
  });
}
