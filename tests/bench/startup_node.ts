import { packNpm } from "../../scripts/pack_npm.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median, milliseconds } from "./bench.ts";

const ROUNDS = 15;
const NODE = "node@24";

/**
 * How long the commands of the npm package take to start on Node, as the README installs them, and a program that imports
 * the library, each against an empty program. Rounds are interleaved; each figure is a median.
 */
export async function bench(): Promise<BenchLine[]> {
  await using folder = await temporaryFolder();
  const tarball = await packNpm({ out: folder.file("package.tgz") });
  await Deno.writeTextFile(folder.file("package.json"), '{ "private": true, "type": "module" }\n');
  await succeed("npm", ["install", "--silent", "--no-audit", "--no-fund", NODE, tarball], folder.path);
  await Deno.writeTextFile(folder.file("empty.js"), "");
  await Deno.writeTextFile(folder.file("library.js"), 'import "@platform/ads";\n');
  const node = folder.file("node_modules/node/bin/node");
  const adsctl = "node_modules/@platform/ads/bin/adsctl.js";
  const programs: Record<string, readonly string[]> = {
    empty: ["empty.js"],
    "adsctl --help": [adsctl, "--help"],
    "adsctl auth profiles --demo": [adsctl, "profiles", "--demo"],
    'import "@platform/ads"': ["library.js"],
  };
  const times: Record<string, number[]> = Object.fromEntries(
    Object.keys(programs).map((name) => [name, []]),
  );
  // The first round fills the caches.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, args] of Object.entries(programs)) {
      const time = await milliseconds(() => succeed(node, args, folder.path));
      if (round > 0) times[name]!.push(time);
    }
  }
  const baseline = median(times["empty"]!);
  return Object.entries(times).filter(([name]) => name !== "empty").map(([name, figures]) =>
    benchLine(`start on Node: ${name}`, median(figures), { unit: "ms", baseline })
  );
}

async function succeed(program: string, args: readonly string[], folder: string): Promise<void> {
  const { code } = await new Deno.Command(program, {
    args: [...args],
    cwd: folder,
    env: { XDG_STATE_HOME: `${folder}/state`, XDG_CACHE_HOME: `${folder}/cache` },
    stdout: "null",
    stderr: "null",
  }).output();
  if (code !== 0) throw new Error(`"${program} ${args.join(" ")}" ended with ${code}`);
}
