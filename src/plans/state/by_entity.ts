export class ByEntity<T> {
  readonly #kinds = new Map<string, Map<string, T>>();

  get(kind: string, id: unknown): T | undefined {
    return this.#kinds.get(kind)?.get(String(id));
  }

  set(kind: string, id: string, value: T): void {
    let values = this.#kinds.get(kind);
    if (values === undefined) this.#kinds.set(kind, values = new Map());
    values.set(id, value);
  }

  has(kind: string, id: unknown): boolean {
    return this.#kinds.get(kind)?.has(String(id)) ?? false;
  }

  values(): T[] {
    return [...this.#kinds.values()].flatMap((values) => [...values.values()]);
  }
}
