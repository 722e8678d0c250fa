import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assignSlugs, type SourcedDescription } from "./assign_slugs.ts";
import { compareText, type Facts, sortedFacts } from "./facts.ts";
import type { Manifest } from "./manifest.ts";
import { neutralise } from "./neutral_words.ts";
import { parseDocument } from "./parse_document.ts";
import { readDescription } from "./read_description.ts";
import { readSchemas } from "./schemas/read_schemas.ts";
import { type SchemaFacts, sortedSchemaFacts } from "./schemas/schema_listing.ts";

/** How descriptions become facts. */
export interface ReadSpecsOptions {
  /** What is known already: slugs are kept, and so are the APIs that no description covers unless all were fetched. */
  readonly known: Facts;
  /** Shapes that are known already. */
  readonly schemas: SchemaFacts;
  /** Vendor words that the neutral word replaces. */
  readonly words: readonly string[];
  /** Called with each description that is skipped and each API that is dropped. */
  readonly log: (line: string) => void;
}

/** What a folder of descriptions says, with what is known of the other APIs. */
export interface ReadSpecs {
  /** APIs and operations. */
  readonly facts: Facts;
  /** Shapes of bodies, responses, parameters and errors. */
  readonly schemas: SchemaFacts;
}

/**
 * Reads a folder of API descriptions, as `fetch_specs.ts` leaves it or collected by hand, into facts.
 *
 * @throws {Error} when the folder holds no readable description at all.
 */
export async function readSpecs(folder: string, options: ReadSpecsOptions): Promise<ReadSpecs> {
  const { known, words, log } = options;
  const manifest = await readManifest(folder);
  const described: SourcedDescription[] = [];
  let complete = manifest.complete;
  for (const { source, file, error } of manifest.descriptions) {
    try {
      if (file === undefined) throw new Error(error);
      const text = await readFile(join(folder, file), "utf8");
      described.push({
        source: neutralise(source, words),
        description: readDescription(parseDocument(neutralise(text, words))),
        document: parseDocument(text),
      });
    } catch (error) {
      complete = false;
      log(`Skipped ${source}: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
  }
  if (described.length === 0) {
    throw new Error(`Cannot generate from "${folder}": it holds no readable description`);
  }
  const slugs = assignSlugs(described, known);
  return {
    facts: mergedFacts(slugs, { known, complete, log }),
    schemas: mergedSchemas(slugs, { ...options, complete }),
  };
}

/** The shapes of what was described, and of the other APIs those that are known. */
function mergedSchemas(
  slugs: ReadonlyMap<SourcedDescription, string>,
  { known, schemas, words, log, complete }: ReadSpecsOptions & { readonly complete: boolean },
): SchemaFacts {
  const covered = new Set(slugs.values());
  const slugsKnown = new Set(known.apis.map(({ slug }) => slug));
  const kept = schemas.filter(({ api }) => !covered.has(api) && (!complete || !slugsKnown.has(api)));
  const read = Array.from(slugs).flatMap(([{ description, document, source }, api]) => {
    if (description.hostedTools) return [];
    try {
      return [readSchemas({ api, document, description, words })];
    } catch (error) {
      log(
        `Kept the shapes of ${api} as they were: ${source}: ${
          error instanceof Error ? error.message : error
        }`,
      );
      return schemas.filter((one) => one.api === api);
    }
  });
  return sortedSchemaFacts([...kept, ...read.filter(({ operations }) => Object.keys(operations).length > 0)]);
}

function mergedFacts(
  slugs: ReadonlyMap<SourcedDescription, string>,
  { known, complete, log }: { known: Facts; complete: boolean; log: (line: string) => void },
): Facts {
  const covered = new Set(slugs.values());
  const uncovered = known.apis.filter((api) => !covered.has(api.slug));
  if (complete) {
    for (const { slug } of uncovered) log(`Dropped ${slug}: no description of it is published any more`);
  }
  const kept = complete ? [] : uncovered;
  const keptSlugs = new Set(kept.map((api) => api.slug));
  return sortedFacts({
    apis: [
      ...kept,
      ...Array.from(slugs, ([{ source, description }, slug]) => ({
        slug,
        ...(description.title && { title: description.title }),
        ...(description.version && { version: description.version }),
        source: fileName(source),
        unlisted: 0,
      })),
    ],
    operations: [
      ...known.operations.filter(({ api }) => keptSlugs.has(api)),
      ...Array.from(slugs).flatMap(([{ description }, slug]) =>
        description.operations.map((operation) => ({ ...operation, api: slug }))
      ),
    ],
  });
}

async function readManifest(folder: string): Promise<Manifest> {
  const names = (await readdir(folder)).sort(compareText);
  if (names.includes("manifest.json")) {
    return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
  }
  const files = names.filter((name) => /\.(?:json|ya?ml)$/i.test(name));
  return { index: folder, complete: false, descriptions: files.map((file) => ({ source: file, file })) };
}

function fileName(source: string): string {
  const path = source.replace(/[?#].*$/, "").replace(/^[a-z]+:\/\/[^/]*\//i, "");
  return path === "" ? source : path;
}
