import { createHash } from "node:crypto";
import { isHostedMcpTool } from "../../src/platform/catalog/catalog_data.ts";
import { type Ending, endingOf } from "./endings.ts";
import type { ApiFacts, Facts, OperationFacts, ParameterFacts } from "./facts.ts";
import type { Listing } from "./listing.ts";
import { chooseMediaTypes } from "./media_types.ts";
import { summaryOf } from "./summary.ts";

/** A SHA-256 over the texts of a listing that describe operations, written into every file that is generated from it. */
export function hashOfListing(listing: Omit<Listing, "schemas" | "endings">): string {
  return createHash("sha256").update(listing.apis).update("\0").update(listing.operations).digest("hex");
}

/**
 * Writes `catalog/operations.json`: one line an operation, fields left out where they hold nothing.
 *
 * `contentTypes` and `accepts` are written only where they list more than the one type that is sent.
 *
 * @param options.present The file as it is: the spelling of literal paths is taken from it.
 */
export function catalogJson(
  facts: Facts,
  endings: readonly Ending[],
  { sourceHash, present }: { readonly sourceHash: string; readonly present: string },
): string {
  const literals = literalPaths(facts, present);
  const apis = facts.apis.map((api) => {
    const operations = facts.operations.filter((operation) => operation.api === api.slug);
    const head = JSON.stringify(apiRecord(api)).slice(0, -1);
    if (operations.length === 0) return `${head},"operations":[]}`;
    const lines = operations.map((operation) => {
      const ends = endingOf(operation, endings, facts.operations);
      const path = literals.get(operation.operationId);
      return JSON.stringify({ ...operationRecord(operation), ...(path && { path }), ...(ends && { ends }) });
    });
    return `${head},"operations":[\n${lines.join(",\n")}\n]}`;
  });
  return [
    "{",
    '"generated":"by scripts/generate_catalog.ts from catalog/listing; do not edit",',
    `"source":"sha256:${sourceHash}",`,
    '"apis":[',
    apis.join(",\n"),
    "]",
    "}",
    "",
  ].join("\n");
}

/**
 * Literal spellings of the paths that the listing marks as `literal`, from the catalog as it is: it is the only place
 * that has them.
 *
 * @throws {Error} where it has none.
 */
function literalPaths({ operations }: Facts, present: string): Map<string, string> {
  const literals = operations.filter(({ literal }) => literal).map(({ operationId }) => operationId);
  return new Map(literals.map((id) => {
    const line = present.split("\n").find((text) => text.startsWith(`{"operationId":${JSON.stringify(id)},`));
    const [, path] = /"path":"([^"]+)"/.exec(line ?? "") ?? [];
    if (path === undefined) {
      throw new Error(`Cannot spell the path of ${id}: operations.json does not have it`);
    }
    return [id, path];
  }));
}

function apiRecord(api: ApiFacts): Record<string, unknown> {
  return {
    slug: api.slug,
    title: api.title ?? titleOf(api.slug),
    ...(api.version && { version: api.version }),
    source: api.source,
    ...(isHostedMcpTool(api.slug) && { hostedTools: true }),
    ...(api.unlisted > 0 && { unlisted: api.unlisted }),
    ...(api.note && { note: api.note }),
  };
}

function operationRecord(operation: OperationFacts): Record<string, unknown> {
  const { contentType, accept } = chooseMediaTypes(operation.contentTypes, operation.accepts);
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    summary: summaryOf(operation.operationId),
    ...(operation.tags.length > 0 && { tags: operation.tags }),
    ...(operation.deprecated && { deprecated: true }),
    ...(operation.query.length > 0 && { query: operation.query.map(parameter) }),
    ...(operation.headers.length > 0 && { headers: operation.headers.map(parameter) }),
    ...(contentType && { contentType }),
    ...(operation.contentTypes.length > 1 && { contentTypes: operation.contentTypes }),
    ...(accept && { accept }),
    ...(operation.accepts.length > 1 && { accepts: operation.accepts }),
    ...(operation.mediaTypesSource === "assumed" && { assumed: true }),
  };
}

function parameter({ name, required }: ParameterFacts): string {
  return required ? `${name}!` : name;
}

function titleOf(slug: string): string {
  const words = slug.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
