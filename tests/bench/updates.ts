import { type Credentials, type Platform, PlatformAds, type ProfileClient } from "../../mod.ts";
import { type BenchLine, benchLine, median, milliseconds, processorTime } from "./bench.ts";
import { startKeywordServer } from "./support/start_keyword_server.ts";

const KEYWORDS = 20_000;
const PER_REQUEST = 1_000;
/** Of many small requests, in which what a request costs shows. */
const FEW = 200;
const ROUNDS = 7;
const TYPE = "application/vnd.spKeyword.v3+json";

/** Updating 20,000 keywords on the emulator, against a bare loop that sends the same requests and parses the answers. */
export async function bench(): Promise<BenchLine[]> {
  await using emulator = await startEmulator();
  const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
  const us = await ads.profile("US");
  const ids = await newKeywords(us);
  const token = await ads.transport.token();
  return [await measure({ us, ids, token, emulator }), await measureSmall()];
}

/** 100 requests to a server whose responses are rendered beforehand, so that the client alone is measured. */
async function measureSmall(): Promise<BenchLine> {
  await using server = await startKeywordServer(KEYWORDS, FEW);
  const credentials = {
    clientId: "id",
    clientSecret: "s3cr3t.".repeat(9),
    refreshToken: "refresh+token.".repeat(25),
  };
  const platform = {
    regions: { NA: { baseUrl: server.url } },
    tokenUrl: `${server.url}/token`,
    headers: { clientId: "Client-Id", scope: "Scope", requestId: "x-request-id" },
    wireWord: "platform",
  };
  const us = new PlatformAds(credentials, { platform }).profileFrom("1", "US");
  const token = await us.transport.token();
  const updates = Array.from({ length: KEYWORDS }, (_, index) => ({
    keywordId: String(281_474_976_710_656_000n + BigInt(index * 7919)),
    bid: 0.5 + (index % 100) / 100,
  }));
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 3 * ROUNDS; round++) {
    bare.push(
      await processorTime(() => bareUpdate(us, updates, { token, perRequest: FEW, platform, credentials })),
    );
    ours.push(await processorTime(() => ourUpdate(us, updates, FEW)));
  }
  return benchLine("update 20,000 keywords, 100 requests, processor time", median(ours), {
    unit: "ms",
    baseline: median(bare),
  });
}

async function measure(
  { us, ids, token, emulator }: {
    us: ProfileClient;
    ids: readonly string[];
    token: string;
    emulator: { platform: Platform; credentials: Credentials };
  },
): Promise<BenchLine> {
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const updates = ids.map((keywordId) => ({ keywordId, bid: 0.5 + round / 100 }));
    bare.push(
      await milliseconds(() => bareUpdate(us, updates, { token, perRequest: PER_REQUEST, ...emulator })),
    );
    const again = ids.map((keywordId) => ({ keywordId, bid: 0.6 + round / 100 }));
    ours.push(await milliseconds(() => ourUpdate(us, again, PER_REQUEST)));
  }
  const perSecond = (times: readonly number[]): number => KEYWORDS / (median(times.slice(1)) / 1000);
  return benchLine("update 20,000 keywords", perSecond(ours), { unit: "items/s", baseline: perSecond(bare) });
}

async function ourUpdate(
  { sp }: ProfileClient,
  updates: readonly { keywordId: string; bid: number }[],
  perRequest: number,
): Promise<void> {
  for (let at = 0; at < updates.length; at += perRequest) {
    (await sp.keywords.update(updates.slice(at, at + perRequest))).raiseForErrors();
  }
}

async function bareUpdate(
  us: ProfileClient,
  updates: readonly unknown[],
  { token, perRequest, platform, credentials }: {
    token: string;
    perRequest: number;
    platform: Platform;
    credentials: Credentials;
  },
): Promise<void> {
  for (let at = 0; at < updates.length; at += perRequest) {
    const answer = await fetch(`${us.baseUrl}/sp/keywords`, {
      method: "PUT",
      headers: {
        "Content-Type": TYPE,
        Accept: TYPE,
        Authorization: `Bearer ${token}`,
        [platform.headers.clientId]: credentials.clientId,
        [platform.headers.scope]: us.profileId,
      },
      body: JSON.stringify({ keywords: updates.slice(at, at + perRequest) }),
    });
    const { keywords } = await answer.json();
    if (keywords.success.length !== perRequest) {
      throw new Error(`Updated ${keywords.success.length} keywords`);
    }
  }
}

async function newKeywords({ sp }: ProfileClient): Promise<string[]> {
  const campaign = {
    name: "Bench",
    state: "ENABLED",
    targetingType: "MANUAL",
    startDate: "2030-01-01",
    budget: 50,
  };
  const campaignId = (await sp.campaigns.create([campaign])).ids[0]!;
  const adGroup = { campaignId, name: "Bench", state: "ENABLED", defaultBid: 0.5 };
  const adGroupId = (await sp.adGroups.create([adGroup])).ids[0]!;
  const created = await sp.keywords.create([...Array(KEYWORDS).keys()].map((number) => ({
    campaignId,
    adGroupId,
    keywordText: `word ${number}`,
    matchType: "EXACT",
    state: "ENABLED",
    bid: 0.4,
  })));
  created.raiseForErrors();
  return created.ids;
}

async function startEmulator(): Promise<AsyncDisposable & { platform: Platform; credentials: Credentials }> {
  const script = new URL("support/emulator_process.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", script],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  let line = "";
  while (!line.endsWith("\n")) line += new TextDecoder().decode((await reader.read()).value);
  return {
    ...JSON.parse(line),
    [Symbol.asyncDispose]: async () => {
      await child.stdin.close();
      await reader.cancel();
      await child.status;
    },
  };
}
