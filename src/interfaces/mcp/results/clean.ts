import { visibleText } from "../../../base/text/visible_text.ts";

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

/** The secrets that this process knows, so that none of them leaves it. */
export class Secrets {
  readonly #values = new Set<string>();

  /** Remembers a secret; very short ones are no secrets. */
  add(value: string | undefined): void {
    if (value !== undefined && value.length >= 8) this.#values.add(value);
  }

  /** The text without any of the secrets. */
  removeFromText(text: string): string {
    for (const secret of this.#values) text = text.replaceAll(secret, "[redacted]");
    return text;
  }

  /** The value, or where it holds a secret a copy that does not. */
  removeFrom<Value>(value: Value): Value {
    const text = JSON.stringify(value);
    for (const secret of this.#values) {
      const written = JSON.stringify(secret).slice(1, -1);
      if (text.includes(written)) return JSON.parse(this.#clean(text)) as Value;
    }
    return value;
  }

  #clean(json: string): string {
    for (const secret of this.#values) {
      json = json.replaceAll(JSON.stringify(secret).slice(1, -1), "[redacted]");
    }
    return json;
  }
}
