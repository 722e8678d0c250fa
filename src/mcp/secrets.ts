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
