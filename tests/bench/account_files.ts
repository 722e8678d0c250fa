import type { ProfileClient } from "../../mod.ts";
import { PlatformAds } from "../../mod.ts";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import { Resource } from "../../src/client/entities/resource/resource.ts";
import { AccountFiles, diffAccount, pullAccount } from "../../src/account/mod.ts";
import { type BenchLine, benchLine, milliseconds } from "./bench.ts";

const CAMPAIGNS = 500;
const AD_GROUPS = 4;
const KEYWORDS = 48;

/**
 * An account of 100,500 entities written as files, and compared with its files: as they were pulled, and with a line of
 * every file edited, so that every file has to be read. The account itself comes out of memory: what is measured stands
 * beside the reading.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = await Deno.makeTempDir({ prefix: "platform-ads-bench-" });
  try {
    const profile = profileOf(entities());
    const pull = await milliseconds(async () => void await (await pullAccount(profile)).save(folder));
    const same = await milliseconds(async () => {
      const diff = await diffAccount(profile, await AccountFiles.load(folder));
      if (!diff.isEmpty) throw new Error(`Cannot measure: ${diff.summary()}`);
    });
    for await (const { name } of Deno.readDir(`${folder}/sp`)) {
      const text = await Deno.readTextFile(`${folder}/sp/${name}`);
      await Deno.writeTextFile(`${folder}/sp/${name}`, text.replace(", bid: 0.5 }", ", bid: 0.55 }"));
    }
    const edited = await milliseconds(async () => {
      const diff = await diffAccount(profile, await AccountFiles.load(folder));
      if (diff.updates.length !== CAMPAIGNS) throw new Error(`Cannot measure: ${diff.summary()}`);
    });
    const { rss } = Deno.memoryUsage();
    return [
      benchLine("pull 100,500 entities, beside the reading", pull, { unit: "ms" }),
      benchLine("diff 100,500 entities, files as pulled", same, { unit: "ms" }),
      benchLine("diff 100,500 entities, every file edited", edited, { unit: "ms" }),
      benchLine("memory of pull and diff, account included", Math.round(rss / 1e6), { unit: "MB" }),
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A profile whose lists come out of memory. */
function profileOf(lists: ReadonlyMap<string, Record<string, unknown>[]>): ProfileClient {
  const ads = new PlatformAds({ clientId: "i", clientSecret: "s", refreshToken: "r" }, {
    platform: {
      regions: { NA: { baseUrl: "http://127.0.0.1:1" } },
      tokenUrl: "http://127.0.0.1:1",
      headers: { clientId: "Client-Id", scope: "Scope", requestId: "x-request-id" },
      wireWord: "platform",
    },
  });
  const profile = ads.profileFrom("1", "CA");
  class Listed extends Resource {
    override list(): Promise<Record<string, unknown>[]> {
      return Promise.resolve(lists.get(this.kind) ?? []);
    }
    override async *iter(): AsyncGenerator<Record<string, unknown>> {
      yield* await this.list();
    }
  }
  const resource = (kind: string): Resource => {
    const spec = Object.values(KINDS).find((one) => one.kind === kind);
    if (spec === undefined) throw new Error(`Cannot find ${kind}`);
    return new Listed(profile, spec);
  };
  return Object.defineProperty(Object.assign(Object.create(profile), { resource }), "sd", {
    value: { campaigns: resource("sd.campaigns") },
  });
}

function entities(): Map<string, Record<string, unknown>[]> {
  const lists = new Map<string, Record<string, unknown>[]>([["sp.campaigns", []], ["sp.ad_groups", []], [
    "sp.keywords",
    [],
  ], ["sp.product_ads", []]]);
  let next = 9_223_372_036_854_000_000n;
  const id = (): string => String(next++);
  for (let c = 0; c < CAMPAIGNS; c++) {
    const campaignId = id();
    lists.get("sp.campaigns")!.push({
      campaignId,
      name: `SP | Campaign ${c} | Exact`,
      state: "ENABLED",
      targetingType: "MANUAL",
      budget: { budget: 20, budgetType: "DAILY" },
      dynamicBidding: { strategy: "LEGACY_FOR_SALES", placementBidding: [] },
      startDate: "2026-01-01",
    });
    for (let g = 0; g < AD_GROUPS; g++) {
      const adGroupId = id();
      const inside = { campaignId, adGroupId, state: "ENABLED" };
      lists.get("sp.ad_groups")!.push({ ...inside, name: `Group ${g}`, defaultBid: 0.4 });
      lists.get("sp.product_ads")!.push({
        ...inside,
        adId: id(),
        asin: `B0${String(c * AD_GROUPS + g).padStart(8, "0")}`,
        sku: `S-${c}-${g}`,
      });
      for (let k = 0; k < KEYWORDS; k++) {
        lists.get("sp.keywords")!.push({
          ...inside,
          keywordId: id(),
          keywordText: `running shoes ${c} ${g} ${k}`,
          matchType: "EXACT",
          bid: 0.5,
        });
      }
    }
  }
  return lists;
}
