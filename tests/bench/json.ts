import { parseJson } from "../../src/base/json/json.ts";
import { type BenchLine, benchLine, milliseconds } from "./bench.ts";

const ROUNDS = 12;

/** Reading answers without losing a digit, against `JSON.parse`, which rounds past 2^53. */
export async function bench(): Promise<BenchLine[]> {
  const plain = pages((id) => `"${id}"`);
  const big = pages((id) => id);
  return [
    await compare("parse 14 MB of lists, ids as strings", plain),
    await compare("parse 14 MB of lists, ids as numbers past 2^53", big),
  ];
}

async function compare(name: string, texts: readonly string[]): Promise<BenchLine> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await milliseconds(() => texts.forEach((text) => parseJson(text))));
    bare.push(await milliseconds(() => texts.forEach((text) => JSON.parse(text))));
  }
  return benchLine(name, Math.min(...ours), { unit: "ms", baseline: Math.min(...bare) });
}

/** 100 pages of 1,000 keywords whose ids are written as told. */
function pages(id: (digits: string) => string): string[] {
  return Array.from({ length: 100 }, (_, page) => {
    const keywords = Array.from({ length: 1000 }, (_, index) => {
      const number = page * 1000 + index;
      return `{"keywordId":${id(String(900719925474099200n + BigInt(number)))},"campaignId":${
        id("400000000000123456")
      },` +
        `"state":"ENABLED","keywordText":"waterproof hiking boots ${number}","matchType":"EXACT","bid":0.55}`;
    });
    return `{"keywords":[${keywords.join(",")}]}`;
  });
}
