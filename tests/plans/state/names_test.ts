import { deepEqual, equal } from "../../support/assert.ts";
import type { Change, EntityFields } from "../../../src/plans/model/change.ts";
import { type Looked, Unread } from "../../../src/plans/model/prior_state.ts";
import { asNamed, namesNow } from "../../../src/plans/state/names.ts";

const ACCOUNT: Record<string, EntityFields> = {
  "sp.keywords 90": { keywordId: "90", campaignId: "1", adGroupId: "21", keywordText: "red" },
  "sb.ads 91": { adId: "91", adGroupId: "31", name: "Ad" },
  "sp.campaigns 1": { campaignId: "1", name: "Spring" },
  "sp.campaigns 2": { campaignId: "2" },
  "sb.campaigns 3": { campaignId: "3", name: "Brand" },
  "sp.ad_groups 21": { adGroupId: "21", campaignId: "1", name: "Shoes" },
  "sb.ad_groups 31": { adGroupId: "31", campaignId: "3", name: "Videos" },
};

const account = { entity: (kind: string, id: string | null): Looked => ACCOUNT[`${kind} ${id}`] };
const client = {
  resource: () => ({ labelOf: ({ keywordText, name }: EntityFields) => String(keywordText ?? name ?? "") }),
};

function change(more: Partial<Change>): Change {
  return { kind: "sp.keywords", op: "update", id: "90", before: {}, after: {}, label: "red", ...more };
}

Deno.test("campaigns get their names, and ad groups those of new entities and of what names no campaign", () => {
  const { names } = namesNow(
    [
      change({}),
      change({ kind: "sb.ads", id: "91" }),
      change({ op: "create", id: null, after: { adGroupId: "21", campaignId: "2" } }),
      change({ op: "create", id: null, kind: "sp.campaign_negative_keywords", after: { campaignId: "2" } }),
      change({ op: "create", id: null, after: { adGroupId: { ref: "g" } } }),
      change({ kind: "sp.campaigns", id: "1" }),
      change({ kind: "portfolios", id: "7" }),
    ],
    account,
    client,
  );
  deepEqual(names, {
    campaigns: { "1": "Spring", "2": "", "3": "Brand" },
    ad_groups: { "21": "Shoes", "31": "Videos" },
  });
});

Deno.test("labels and campaigns that a plan has otherwise than the account are corrected", () => {
  const { corrected } = namesNow(
    [
      change({ campaignId: "1" }),
      change({ label: "ZZ Sandbox", campaignId: "9" }),
      change({ op: "create", id: null, after: { keywordText: "blue", adGroupId: "21" }, label: "free" }),
      change({ kind: "call", op: "call", id: null, after: { operation: "a:b" }, label: "harmless" }),
      change({ id: "404", label: "gone", campaignId: "9" }),
    ],
    account,
    client,
  );
  deepEqual([...corrected], [
    [1, { label: "red", campaignId: "1" }],
    [2, { label: "blue", campaignId: "1" }],
    [3, { label: "a:b" }],
  ]);
});

Deno.test("an ad group is named for what is new in it alone, and a campaign also where only the plan says it", () => {
  deepEqual(namesNow([change({})], account, client).names, { campaigns: { "1": "Spring" }, ad_groups: {} });
  deepEqual(namesNow([change({ id: "404", campaignId: "1" })], account, client).names.campaigns, {
    "1": "Spring",
  });
});

Deno.test("the campaign that a plan names stays where the account says none", () => {
  const portfolio = change({ kind: "portfolios", id: "7", label: "Seven", campaignId: "1" });
  const there = { entity: (kind: string): Looked => kind === "portfolios" ? { name: "Seven" } : undefined };
  equal(namesNow([portfolio], there, client).corrected.size, 0);
});

Deno.test("changes are called as the account calls them, and are the plan's own where nothing differs", () => {
  const honest = [change({ campaignId: "1" })];
  equal(asNamed(honest, account, client), honest);
  const forged = [...honest, change({ label: "ZZ Sandbox", campaignId: "9" })];
  deepEqual(asNamed(forged, account, client), [...honest, ...honest]);
});

Deno.test("what could not be read has no name, and its change keeps its label", () => {
  const unread = { entity: () => new Unread("down") };
  const { names, corrected } = namesNow([change({ campaignId: "1" })], unread, client);
  deepEqual([names, corrected.size], [{ campaigns: {}, ad_groups: {} }, 0]);
  equal(namesNow([], unread, client).corrected.size, 0);
});
