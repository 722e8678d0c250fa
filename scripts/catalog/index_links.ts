/** What one page of a documentation index points to. */
export interface IndexLinks {
  /** Addresses of API descriptions. */
  readonly descriptions: readonly string[];
  /** Addresses of further indexes. */
  readonly indexes: readonly string[];
  /** What stands in place of an address. */
  readonly broken: readonly string[];
}

/**
 * Collects the links of a documentation index: `openapi` fields at any depth of nested `items`, and sub-indexes, which
 * are written as a text of the form `"$address$"`. Relative addresses are resolved against `base`.
 */
export function indexLinks(index: unknown, base: string): IndexLinks {
  const descriptions = new Set<string>();
  const indexes = new Set<string>();
  const broken = new Set<string>();
  visit(index);
  return { descriptions: [...descriptions], indexes: [...indexes], broken: [...broken] };

  function visit(value: unknown): void {
    if (typeof value === "string") {
      const address = /^\$(\S+)\$$/.exec(value)?.[1];
      if (address !== undefined) add(address, indexes);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (key !== "openapi") visit(child);
      else for (const link of [child].flat()) addDescription(link);
    }
  }

  function addDescription(link: unknown): void {
    if (typeof link === "string" && !/^\$\S+\$$/.test(link)) add(link, descriptions);
    else visit(link);
  }

  function add(link: string, found: Set<string>): void {
    if (URL.canParse(link, base)) found.add(new URL(link, base).href);
    else broken.add(link);
  }
}
