import { PlatformAds, type ProfileClient, type WireName } from "../../mod.ts";
import { type BenchLine, benchLine, median, milliseconds, processorTime } from "./bench.ts";
import { startKeywordServer } from "./support/start_keyword_server.ts";

const KEYWORDS = 100_000;
const UPDATES = 20_000;
const PER_REQUEST = 1_000;
const ROUNDS = 15;

/**
 * Listing 100,000 keywords and sending 20,000 updates on the unified wire: against the older one, and against a bare loop
 * of fetch and parse over the same bodies, which are almost three times as long as those of the older wire.
 */
export async function bench(): Promise<BenchLine[]> {
  await using server = await startKeywordServer(KEYWORDS, PER_REQUEST);
  const [older, newer] = [client(server.url, "legacy"), client(server.url, "unified")];
  const updates = Array.from({ length: UPDATES }, (_, index) => ({
    keywordId: String(281_474_976_710_656_000n + BigInt(index * 7919)),
    bid: 0.5 + (index % 100) / 100,
  }));
  // What the served pages show: ids are the same on both.
  newer.provenIds.add("sp.keywords");
  const list = async ({ sp }: ProfileClient): Promise<void> => check(await sp.keywords.list());
  const update = async ({ sp }: ProfileClient): Promise<void> =>
    (await sp.keywords.update(updates)).raiseForErrors();
  return [
    await measure("list 100,000 keywords, unified wire", {
      of: () => list(newer),
      beside: () => list(older),
    }),
    await measure("update 20,000 keywords, unified wire", {
      of: () => update(newer),
      beside: () => update(older),
    }),
    await measure("list 100,000 keywords, unified wire, processor time against bare fetch", {
      of: () => list(newer),
      beside: async () => check(await bareList(server.url)),
      clock: processorTime,
    }),
    await measure("update 20,000 keywords, unified wire, processor time against bare fetch", {
      of: () => update(newer),
      beside: () => bareUpdate(server.url, updates),
      clock: processorTime,
    }),
  ];
}

async function measure(
  name: string,
  { of, beside, clock = milliseconds }: {
    of: () => Promise<void>;
    beside: () => Promise<void>;
    clock?: typeof milliseconds;
  },
): Promise<BenchLine> {
  const [ours, others]: [number[], number[]] = [[], []];
  const runs = [
    async () => ours.push(await clock(of)),
    async () => others.push(await clock(beside)),
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  }
  return benchLine(name, median(ours), { unit: "ms", baseline: median(others) });
}

function check({ length }: readonly unknown[]): void {
  if (length !== KEYWORDS) throw new RangeError(`Listed ${length} keywords`);
}

async function post(url: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/adsApi/v1/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Client-Id": "id", Scope: "1" },
    body: JSON.stringify(body),
  });
  return await response.json();
}

async function bareList(url: string): Promise<unknown[]> {
  const found: unknown[] = [];
  let nextToken: unknown;
  do {
    const page = await post(url, "query/targets", { maxResults: PER_REQUEST, nextToken });
    found.push(...page["targets"] as unknown[]);
    nextToken = page["nextToken"];
  } while (nextToken !== undefined);
  return found;
}

async function bareUpdate(
  url: string,
  updates: readonly { keywordId: string; bid: number }[],
): Promise<void> {
  for (let at = 0; at < updates.length; at += PER_REQUEST) {
    const targets = updates.slice(at, at + PER_REQUEST).map(({ keywordId, bid }) => ({
      targetId: keywordId,
      bid: { bid },
    }));
    const { success } = await post(url, "update/targets", { targets });
    if ((success as unknown[]).length !== targets.length) throw new RangeError("Not everything was updated");
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
