import { catalog } from "../../platform/catalog/catalog.ts";
import type { Operation } from "../../platform/catalog/operation.ts";
import { onWire } from "../../platform/connection/platform.ts";

interface Candidate {
  readonly operation: Operation;
  pattern?: RegExp;
}

const MATCHERS = new Map<string, OperationMatcher>();

/** Returns the matcher for the platform's own name, shared by all clients because building it takes milliseconds. */
export function operationMatcher(wireWord: string): OperationMatcher {
  const known = MATCHERS.get(wireWord) ?? new OperationMatcher(wireWord);
  MATCHERS.set(wireWord, known);
  return known;
}

class OperationMatcher {
  readonly #wireWord: string;
  #groups: Promise<ReadonlyMap<string, readonly Candidate[]>> | undefined;

  constructor(wireWord: string) {
    this.#wireWord = wireWord;
  }

  async find(method: string, path: string): Promise<Operation | undefined> {
    this.#groups ??= this.#grouped();
    const candidates = (await this.#groups).get(groupOf(method, path)) ?? [];
    return candidates.find((candidate) => this.#patternOf(candidate).test(path))?.operation;
  }

  async #grouped(): Promise<ReadonlyMap<string, readonly Candidate[]>> {
    const sorted = (await catalog.operations()).map((operation) => ({
      operation,
      placeholders: operation.path.split("{").length,
    })).sort((a, b) => a.placeholders - b.placeholders);
    return Map.groupBy(
      sorted.map(({ operation }): Candidate => ({ operation })),
      ({ operation }) => groupOf(operation.method, onWire(operation.path, this.#wireWord)),
    );
  }

  #patternOf(candidate: Candidate): RegExp {
    return candidate.pattern ??= patternOf(onWire(candidate.operation.path, this.#wireWord));
  }
}

function groupOf(method: string, path: string): string {
  return `${method} ${path.split("/", 2)[1]}`;
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}
