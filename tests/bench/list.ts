import { PlatformAds } from "../../mod.ts";
import { startKeywordServer } from "./support/start_keyword_server.ts";
import { type BenchLine, benchLine, median, milliseconds, processorTime } from "./bench.ts";

const KEYWORDS = 100_000;
/** Pages as large as the platform allows, and as large as it sends when it is not asked: what a request costs shows. */
const SHAPES: readonly {
  name: string;
  perPage: number;
  rounds: number;
  clock: typeof milliseconds;
}[] = [
  { name: "list 100,000 keywords", perPage: 1000, rounds: 40, clock: milliseconds },
  { name: "list 100,000 keywords, 500 pages", perPage: 200, rounds: 21, clock: milliseconds },
  {
    name: "list 100,000 keywords, 500 pages, processor time",
    perPage: 200,
    rounds: 15,
    clock: processorTime,
  },
];
const TYPE = "application/vnd.spKeyword.v3+json";
/** As long as the server's own: both sides send the same headers. */
const TOKEN = "access.token-".repeat(25);

/** Listing 100,000 keywords over loopback, against a bare loop of fetch and parse over the same pages. */
export async function bench(): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (const shape of SHAPES) lines.push(await measure(shape));
  return lines;
}

async function measure({ name, perPage, rounds, clock }: (typeof SHAPES)[number]): Promise<BenchLine> {
  await using server = await startKeywordServer(KEYWORDS, perPage);
  // Secrets as long as real ones: every answer is searched for them.
  const credentials = {
    clientId: "id",
    clientSecret: "s3cr3t.".repeat(9),
    refreshToken: "refresh+token.".repeat(25),
  };
  const ads = new PlatformAds(credentials, {
    platform: {
      regions: { NA: { baseUrl: server.url } },
      tokenUrl: `${server.url}/token`,
      headers: { clientId: "Client-Id", scope: "Scope", requestId: "x-request-id" },
      wireWord: "platform",
    },
  });
  const us = ads.profileFrom("1", "US");
  const ours: number[] = [];
  const bare: number[] = [];
  const runs = [
    async () => ours.push(await clock(async () => check(await us.sp.keywords.list()))),
    async () => bare.push(await clock(async () => check(await bareList(server.url)))),
  ];
  // Each goes first in turn, so that neither always sweeps up after the other.
  for (let round = 0; round < rounds; round++) {
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  }
  return benchLine(name, median(ours), { unit: "ms", baseline: median(bare) });
}

async function bareList(url: string): Promise<unknown[]> {
  const found: unknown[] = [];
  let nextToken: string | undefined;
  do {
    const answer = await fetch(`${url}/sp/keywords/list`, {
      method: "POST",
      headers: {
        "Content-Type": TYPE,
        Accept: TYPE,
        Authorization: `Bearer ${TOKEN}`,
        Scope: "1",
        "Client-Id": "id",
      },
      body: JSON.stringify({
        stateFilter: { include: ["ENABLED", "PAUSED"] },
        ...(nextToken ? { nextToken } : {}),
      }),
    });
    const page = await answer.json();
    found.push(...page.keywords);
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return found;
}

function check(keywords: readonly unknown[]): void {
  if (keywords.length !== KEYWORDS) throw new RangeError(`Listed ${keywords.length} keywords`);
}
