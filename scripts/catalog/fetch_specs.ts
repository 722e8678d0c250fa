import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compareText } from "./facts.ts";
import { fetchText, type FetchTextOptions } from "./fetch_text.ts";
import { indexLinks } from "./index_links.ts";
import type { Manifest, ManifestEntry } from "./manifest.ts";
import { parseDocument } from "./parse_document.ts";
import { readDescription } from "./read_description.ts";

/** How descriptions are fetched. */
export interface FetchSpecsOptions extends FetchTextOptions {
  /** Requests under way at the same time. @default 6 */
  readonly concurrency?: number;
  /** Called with each thing that is skipped. */
  readonly log: (line: string) => void;
}

/**
 * Walks a documentation index, downloads every API description it links to into a folder, and writes a manifest there.
 * A sub-index or description that cannot be fetched or read is reported and skipped.
 *
 * @throws {Error} when the index itself cannot be read, or links to no description.
 */
export async function fetchSpecs(
  index: string,
  folder: string,
  options: FetchSpecsOptions,
): Promise<Manifest> {
  const { sources, complete } = await walk(index, options);
  if (sources.length === 0) throw new Error(`Cannot fetch descriptions: "${index}" links to none`);
  await mkdir(folder, { recursive: true });
  const files = fileNames(sources);
  const descriptions = await inParallel(
    sources,
    options.concurrency ?? 6,
    async (source): Promise<ManifestEntry> => {
      try {
        const text = await fetchText(source, options);
        readDescription(parseDocument(text));
        const file = files.get(source)!;
        await writeFile(join(folder, file), text);
        return { source, file };
      } catch (error) {
        options.log(`Skipped ${source}: ${firstLine(error)}`);
        return { source, error: firstLine(error) };
      }
    },
  );
  const manifest: Manifest = {
    index,
    complete: complete && descriptions.every((entry) => entry.file !== undefined),
    descriptions,
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 2) + "\n");
  return manifest;
}

async function walk(
  index: string,
  options: FetchSpecsOptions,
): Promise<{ sources: string[]; complete: boolean }> {
  const sources = new Set<string>();
  const seen = new Set([index]);
  let complete = true;
  for (const address of seen) {
    try {
      const page = parseDocument(await fetchText(address, options));
      const { descriptions, indexes, broken } = indexLinks(page, address);
      for (const link of broken) options.log(`Skipped "${link}" in ${address}: it is not an address`);
      if (broken.length > 0) complete = false;
      for (const found of descriptions) sources.add(found);
      // A set hands out what is added to it while it is walked, each address once.
      for (const found of indexes) seen.add(found);
    } catch (error) {
      if (address === index) {
        throw new Error(`Cannot read the index "${index}": ${firstLine(error)}`, { cause: error });
      }
      complete = false;
      options.log(`Skipped the index ${address}: ${firstLine(error)}`);
    }
  }
  return { sources: [...sources].sort(compareText), complete };
}

function fileNames(sources: readonly string[]): Map<string, string> {
  const taken = new Set(["manifest.json"]);
  return new Map(sources.map((source) => {
    const last = new URL(source).pathname.split("/").filter((part) => part !== "").at(-1) ?? "";
    const safe = decodeSafely(last).replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^\.+/, "") || "description";
    let name = safe;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${count}_${safe}`;
    taken.add(name.toLowerCase());
    return [source, name];
  }));
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const queue = items.entries();
  await Promise.all(Array.from({ length: Math.max(1, limit) }, async () => {
    for (const [at, item] of queue) results[at] = await work(item);
  }));
  return results;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
}
