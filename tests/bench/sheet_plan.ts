import { writeXlsxTabs } from "../../src/account/sheets/write_xlsx.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine } from "./bench.ts";
import { accountKeyword } from "./support/account_keyword.ts";
import { measureAdsctl, settingsFor } from "./support/measure_adsctl.ts";
import { startServer } from "./support/start_server.ts";

const SIZES = [10_000, 100_000];
const HEAD = [
  ...[
    "Product",
    "Entity",
    "Operation",
    "Campaign Id",
    "Ad Group Id",
    "Keyword Id",
    "Ad Id",
    "Product Targeting Id",
  ],
  ...[
    "Campaign Name",
    "Ad Group Name",
    "State",
    "Bid",
    "Keyword Text",
    "Match Type",
    "Impressions",
    "Clicks",
  ],
  ...["Spend", "Sales", "Orders", "ACOS"],
];

/** `adsctl sheet plan` from .xlsx files with so many rows of keywords, each with a new bid. */
export async function bench(): Promise<BenchLine[]> {
  const folder = await temporaryFolder();
  await using server = await startServer("account_server.ts", [Math.max(...SIZES)]);
  try {
    const lines: BenchLine[] = [];
    for (const size of SIZES) {
      const file = `${folder.path}/${size}.xlsx`;
      await Deno.writeFile(
        file,
        writeXlsxTabs([{ name: "Sponsored Products Campaigns", lines: rows(size) }]),
      );
      const args = ["sheet", "plan", file, "-m", "US", "--out", `${folder.path}/${size}.json`];
      const { cpuMs, peakMb } = await measureAdsctl(args, settingsFor(server.url, folder.path));
      const name = `sheet plan from ${size.toLocaleString("en-US")} rows`;
      lines.push(
        benchLine(`${name}, processor time`, cpuMs / 1000, { unit: "s" }),
        benchLine(`${name}, peak memory`, peakMb, { unit: "MB" }),
      );
    }
    return lines;
  } finally {
    await folder.remove();
  }
}

function* rows(count: number): Generator<(string | number)[]> {
  yield HEAD;
  for (let number = 0; number < count; number++) {
    const { campaignId, adGroupId, keywordId, keywordText, bid } = accountKeyword(number);
    const ids = [campaignId, adGroupId, keywordId].map(String);
    const bidText = (Number(bid) + 0.05).toFixed(2);
    yield [
      ...["Sponsored Products", "Keyword", "update", ...ids, "", "", "SP | Boots", "Group", "", bidText],
      ...[String(keywordText), "exact", 1000 + number % 77, 10 + number % 7, 3.55, 20.1, 2, 0.17],
    ];
  }
}
