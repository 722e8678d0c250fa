import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";

const DAY = 86_400_000;
const FIRST_DAY = Date.parse("2026-08-01");

/** A row of sp_targeting as the platform writes it; the same for the same number. Ids are past 2^53 every third time. */
export function targetingRow(i: number, rowsADay: number): ReportRow {
  const target = (i * 7919) % rowsADay;
  return {
    date: new Date(FIRST_DAY + Math.floor(i / rowsADay) * DAY).toISOString().slice(0, 10),
    campaignId: `${target % 3 === 0 ? "92233720368547" : "14497722725"}${7783 + target % 97}`,
    campaignName: `SP | Größe ${target % 97} | "Exact"`,
    adGroupId: `20123456789${10_000 + target % 997}`,
    adGroupName: `Group ${target % 997}`,
    keywordId: `30123456${1_000_000 + target}`,
    keyword: `trail running shoes ${target}`,
    targeting: `trail running shoes ${target}`,
    keywordType: "BROAD",
    matchType: "BROAD",
    keywordBid: (target % 300) / 100,
    adKeywordStatus: "ENABLED",
    topOfSearchImpressionShare: (target % 100) / 3,
    impressions: (i * 31) % 1000,
    clicks: (i * 17) % 50,
    cost: Math.round((i * 13) % 7000) / 100,
    purchases1d: i % 3,
    purchases7d: i % 4,
    purchases14d: i % 5,
    sales1d: (i % 900) / 10,
    sales7d: (i % 800) / 10,
    sales14d: (i % 900) / 8,
    unitsSoldClicks14d: i % 6,
    kindleEditionNormalizedPagesRead14d: null,
    kindleEditionNormalizedPagesRoyalties14d: null,
  };
}

/** Writes a report file of so many megabytes of JSON, packed, and gives its number of rows. Ids are bare numbers. */
export async function writeBigReport(path: string, megabytes: number): Promise<number> {
  const rowsADay = Math.ceil(megabytes * 1e6 / 590 / 31);
  const gzip = createGzip({ level: 4 });
  const file = createWriteStream(path);
  gzip.pipe(file);
  let size = 0;
  let rows = 0;
  gzip.write("[");
  while (size < megabytes * 1e6 && rows < rowsADay * 31) {
    const part: string[] = [];
    for (let i = 0; i < 500 && rows < rowsADay * 31; i++, rows++) {
      const row = JSON.stringify(targetingRow(rows, rowsADay)).replace(/Id":"(\d+)"/g, 'Id":$1');
      part.push(rows === 0 ? row : `,${row}`);
    }
    const text = part.join("");
    size += text.length;
    if (!gzip.write(text)) await new Promise((resume) => gzip.once("drain", resume));
  }
  gzip.end("]");
  await finished(file);
  return rows;
}
