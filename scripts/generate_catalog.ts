/**
 * Makes `catalog/operations.json`, `catalog/operation_ids.ts` and `catalog/schemas` from the facts in `catalog/listing`;
 * with `--specs DIR`, brings those facts up to date from API descriptions first.
 *
 *     deno run -A scripts/generate_catalog.ts [--specs DIR] [--word VENDORWORD]... [--catalog DIR] [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { catalogJson, hashOfListing } from "./catalog/catalog_json.ts";
import { type Facts, sortedFacts } from "./catalog/facts.ts";
import { bringUpToDate } from "./catalog/generated_file.ts";
import { parseEndings } from "./catalog/endings.ts";
import { formatListing, parseListing, readListing } from "./catalog/listing.ts";
import { neutralise } from "./catalog/neutral_words.ts";
import { operationIdsModule } from "./catalog/operation_ids.ts";
import { readSpecs } from "./catalog/read_specs.ts";
import { correctSchemas } from "./catalog/schemas/correct_schemas.ts";
import { schemaFiles } from "./catalog/schemas/schema_files.ts";
import { schemaTypes, type SentTypes } from "./catalog/schemas/schema_types.ts";
import { chooseMediaTypes } from "./catalog/media_types.ts";
import { schemaChanges } from "./catalog/schemas/schema_changes.ts";
import { formatSchemaListing, parseSchemaListing } from "./catalog/schemas/schema_listing.ts";
import { SCHEMA_CORRECTIONS } from "../catalog/schema_corrections.ts";

/** Runs the script. Returns the exit code: 1 when a check finds a difference. */
export async function generateCatalog(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      specs: { type: "string" },
      word: { type: "string", multiple: true, default: [] },
      catalog: { type: "string", default: "catalog" },
      check: { type: "boolean", default: false },
    },
  });
  const folder = join(values.catalog, "listing");
  const present = await readListing(folder);
  const known = parseListing({
    apis: neutralise(present.apis, values.word),
    operations: neutralise(present.operations, values.word),
  });
  const shapesKnown = parseSchemaListing(neutralise(present.schemas, values.word));
  const { facts, schemas } = values.specs === undefined
    ? { facts: sortedFacts(known), schemas: shapesKnown }
    : await readSpecs(values.specs, { known, schemas: shapesKnown, words: values.word, log });
  for (const line of schemaChanges(shapesKnown, schemas)) log(`Changed: ${line}`);
  const listing = formatListing(facts);
  const hash = hashOfListing(listing);
  const catalogPath = join(values.catalog, "operations.json");
  const sources = { sourceHash: hash, present: await readFile(catalogPath, "utf8").catch(() => "") };
  const { facts: shapes, obsolete } = correctSchemas(schemas, SCHEMA_CORRECTIONS);
  for (const line of obsolete) log(line);
  const different = await bringUpToDate([
    { path: join(folder, "apis.tsv"), text: listing.apis },
    { path: join(folder, "operations.tsv"), text: listing.operations },
    {
      path: catalogPath,
      text: catalogJson(facts, parseEndings(present.endings), sources),
    },
    { path: join(values.catalog, "operation_ids.ts"), text: operationIdsModule(facts, hash) },
    { path: join(folder, "schemas.tsv"), text: formatSchemaListing(schemas) },
    ...[...schemaFiles(shapes), ...schemaTypes(shapes, sentTypes(facts))].map(({ path, text }) => ({
      path: join(values.catalog, "schemas", path),
      text,
    })),
  ], { check: values.check, log });
  log(`${facts.operations.length} operations in ${facts.apis.length} APIs`);
  return values.check && different > 0 ? 1 : 0;
}

function sentTypes({ operations }: Facts): SentTypes {
  return new Map(operations.map(({ api, operationId, contentTypes, accepts }) => [
    `${api}:${operationId}`,
    chooseMediaTypes(contentTypes, accepts),
  ]));
}

if (import.meta.main) process.exitCode = await generateCatalog(process.argv.slice(2), console.log);
