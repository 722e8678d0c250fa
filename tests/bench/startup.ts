import { fileURLToPath } from "node:url";
import { type BenchLine, benchLine, median, milliseconds } from "./bench.ts";

const ROUNDS = 15;
const ROOT = new URL("../../", import.meta.url);

/**
 * How long adsctl takes to start, against an empty script under the same runtime. The rounds of all programs are
 * interleaved, so that a machine that slows down slows them all; each figure is a median.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = await Deno.makeTempDir();
  try {
    const empty = `${folder}/empty.ts`;
    await Deno.writeTextFile(empty, "");
    const cli = new URL("cli.ts", ROOT).href;
    const programs: Record<string, string[]> = {
      empty: [empty],
      "adsctl --help": [cli, "--help"],
      "adsctl list --help": [cli, "list", "--help"],
      "adsctl auth profiles --demo": [cli, "profiles", "--demo"],
    };
    const times: Record<string, number[]> = Object.fromEntries(
      Object.keys(programs).map((name) => [name, []]),
    );
    // The first round fills the runtime's caches.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, args] of Object.entries(programs)) {
        const time = await milliseconds(() => startAndEnd(args, folder));
        if (round > 0) times[name]!.push(time);
      }
    }
    const baseline = median(times.empty!);
    return Object.entries(times).filter(([name]) => name !== "empty").map(([name, figures]) =>
      benchLine(`start: ${name}`, median(figures), { unit: "ms", baseline })
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function startAndEnd(args: readonly string[], folder: string): Promise<void> {
  const config = fileURLToPath(new URL("deno.json", ROOT));
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--config", config, ...args],
    env: { XDG_STATE_HOME: `${folder}/state` },
    stdout: "null",
    stderr: "null",
  }).output();
  if (code !== 0) throw new Error(`"${args.join(" ")}" ended with ${code}`);
}
