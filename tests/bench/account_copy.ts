import { settingsOf } from "../cli/support/emulated.ts";
import { bigAccount } from "../reliability/support/big_account.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine } from "./bench.ts";
import { measureAdsctl } from "./support/measure_adsctl.ts";

const KEYWORDS = 100_000;

/**
 * What it costs to copy an account of 100,000 keywords, against listing its keywords, and to start a command on the copy,
 * against the same command on the demo account. The promise: 10 s and 300 MB, and 5 s.
 */
export async function bench(): Promise<BenchLine[]> {
  await using folder = await temporaryFolder();
  await using big = await bigAccount(KEYWORDS);
  const env = settingsOf(big.emulator, folder.path);
  const file = folder.file("big.snap");
  const listed = await measureAdsctl(["list", "keywords", "-m", "US", "--format", "jsonl"], env);
  const copied = await measureAdsctl(["rehearse", "pull", "-m", "US", "--out", file], env);
  const campaigns = ["list", "campaigns", "-m", "US"];
  const onDemo = await measureAdsctl([...campaigns, "--demo"], env);
  const onCopy = await measureAdsctl([...campaigns, "--rehearse", file], env);
  return [
    benchLine("copy an account of 100,000 keywords", copied.cpuMs / 1000, {
      unit: "s",
      baseline: listed.cpuMs / 1000,
    }),
    benchLine("copy an account of 100,000 keywords", copied.peakMb, { unit: "MB" }),
    benchLine("first command on a copy of 100,000 keywords", onCopy.cpuMs / 1000, {
      unit: "s",
      baseline: onDemo.cpuMs / 1000,
    }),
  ];
}
