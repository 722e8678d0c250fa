import { PlatformAds, type ProfileClient, type WireName } from "../../mod.ts";
import { type BenchLine, benchLine, median, milliseconds } from "./bench.ts";
import { startKeywordServer } from "./support/start_keyword_server.ts";

const KEYWORDS = 100_000;
const UPDATES = 20_000;
const PER_REQUEST = 1_000;
const ROUNDS = 15;

/** Listing 100,000 keywords and sending 20,000 updates on the unified wire, against the older one. */
export async function bench(): Promise<BenchLine[]> {
  await using server = await startKeywordServer(KEYWORDS, PER_REQUEST);
  const [older, newer] = [client(server.url, "legacy"), client(server.url, "unified")];
  const updates = Array.from({ length: UPDATES }, (_, index) => ({
    keywordId: String(281_474_976_710_656_000n + BigInt(index * 7919)),
    bid: 0.5 + (index % 100) / 100,
  }));
  // What the served pages show: ids are the same on both.
  newer.provenIds.add("sp.keywords");
  return [
    await measure("list 100,000 keywords, unified wire", async ({ sp }) => {
      const { length } = await sp.keywords.list();
      if (length !== KEYWORDS) throw new RangeError(`Listed ${length} keywords`);
    }),
    await measure("update 20,000 keywords, unified wire", async ({ sp }) => {
      (await sp.keywords.update(updates)).raiseForErrors();
    }),
  ];

  async function measure(name: string, work: (us: ProfileClient) => Promise<void>): Promise<BenchLine> {
    const times: Record<"older" | "newer", number[]> = { older: [], newer: [] };
    const runs = [
      async () => times.older.push(await milliseconds(() => work(older))),
      async () => times.newer.push(await milliseconds(() => work(newer))),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
    }
    return benchLine(name, median(times.newer), { unit: "ms", baseline: median(times.older) });
  }
}

function client(url: string, wire: WireName): ProfileClient {
  const credentials = { clientId: "id", clientSecret: "s3cr3t", refreshToken: "refresh" };
  const platform = {
    regions: { NA: { baseUrl: url } },
    tokenUrl: `${url}/token`,
    headers: { clientId: "Client-Id", scope: "Scope", requestId: "x-request-id" },
    wireWord: "platform",
  };
  return new PlatformAds(credentials, { platform, wire }).profileFrom("1", "US");
}
