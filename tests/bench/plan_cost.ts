import { PlatformAds } from "../../mod.ts";
import { type Emulated, emulated } from "../cli/support/emulated.ts";
import { type BenchLine, benchLine } from "./bench.ts";

/** Figures of the same plan before everything that judges it shared one reading of the account. */
const BEFORE = { planRequests: 7, files: 133 };
const BIDS = 50;
const CLI = new URL("../../cli.ts", import.meta.url).href;

/** What a plan of 50 bids costs in requests, and `adsctl plan update` in files that run beyond start and connecting. */
export async function bench(): Promise<BenchLine[]> {
  await using world = await emulated();
  const { emulator, folder } = world;
  const { platform, credentials } = emulator;
  const us = await new PlatformAds(credentials, { platform }).profile("US");
  const keywords = await us.sp.keywords.list({ states: ["ENABLED"] });
  const items = keywords.filter(({ bid = 0 }) => bid > 0.3).slice(0, BIDS)
    .map(({ keywordId, bid = 0 }) => ({ keywordId, bid: Number((bid * 1.1).toFixed(2)) }));
  const requests = async (step: () => Promise<unknown>): Promise<number> => {
    const before = emulator.requests().length;
    await step();
    return emulator.requests().length - before;
  };
  const lines = items.map(({ keywordId, bid }) => `${keywordId},${bid}\n`).join("");
  const file = await world.write("bids.csv", `keywordId,bid\n${lines}`);
  const out = `${folder}/plan.json`;
  const start = await filesRun(["profiles"], world);
  const plan = await filesRun(["plan", "update", "keywords", file, "-m", "US", "--out", out], world);

  let made = await us.sp.keywords.planUpdate([]);
  const making = await requests(async () => made = await us.sp.keywords.planUpdate(items));
  const applying = await requests(() => made.apply(us));
  return [
    benchLine("plan of 50 bids, made", making, { unit: "requests", baseline: BEFORE.planRequests }),
    benchLine("plan of 50 bids, applied", applying, { unit: "requests" }),
    benchLine("plan update beyond start and connecting", plan.difference(start).size, {
      unit: "files",
      baseline: BEFORE.files,
    }),
  ];
}

/** The files of ours that run when adsctl does, by the coverage of the runtime. */
async function filesRun(args: readonly string[], { env, folder }: Emulated): Promise<ReadonlySet<string>> {
  const coverage = `${folder}/coverage-${args[0]}`;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", `--coverage=${coverage}`, CLI, ...args],
    cwd: folder,
    env,
  }).output();
  if (code !== 0) throw new Error(`adsctl ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  const files = new Set<string>();
  const root = CLI.replace(/cli\.ts$/, "");
  for await (const { name } of Deno.readDir(coverage)) {
    if (!name.endsWith(".json")) continue;
    const { url } = JSON.parse(await Deno.readTextFile(`${coverage}/${name}`)) as { url: string };
    if (url.startsWith(root) && !url.includes("/node_modules/")) files.add(url);
  }
  return files;
}
