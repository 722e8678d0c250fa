import { visibleText } from "../../../base/text/visible_text.ts";

export function cleanText(text: string): string {
  return text.split("\n").map(visibleText).join("\n");
}

/**
 * Makes invisible characters visible in all strings, including field names. Returns the same object if there are none.
 */
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

export class Secrets {
  readonly #values = new Set<string>();

  /** Ignores values shorter than 8 characters. */
  add(value: string | undefined): void {
    if (value !== undefined && value.length >= 8) this.#values.add(value);
  }

  removeFromText(text: string): string {
    for (const secret of this.#values) text = text.replaceAll(secret, "[redacted]");
    return text;
  }

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
