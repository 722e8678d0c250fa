/**
 * Makes `docs/coverage.md` from the catalog, corrections and the table of typed operations.
 *
 *     deno run -A scripts/generate_coverage.ts [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import data from "../src/platform/catalog/operations_data.js";
import { catalog } from "../src/platform/catalog/catalog.ts";
import { allRoutes, operationsWithRules } from "../src/emulator/families/routes.ts";
import { loadApiShapes } from "../src/platform/schema/load_api_shapes.ts";
import { coveragePage } from "./catalog/coverage_page.ts";
import { bringUpToDate } from "./catalog/generated_file.ts";
import { parseListing, readListing } from "./catalog/listing.ts";

const LISTING = fileURLToPath(new URL("../catalog/listing", import.meta.url));
const PAGE = fileURLToPath(new URL("../docs/coverage.md", import.meta.url));

/** Runs the script. Returns the exit code: 1 when a check finds a difference. */
export async function generateCoverage(
  args: readonly string[],
  log: (line: string) => void,
): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { check: { type: "boolean", default: false } } });
  const apis = [...(await catalog.apis()).values()];
  const operations = await catalog.operations();
  const described = new Set<string>();
  for (const { slug } of apis) {
    for (const name of (await loadApiShapes(slug))?.operationNames ?? []) described.add(`${slug}:${name}`);
  }
  const emulated = operationsWithRules(await allRoutes(), operations);
  const listed = parseListing(await readListing(LISTING)).operations;
  // As the listing spells them: in the platform's neutral word.
  const paths = new Map(listed.map(({ api, operationId, path }) => [`${api}:${operationId}`, path]));
  const text = await coveragePage({ apis, operations, paths, described, emulated, sourceHash: data.source });
  const different = await bringUpToDate([{ path: PAGE, text }], { check: values.check, log });
  return values.check && different > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await generateCoverage(process.argv.slice(2), console.log);
