/**
 * Proves the package as strangers use it: installed from its npm tarball, bundled for a browser, read from a README.
 *
 *     deno task package [--only WORD]     only the proofs whose name holds the word
 *
 * Ends with what failed, and "N passed, N failed", each proof counting one; exit 1 when one failed. dist/proofs keeps
 * what the README's followers saw, and the whole of every failure.
 */
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { BROWSER_PROOFS } from "../tests/package/browser_proofs.ts";
import { COMMAND_PROOFS } from "../tests/package/command_proofs.ts";
import { NODE_PROOFS } from "../tests/package/node_proofs.ts";
import type { Proof, ProofWorld } from "../tests/package/proof.ts";
import { README_PROOFS } from "../tests/package/readme_proofs.ts";
import { packNpm } from "./pack_npm.ts";
import { whyItFailed } from "./why_it_failed.ts";

const { values } = parseArgs({ args: process.argv.slice(2), options: { only: { type: "string" } } });
const root = resolve(import.meta.dirname!, "..");
const proofs = [...NODE_PROOFS, ...COMMAND_PROOFS, ...BROWSER_PROOFS, ...README_PROOFS].filter(({ name }) =>
  name.includes(values.only ?? "")
);

const folder = await Deno.makeTempDir({ prefix: "platform-ads-proofs-" });
const logFolder = join(root, "dist", "proofs");
await Deno.mkdir(logFolder, { recursive: true });
const failures: { readonly name: string; readonly message: string }[] = [];
const tarball = await packNpm().catch(({ message }: Error) => {
  failures.push({ name: "the npm tarball is made", message });
});
try {
  if (tarball !== undefined) {
    for (const proof of proofs) await prove(proof, { folder, logFolder, tarball });
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
// Without a tarball nothing is proved, and nothing proved is no success.
const failed = tarball === undefined ? Math.max(1, proofs.length) : failures.length;
const whole = failures.map(({ name, message }) => `${name}\n\n${message}\n\n`).join("");
await Deno.writeTextFile(join(logFolder, "failures.log"), whole);
for (const { name, message } of failures) console.log(`\nFAILED ${name}\n${indent(whyItFailed(message))}`);
console.log(`${Math.max(0, proofs.length - failed)} passed, ${failed} failed`);
process.exit(failed > 0 || proofs.length === 0 ? 1 : 0);

async function prove(proof: Proof, world: ProofWorld): Promise<void> {
  const began = performance.now();
  const message = await proof.run(world).then(() => undefined, (error: Error) => error.message);
  if (message !== undefined) failures.push({ name: proof.name, message });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${message === undefined ? "ok    " : "FAILED"} ${proof.name} (${seconds} s)`);
}

function indent(text: string): string {
  return text.trimEnd().split("\n").map((line) => `       ${line}`).join("\n");
}
