import type { Operation } from "../catalog/operation.ts";
import { onWire } from "../connection/platform.ts";

/** Finds the operation that a request is one of, by method and path. */
export class OperationMatcher {
  readonly #operations: () => Promise<readonly Operation[]>;
  readonly #wireWord: string;
  #byMethod: Promise<ReadonlyMap<string, readonly { pattern: RegExp; operation: Operation }[]>> | undefined;

  /** @param wireWord The platform's own word, in place of the neutral one in paths. */
  constructor(operations: () => Promise<readonly Operation[]>, wireWord: string) {
    this.#operations = operations;
    this.#wireWord = wireWord;
  }

  /** The operation of a path; one without placeholders wins over one with. */
  async find(method: string, path: string): Promise<Operation | undefined> {
    this.#byMethod ??= this.#index();
    const candidates = (await this.#byMethod).get(method) ?? [];
    return candidates.find(({ pattern }) => pattern.test(path))?.operation;
  }

  async #index(): Promise<ReadonlyMap<string, readonly { pattern: RegExp; operation: Operation }[]>> {
    const entries = (await this.#operations()).map((operation) => ({
      operation,
      pattern: patternOf(onWire(operation.path, this.#wireWord)),
      placeholders: operation.path.split("{").length,
    })).sort((a, b) => a.placeholders - b.placeholders);
    return Map.groupBy(entries, ({ operation }) => operation.method);
  }
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}
