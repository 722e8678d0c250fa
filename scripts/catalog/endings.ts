import type { OperationFacts } from "./facts.ts";

const HEADER = "methods\tpath\tsince\tshutoff\treplaced_by";
const NOTHING = "-";

/** When operations of a path end: one line of `endings.tsv`. */
export interface Ending {
  /** HTTP methods; `*` for all. */
  readonly methods: readonly string[];
  /** Path template. */
  readonly path: string;
  /** Day from which new accounts are refused; absent where none is published. */
  readonly since?: string;
  /** Day of the end; absent where none is published. */
  readonly shutoff?: string;
  /** Operations to use instead: method (or `*`) and path. */
  readonly replacedBy: readonly string[];
}

/** What the catalog holds of the end of an operation. */
export interface EndingRecord {
  readonly since?: string;
  readonly shutoff?: string;
  readonly replacedBy?: readonly string[];
}

/**
 * Reads `endings.tsv`.
 *
 * @throws {Error} naming the line that cannot be read.
 */
export function parseEndings(text: string): Ending[] {
  const [header, ...lines] = text.trimEnd().split("\n");
  if (header !== HEADER) {
    throw new Error(`Cannot read endings.tsv: line 1 is not "${HEADER.replaceAll("\t", " ")}"`);
  }
  return lines.map((line, index) => {
    const [methods = "", path = "", since = "", shutoff = "", replacedBy = "", ...more] = line.split("\t");
    const days = [since, shutoff].filter((day) => day !== NOTHING);
    if (more.length > 0 || !path.startsWith("/") || !days.every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))) {
      throw new Error(
        `Cannot read endings.tsv: line ${index + 2} is not methods, path, two days and replacements`,
      );
    }
    return {
      methods: methods.split(","),
      path,
      ...(since !== NOTHING && { since }),
      ...(shutoff !== NOTHING && { shutoff }),
      replacedBy: replacedBy === NOTHING ? [] : replacedBy.split(" ; "),
    };
  });
}

/** Finds when an operation ends, with the ids of those that replace it; `undefined` where nothing is published. */
export function endingOf(
  operation: OperationFacts,
  endings: readonly Ending[],
  operations: readonly OperationFacts[],
): EndingRecord | undefined {
  const found = endings.find(({ methods, path }) => matches({ methods, path }, operation));
  if (found === undefined) return undefined;
  const { since, shutoff } = found;
  const replacedBy = [
    ...new Set(found.replacedBy.flatMap((text) => replacements(text, operation, operations))),
  ];
  return {
    ...(since !== undefined && { since }),
    ...(shutoff !== undefined && { shutoff }),
    ...(replacedBy.length > 0 && { replacedBy }),
  };
}

/** Ids of the operations that `METHOD /path` names; the text itself where the catalog has none. */
function replacements(
  text: string,
  replaced: OperationFacts,
  operations: readonly OperationFacts[],
): string[] {
  const [method = "", path = ""] = text.split(" ");
  const found = operations.filter((operation) =>
    matches({ methods: [method], path }, operation) && isOfProduct(operation.api, productOf(replaced.api))
  );
  const same = found.filter((operation) => operation.method === replaced.method);
  const ids = (same.length > 0 ? same : found).map(({ api, operationId }) => `${api}:${operationId}`);
  return ids.length > 0 ? ids : [method === "*" ? path : text];
}

/** The product of an API in the slugs of the unified APIs, which list each path once a product. */
function productOf(api: string): string {
  const products = { "sponsored-brands": "sb", "sponsored-display": "sd", "sponsored-products": "sp" };
  return Object.entries(products).find(([name]) => api.startsWith(name))?.[1] ?? "dsp";
}

function isOfProduct(api: string, product: string): boolean {
  return !api.startsWith("v1-") || api.startsWith("v1-all-") || api.startsWith(`v1-${product}-`);
}

function matches(
  { methods, path }: { methods: readonly string[]; path: string },
  operation: OperationFacts,
): boolean {
  const isMethod = methods.includes("*") || methods.includes(operation.method);
  return isMethod && plain(path) === plain(operation.path);
}

function plain(path: string): string {
  return path.replace(/\{[^}]+\}/g, "{}").replace(/\/$/, "");
}
