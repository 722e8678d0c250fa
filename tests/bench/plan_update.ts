import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine } from "./bench.ts";
import { accountKeyword, keywordId } from "./support/account_keyword.ts";
import { measureAdsctl, settingsFor } from "./support/measure_adsctl.ts";
import { startServer } from "./support/start_server.ts";

const SIZES = [10_000, 100_000, 1_000_000];

/** `adsctl plan update` from CSV files of so many lines, of which one in a hundred changes nothing. */
export async function bench(): Promise<BenchLine[]> {
  const folder = await temporaryFolder();
  await using server = await startServer("account_server.ts", [Math.max(...SIZES)]);
  try {
    const lines: BenchLine[] = [];
    for (const size of SIZES) {
      const file = `${folder.path}/${size}.csv`;
      await Deno.writeTextFile(file, changeFile(size));
      const args = ["plan", "update", "keywords", file, "-m", "US", "--out", `${folder.path}/plan.json`];
      const { cpuMs, peakMb } = await measureAdsctl(args, settingsFor(server.url, folder.path));
      const name = `plan update from ${size.toLocaleString("en-US")} lines`;
      lines.push(
        benchLine(`${name}, processor time`, cpuMs / 1000, { unit: "s" }),
        benchLine(`${name}, peak memory`, peakMb, { unit: "MB" }),
      );
      await Deno.remove(`${folder.path}/plan.json`);
    }
    return lines;
  } finally {
    await folder.remove();
  }
}

function changeFile(size: number): string {
  const lines = ["keywordId,bid"];
  for (let number = 0; number < size; number++) {
    const bid = Number(accountKeyword(number)["bid"]);
    lines.push(`${keywordId(number)},${(number % 100 === 0 ? bid : bid + 0.05).toFixed(2)}`);
  }
  return `${lines.join("\n")}\n`;
}
