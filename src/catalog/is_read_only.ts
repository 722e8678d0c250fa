const READ_WORDS = /^(?:list|query|get|search|describe|history|recommendation)/i;
const WRITE_WORDS = /^(?:create|update|delete|archive)/i;
const READ_ENDINGS = [
  "/list",
  "/query",
  "/history",
  "/recommendations",
  "/targets/categories",
  "/targets/products/count",
  "/budgetUsage",
];

/** Facts for the read-only rule. */
export interface ReadOnlyFacts {
  readonly operationId: string;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path template. */
  readonly path: string;
}

/**
 * Decides by its names whether an operation changes nothing, which makes it safe to retry and to run without confirmation.
 *
 * True for every GET, and for a POST whose name or a whole path segment begins with a word of reading (or whose path has
 * one of a few endings) while none begins with a word of writing. PUT, PATCH and DELETE never are.
 */
export function isReadOnly({ operationId, method, path }: ReadOnlyFacts): boolean {
  if (method === "GET") return true;
  if (method !== "POST") return false;
  const names = [operationId, ...path.split("/")];
  if (names.some((name) => WRITE_WORDS.test(name))) return false;
  return names.some((name) => READ_WORDS.test(name)) || READ_ENDINGS.some((ending) => path.endsWith(ending));
}
