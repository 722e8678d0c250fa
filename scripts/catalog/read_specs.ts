import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assignSlugs, type SourcedDescription } from "./assign_slugs.ts";
import { compareText, type Facts, sortedFacts } from "./facts.ts";
import type { Manifest } from "./manifest.ts";
import { neutralise } from "./neutral_words.ts";
import { parseDocument } from "./parse_document.ts";
import { readDescription } from "./read_description.ts";

/** How descriptions become facts. */
export interface ReadSpecsOptions {
  /** What is known already: slugs are kept, and so are the APIs that no description covers unless all were fetched. */
  readonly known: Facts;
  /** Vendor words that the neutral word replaces. */
  readonly words: readonly string[];
  /** Called with each description that is skipped and each API that is dropped. */
  readonly log: (line: string) => void;
}

/**
 * Reads a folder of API descriptions, as `fetch_specs.ts` leaves it or collected by hand, into facts.
 *
 * @throws {Error} when the folder holds no readable description at all.
 */
export async function readSpecs(folder: string, { known, words, log }: ReadSpecsOptions): Promise<Facts> {
  const manifest = await readManifest(folder);
  const described: SourcedDescription[] = [];
  let complete = manifest.complete;
  for (const { source, file, error } of manifest.descriptions) {
    try {
      if (file === undefined) throw new Error(error);
      const text = neutralise(await readFile(join(folder, file), "utf8"), words);
      described.push({
        source: neutralise(source, words),
        description: readDescription(parseDocument(text)),
      });
    } catch (error) {
      complete = false;
      log(`Skipped ${source}: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
  }
  if (described.length === 0) {
    throw new Error(`Cannot generate from "${folder}": it holds no readable description`);
  }
  return mergedFacts(described, { known, complete, log });
}

function mergedFacts(
  described: readonly SourcedDescription[],
  { known, complete, log }: { known: Facts; complete: boolean; log: (line: string) => void },
): Facts {
  const slugs = assignSlugs(described, known);
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
