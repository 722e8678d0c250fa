import { deepEqual, equal, rejects, throws } from "../support/assert.ts";
import { SponsoredProducts } from "../../mod.ts";
import {
  checkIds,
  prepareCreates,
  prepareUpdates,
  stateOnWire,
} from "../../src/client/entities/model/check_items.ts";
import type { ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";
import { portfolios } from "../../src/client/entities/kinds/portfolios_spec.ts";
import {
  sbAds,
  sbCampaigns,
  sbKeywords,
  sbNegativeKeywords,
} from "../../src/client/entities/kinds/sb_kinds.ts";
import { spCampaigns, spKeywords } from "../../src/client/entities/kinds/sp_kinds.ts";
import { fakeScope } from "../support/fake_scope.ts";

Deno.test("an update carries the id and what can be updated, nothing else", () => {
  const [update] = prepareUpdates(spKeywords, [
    {
      keyword_id: "9",
      bid: 0.5,
      keywordText: "fixed",
      matchType: "EXACT",
      campaignId: "1",
      servingStatus: "x",
    },
  ]);
  deepEqual(update, { keywordId: "9", bid: 0.5 });
});

Deno.test("an update of a Brands keyword keeps the parents it is given", () => {
  const [update] = prepareUpdates(sbKeywords, [{
    keywordId: 9,
    campaignId: "1",
    adGroupId: 2n,
    state: "PAUSED",
  }]);
  deepEqual(update, { keywordId: "9", campaignId: "1", adGroupId: "2", state: "paused" });
});

Deno.test("what was read may be handed back as an update", () => {
  const bidding = {
    bidOptimization: false,
    bidAdjustmentsByPlacement: [{ placement: "HOME", percentage: 0 }],
  };
  const [update] = prepareUpdates(sbCampaigns, [
    {
      campaignId: "1",
      name: "n",
      state: "ENABLED",
      budget: 5,
      budgetType: "DAILY",
      goal: "PAGE_VISIT",
      bidding,
    },
  ]);
  deepEqual(update, { campaignId: "1", name: "n", state: "ENABLED", budget: 5, bidding });
});

const REFUSED_UPDATES: [string, ResourceSpec, unknown, RegExp][] = [
  ["without an id", spKeywords, { bid: 1 }, /Cannot update item 0: it has no "keywordId"/],
  [
    "without a change",
    spKeywords,
    { keywordId: "9" },
    /none of its fields can be changed. Updatable are state, bid/,
  ],
  ["with nothing but fixed fields", spKeywords, { keywordId: "9", matchType: "EXACT" }, /none of its fields/],
  ["with a bid that is text", spKeywords, { keywordId: "9", bid: "1e1" }, /its bid "1e1" is not a number/],
  ["with a bid that is no number", spKeywords, { keywordId: "9", bid: NaN }, /is not a number/],
  ["to archive", spKeywords, { keywordId: "9", state: "ARCHIVED" }, /has a method of its own: delete/],
  ["to a state that is none", spKeywords, { keywordId: "9", state: "asleep" }, /it can be ENABLED or PAUSED/],
  ["with an id that lost digits", spKeywords, { keywordId: 2 ** 60, bid: 1 }, /lost its last digits/],
  ["with an id that is a path", spKeywords, { keywordId: "../9", bid: 1 }, /it is not a keywordId/],
  ["of a Brands keyword by text", sbKeywords, { keywordId: "A9", bid: 1 }, /Cannot use "A9" as a keywordId/],
  ["that is no object", spKeywords, "9", /is not an object/],
  [
    "with a budget that is no number",
    spCampaigns,
    { campaignId: "1", budget: "twenty" },
    /Cannot use "twenty" as a budget/,
  ],
  [
    "with a Brands budget that is an object",
    sbCampaigns,
    { campaignId: "1", budget: { budget: 5 } },
    /not a number/,
  ],
];
for (const [what, spec, item, message] of REFUSED_UPDATES) {
  Deno.test(`an update ${what} is refused before anything is sent`, () => {
    throws(() => prepareUpdates(spec, [item]), message);
  });
}

const TEXT_AMOUNTS: [string, ResourceSpec, Record<string, unknown>, unknown][] = [
  ["bid", spKeywords, { keywordId: "9", bid: "0.50" }, 0.5],
  ["bid", sbKeywords, { keywordId: "9", adGroupId: "2", campaignId: "1", bid: " 9 " }, 9],
  ["budget", spCampaigns, { campaignId: "1", budget: "20" }, { budget: 20, budgetType: "DAILY" }],
  ["budget", spCampaigns, { campaignId: "1", budget: { budget: "20", budgetType: "DAILY" } }, {
    budget: 20,
    budgetType: "DAILY",
  }],
  ["budget", sbCampaigns, { campaignId: "1", budget: "20" }, 20],
  ["budget", portfolios, { portfolioId: "1", budget: { amount: "20", policy: "NO_CAP" } }, {
    amount: 20,
    policy: "NO_CAP",
  }],
];
for (const [field, spec, item, sent] of TEXT_AMOUNTS) {
  Deno.test(`the amount ${JSON.stringify(item[field])} of ${spec.noun} is sent as a number`, () => {
    const written = structuredClone(item);
    deepEqual(prepareUpdates(spec, [item])[0]![field], sent);
    deepEqual(item, written, "what the caller holds stays as it is");
  });
}

Deno.test("a new item's state is written as the wire wants it", () => {
  deepEqual(prepareCreates(spKeywords, [{ keywordText: "a", state: "paused" }])[0]!["state"], "PAUSED");
});

Deno.test("a new Brands keyword is sent without its state, and in no other than enabled", () => {
  const item = { campaignId: "1", adGroupId: "2", keywordText: "a", matchType: "EXACT", bid: 1 };
  deepEqual(prepareCreates(sbKeywords, [{ ...item, state: "ENABLED" }]), [{ ...item, matchType: "exact" }]);
  throws(
    () => prepareCreates(sbKeywords, [item, { ...item, state: "paused" }]),
    /Cannot create item 1 in state "paused": the platform enables every new Brands keyword/,
  );
});

const MATCH_TYPES: [unknown, string][] = [
  ["NEGATIVE_EXACT", "negativeExact"],
  ["negative_phrase", "negativePhrase"],
  ["negativeExact", "negativeExact"],
  ["phrase", "negativePhrase"],
];
for (const [given, expected] of MATCH_TYPES) {
  Deno.test(`the match type ${given} of a Brands negative keyword is sent as ${expected}`, () => {
    deepEqual(prepareCreates(sbNegativeKeywords, [{ matchType: given }])[0]!["matchType"], expected);
  });
}

Deno.test("new Brands ads of a format that there is not are refused", () => {
  throws(
    () => prepareCreates(sbAds, [{ ad_format: "../../x" }]),
    /Cannot create an ad of format "..\/..\/x"/,
  );
});

Deno.test("ids are checked and asked for once each", () => {
  deepEqual(checkIds(spKeywords, ["1", "1", "2"]), ["1", "2"]);
  for (const id of ["", "a b", "1/2", null, 5, { id: 1 }]) {
    throws(() => checkIds(spKeywords, [id as string]), /it is not a keywordId/);
  }
  throws(() => checkIds(sbKeywords, ["A1"]), /it is not a keywordId/);
});

Deno.test("states are accepted in either case and written as the wire has them", () => {
  deepEqual([stateOnWire(spKeywords, "paused"), stateOnWire(sbKeywords, "PAUSED")], ["PAUSED", "paused"]);
  throws(
    () => stateOnWire(sbNegativeKeywords, "PAUSED"),
    /Brands negative keyword to "PAUSED": it can be ENABLED/,
  );
});

Deno.test("a text is no list of ids, and one item no list of items", async () => {
  const scope = fakeScope(() => ({}));
  const { keywords } = new SponsoredProducts(scope);
  const text = "12" as unknown as string[];
  const item = { keywordId: "1", bid: 1 } as unknown as { keywordId: string }[];
  for (
    const work of [
      () => keywords.delete(text),
      () => keywords.pause(text),
      () => keywords.getMany(text),
      () => keywords.planArchive(text),
      () => keywords.update(item),
      () => keywords.planUpdate(item),
      () => keywords.create(item as never),
      () => keywords.planCreate(item as never),
    ]
  ) {
    await rejects(work, /^TypeError: Cannot use .* as (ids|items to \w+): it is not a list$/);
  }
  equal(scope.requests.length, 0);
});
