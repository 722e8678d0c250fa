import { equal, ok } from "../support/assert.ts";
import { visited } from "../support/visited.ts";
import { ChangePlan, PlatformAds } from "../../mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const LOGIN = { clientId: "id", clientSecret: "secret", refreshToken: "token" };

/** A client of an account with every keyword that it is asked for; `asked` counts its requests. */
function account(): { ads: PlatformAds; asked: Map<string, number> } {
  const asked = new Map<string, number>();
  const fetch = async (url: string, { body }: { body?: string } = {}): Promise<Response> => {
    const { pathname } = new URL(url);
    if (pathname === "/token") return Response.json({ access_token: "access", expires_in: 3600 });
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1);
    const filters = JSON.parse(body ?? "{}");
    const ids: string[] =
      await (filters.keywordIdFilter ?? filters.campaignIdFilter ?? filters.adGroupIdFilter)
        ?.include ?? [];
    switch (pathname) {
      case "/sp/keywords/list":
        return Response.json({
          keywords: ids.map((keywordId) => ({
            keywordId,
            campaignId: "7",
            adGroupId: "8",
            state: "ENABLED",
            keywordText: `shoes ${keywordId}`,
            matchType: "EXACT",
            bid: 0.5,
          })),
          totalResults: ids.length,
        });
      case "/sp/campaigns/list":
        return Response.json({ campaigns: [{ campaignId: "7", state: "ENABLED", budget: { budget: 9 } }] });
      default:
        return Response.json({ adGroups: [{ adGroupId: "8", campaignId: "7", state: "ENABLED" }] });
    }
  };
  const ads = new PlatformAds(LOGIN, {
    platform: {
      regions: { NA: { baseUrl: "http://127.0.0.1:1" } },
      tokenUrl: "http://127.0.0.1:1/token",
      headers: { clientId: "Client-Id", scope: "Scope", requestId: "x-request-id" },
      wireWord: "platform",
    },
    fetch: fetch as typeof globalThis.fetch,
  });
  return { ads, asked };
}

function planOf(ads: PlatformAds, count: number): Promise<ChangePlan> {
  const items = Array.from(
    { length: count },
    (_, at) => ({ keywordId: String(1e9 + at), bid: 0.6 + at % 5 / 10 }),
  );
  return ads.profileFrom("1", "US").sp.keywords.planUpdate(items);
}

Deno.test("a large plan reads each entity once, and what its entities are in once for all of them", async () => {
  const { ads, asked } = account();
  const plan = await planOf(ads, 5000);
  equal(plan.changes.length, 5000);
  equal(asked.get("/sp/adGroups/list"), 1);
  equal(asked.get("/sp/campaigns/list"), 1);
  // Those of the plan, and one for the scale of the account.
  equal(asked.get("/sp/keywords/list"), 5 + 1);
});

Deno.test("the work of making, saving and reading a plan grows with its changes", async () => {
  const folder = await temporaryFolder();
  try {
    const work = (count: number): Promise<number> =>
      visited(async () => {
        const { ads } = account();
        const plan = await planOf(ads, count);
        const path = await plan.save(`${folder.path}/${count}.json`);
        equal((await ChangePlan.load(path)).fingerprint, plan.fingerprint);
      });
    await work(1000);
    const [few, many] = [await work(1000), await work(5000)];
    ok(few > 1000 && many < 5 * 2 * few, `${few} for 1,000 changes, ${many} for 5,000`);
  } finally {
    await folder.remove();
  }
});
