/**
 * Downloads the API descriptions that a documentation index links to, for `generate_catalog.ts --specs`.
 *
 *     deno run -A scripts/fetch_specs.ts --index URL [--out specs] [--concurrency 6]
 *
 * @module
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { fetchSpecs } from "./catalog/fetch_specs.ts";

/** Runs the script. Returns the exit code: 2 without an index, 1 when nothing could be fetched. */
export async function main(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      index: { type: "string" },
      out: { type: "string", default: "specs" },
      concurrency: { type: "string", default: "6" },
    },
  });
  const concurrency = Number(values.concurrency);
  if (values.index === undefined || !Number.isInteger(concurrency) || concurrency < 1) {
    log("Usage: fetch_specs.ts --index URL [--out specs] [--concurrency 6]");
    return 2;
  }
  const { descriptions } = await fetchSpecs(values.index, values.out, { concurrency, log });
  const fetched = descriptions.filter((entry) => entry.file !== undefined).length;
  log(`Fetched ${fetched} of ${descriptions.length} descriptions into ${values.out}`);
  return fetched === 0 ? 1 : 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv.slice(2), console.error);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
