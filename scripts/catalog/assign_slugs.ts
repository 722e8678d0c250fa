import { compareText, type Facts } from "./facts.ts";
import type { Description } from "./read_description.ts";

/** A description and where it came from. */
export interface SourcedDescription {
  /** Its file or address, vendor words neutralised. */
  readonly source: string;
  /** What it says. */
  readonly description: Description;
  /** The document as it is published. */
  readonly document: unknown;
}

/**
 * Gives each description the slug of its API.
 *
 * A description that shares at least half of its operations with a known API keeps that API's slug, so that ids stay what
 * they are when a file is renamed. Every other one is named after its file.
 */
export function assignSlugs(
  descriptions: readonly SourcedDescription[],
  known: Facts,
): Map<SourcedDescription, string> {
  const slugs = new Map<SourcedDescription, string>();
  const free = new Set(known.apis.map((api) => api.slug));
  for (const { described, slug } of candidates(descriptions, known)) {
    if (slugs.has(described) || !free.delete(slug)) continue;
    slugs.set(described, slug);
  }
  const taken = new Set(slugs.values());
  for (const described of descriptions) {
    if (slugs.has(described)) continue;
    const wanted = slugOf(described);
    let slug = wanted;
    for (let count = 2; taken.has(slug); count++) slug = `${wanted}-${count}`;
    taken.add(slug);
    slugs.set(described, slug);
  }
  return slugs;
}

/** The name of a file in kebab case: `SponsoredProducts_prod_3p.json` is `sponsored-products`. */
function slugOf({ source, description }: SourcedDescription): string {
  const parts = source.replace(/[?#].*$/, "").split("/").filter((part) => part !== "");
  const stems = parts.map((part) =>
    part.replace(/\.(?:json|ya?ml)$/i, "").replace(/(?:_prod)?(?:_3p)?$/i, "")
  );
  const stem = stems.toReversed().find((name) => !/^(?:openapi|swagger|index|v?\d[\d.]*)$/i.test(name)) ??
    "api";
  const slug = stem.replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2").replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").toLowerCase() || "api";
  return description.hostedTools && !slug.startsWith("mcp-") ? `mcp-${slug}` : slug;
}

function candidates(
  descriptions: readonly SourcedDescription[],
  known: Facts,
): { described: SourcedDescription; slug: string; score: number }[] {
  const namesBySlug = new Map<string, Set<string>>();
  for (const { api, ...operation } of known.operations) {
    const names = namesBySlug.get(api) ?? new Set();
    namesBySlug.set(api, names.add(keyOf(operation)));
  }
  const found = descriptions.flatMap((described) =>
    Array.from(namesBySlug, ([slug, names]) => {
      const keys = described.description.operations.map(keyOf);
      const shared = keys.filter((key) => names.has(key)).length;
      const score = shared / Math.max(keys.length, names.size, 1) + (slugOf(described) === slug ? 1 : 0);
      return { described, slug, score: shared > 0 ? score : 0 };
    })
  );
  return found.filter(({ score }) => score >= 0.5).sort((a, b) =>
    b.score - a.score || compareText(a.slug, b.slug) || compareText(a.described.source, b.described.source)
  );
}

function keyOf({ operationId, method, path }: { operationId: string; method: string; path: string }): string {
  return `${operationId} ${method} ${path}`;
}
