import { visibleText } from "../../internal/visible_text.ts";

/** Text whose lines hold no invisible characters: no line of it draws, hides or turns anything. */
export function cleanText(text: string): string {
  return text.split("\n").map(visibleText).join("\n");
}

/** Data whose texts, names of fields included, hold no invisible characters; the data itself where none does. */
export function cleanData<Value>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) {
    const cleaned = value.map(clean);
    return cleaned.every((entry, index) => entry === value[index]) ? value : cleaned;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const cleaned = entries.map(([name, field]) => [cleanText(name), clean(field)] as const);
  const isSame = cleaned.every(([name, field], index) =>
    name === entries[index]?.[0] && field === entries[index]?.[1]
  );
  return isSame ? value : Object.fromEntries(cleaned);
}
