/**
 * Proves the package as strangers use it: installed from its npm tarball, bundled for a browser, read from a README.
 *
 *     deno task package [--only WORD]     only the proofs whose name holds the word
 *
 * Ends with "N passed, N failed", each proof counting one, and exit 1 when one failed. Logs are kept in dist/proofs.
 */
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { BROWSER_PROOFS } from "../tests/package/browser_proofs.ts";
import { NODE_PROOFS } from "../tests/package/node_proofs.ts";
import type { Proof, ProofWorld } from "../tests/package/proof.ts";
import { README_PROOFS } from "../tests/package/readme_proofs.ts";
import { packNpm } from "./pack_npm.ts";

const { values } = parseArgs({ args: process.argv.slice(2), options: { only: { type: "string" } } });
const root = resolve(import.meta.dirname!, "..");
const proofs = [...NODE_PROOFS, ...BROWSER_PROOFS, ...README_PROOFS].filter(({ name }) =>
  name.includes(values.only ?? "")
);

const folder = await Deno.makeTempDir({ prefix: "platform-ads-proofs-" });
const logFolder = join(root, "dist", "proofs");
await Deno.mkdir(logFolder, { recursive: true });
let failed = 0;
try {
  const world = { folder, logFolder, tarball: await packNpm() };
  for (const proof of proofs) if (!await holds(proof, world)) failed++;
} catch (error) {
  console.log(`FAILED the npm tarball is made\n${(error as Error).message}`);
  failed = Math.max(1, proofs.length);
} finally {
  await Deno.remove(folder, { recursive: true });
}
console.log(`${proofs.length - failed} passed, ${failed} failed`);
// Nothing proved is no success.
process.exit(failed > 0 || proofs.length === 0 ? 1 : 0);

async function holds(proof: Proof, world: ProofWorld): Promise<boolean> {
  const began = performance.now();
  const seconds = (): string => `(${((performance.now() - began) / 1000).toFixed(1)} s)`;
  try {
    await proof.run(world);
    console.log(`ok     ${proof.name} ${seconds()}`);
    return true;
  } catch (error) {
    console.log(`FAILED ${proof.name} ${seconds()}\n${indent((error as Error).message)}`);
    return false;
  }
}

function indent(text: string): string {
  return text.trimEnd().split("\n").map((line) => `       ${line}`).join("\n");
}
