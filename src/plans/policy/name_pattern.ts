/**
 * Matches names by a pattern with `*` for any text. Case, width, combining accents and invisible characters are ignored:
 * `Brand*` matches `ＢＲＡＮＤ shoes` and `Br\u200Band`.
 */
export function namePattern(pattern: string): (name: string) => boolean {
  const parts = plainName(pattern).split("*");
  if (parts.length === 1) return (name) => plainName(name) === parts[0];
  const [first = "", ...rest] = parts;
  const [last = ""] = rest.splice(-1);
  return (name) => {
    const text = plainName(name);
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) {
      return false;
    }
    let at = first.length;
    const end = text.length - last.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  "аa вb еe ёe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ɡg ӏl αa βb εe ηn ιi κk νv οo ρp τt υu χx"
    .split(" ").map(([lookalike = "", letter = ""]) => [lookalike, letter]),
);

export function plainName(text: string): string {
  const plain = text.normalize("NFKD").replace(/[\p{M}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, "").toLowerCase();
  return [...plain].map((letter) => LOOKALIKES.get(letter) ?? letter).join("").replace(/\s+/g, " ").trim();
}
