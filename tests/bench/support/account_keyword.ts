const FIRST = 281_474_976_710_656_000n;

/** A keyword of the measured account, by its number. */
export function accountKeyword(number: number): Record<string, unknown> {
  return {
    keywordId: keywordId(number),
    campaignId: String(400_000_000_000_000_000n + BigInt(number % 400)),
    adGroupId: String(500_000_000_000_000_000n + BigInt(number % 4000)),
    state: number % 5 === 0 ? "PAUSED" : "ENABLED",
    keywordText: `waterproof hiking boots ${number}`,
    matchType: ["EXACT", "PHRASE", "BROAD"][number % 3],
    bid: (20 + number % 300) / 100,
  };
}

/** Id of the keyword of this number. */
export function keywordId(number: number): string {
  return String(FIRST + BigInt(number) * 7919n);
}

/** Number of the keyword of this id; -1 for the id of none. */
export function keywordNumber(id: string): number {
  const offset = BigInt(id) - FIRST;
  return offset >= 0n && offset % 7919n === 0n ? Number(offset / 7919n) : -1;
}
