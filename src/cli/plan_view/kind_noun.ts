/** What a person calls one entity of a kind: `negative keyword` for `sp.negative_keywords`. */
export function kindNoun(kind: string): string {
  const [family, name = family] = kind.split(".");
  const noun = name!.replaceAll("_", " ").replace(/s$/, "");
  return family === "sb" ? `Brands ${noun}` : noun;
}
