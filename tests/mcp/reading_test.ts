import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { WithoutOptionalIds } from "../support/optional_ids.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";

Deno.test("reading tools", async (t) => {
  await using world = await World.start();
  const context = world.context({ saveFolder: `${world.folder}/saved` });
  await using agent = await Agent.connect(context);

  await t.step("list_profiles names every profile with its market", async () => {
    const { data, text } = await agent.call("list_profiles");
    equal(data.total, 8);
    deepEqual(data.rows[0], {
      profile_id: data.rows[0].profile_id,
      country: "US",
      region: "NA",
      currency: "USD",
      timezone: "America/Los_Angeles",
      account_type: "seller",
      account_name: "Fernpfad Outdoor",
    });
    match(text, /^1 to 8 of 8 profiles\n\nprofile_id \| country/);
  });

  await t.step("list_profiles of a rehearsal says that it is one", async () => {
    await using rehearsing = await Agent.connect(world.context({ rehearsal: `${world.folder}/copy.json` }));
    const { text } = await rehearsing.call("list_profiles");
    match(text, /REHEARSAL: a copy of an account; nothing reaches the account itself/);
    ok(!/REHEARSAL/.test((await agent.call("list_profiles")).text));
  });

  await t.step("list_entities finds what is in campaigns by their name", async () => {
    const args = { market: "US", entity: "sp_keywords" };
    const [{ campaignId }] = (await agent.call("list_entities", { ...args, limit: 1 })).data.rows;
    const campaigns = { market: "US", entity: "sp_campaigns", ids: [campaignId] };
    const [{ name }] = (await agent.call("list_entities", campaigns)).data.rows;
    const ids = ({ data }: { data: { rows: { keywordId: string }[] } }) =>
      data.rows.map(({ keywordId }) => keywordId);
    const byName = await agent.call("list_entities", { ...args, campaign_name: name });
    deepEqual(ids(byName), ids(await agent.call("list_entities", { ...args, campaign_ids: [campaignId] })));
    ok(byName.data.total > 0);
    const beginning = await agent.call("list_entities", { ...args, campaign_name: `${name.slice(0, 4)}*` });
    ok(beginning.data.total > byName.data.total);
    const missing = await agent.call("list_entities", { ...args, campaign_name: "Nowhere" });
    match(missing.text, /Cannot find a campaign "Nowhere"/);
  });

  await t.step("list_entities cuts the answer, says so, and names two ways to the rest", async () => {
    const first = await agent.call("list_entities", { market: "US", entity: "sp_keywords" });
    equal(first.data.rows.length, 50);
    ok(first.data.total > 500);
    equal(first.data.next_offset, 50);
    const whole = JSON.parse(await agent.read(first.data.result_uri));
    equal(whole.length, first.data.total);

    const next = await agent.call("list_entities", {
      market: "US",
      entity: "keywords",
      offset: 50,
      limit: 200,
    });
    equal(next.data.rows.length, 200);
    deepEqual(next.data.rows[0], whole[50]);
    match(next.text, /^51 to 250 of \d+ keywords\. More: offset 250, or resource platform-ads:\/\/results\//);
  });

  await t.step(
    "list_entities counts and shows entities without an id, which a plan cannot name",
    async () => {
      const platform = new WithoutOptionalIds();
      await using lacking = await Agent.connect(world.context({}, { fetch: platform.fetch }));
      const args = { market: "US", entity: "sb_ads", limit: 200 };
      const [whole, { data, text }] = [
        await agent.call("list_entities", args),
        await lacking.call("list_entities", args),
      ];
      equal(data.total, whole.data.total);
      deepEqual(data.rows.filter((row: object) => !("adId" in row)).length, 1);
      ok(!text.includes("undefined"));
      const { isError } = await lacking.call("plan_update", {
        market: "US",
        entity: "sb_ads",
        items: [{ adId: "undefined", state: "PAUSED" }],
      });
      ok(isError);
    },
  );

  await t.step("an answer that holds everything keeps no resource", async () => {
    const { data } = await agent.call("list_entities", { market: "US", entity: "portfolios", limit: 200 });
    equal(data.rows.length, data.total);
    equal(data.next_offset, undefined);
  });

  await t.step("list_entities keeps only the fields that are asked for", async () => {
    const args = { market: "US", entity: "sp-campaigns", fields: ["campaignId", "state"], limit: 2 };
    const { data, text } = await agent.call("list_entities", args);
    deepEqual(Object.keys(data.rows[0]), ["campaignId", "state"]);
    match(text, /\n\ncampaignId \| state\n/);
    const misspelt = await agent.call("list_entities", { ...args, fields: ["campaignId", "budgets"] });
    match(misspelt.data.notes.join(), /^No row has budgets\. They have campaignId, .*\bbudget\b/);
    const blank = await agent.call("list_entities", { ...args, fields: ["budgets"] });
    equal(blank.isError, true, "no blank rows");
    match(blank.text, /Cannot show budgets: the campaigns have campaignId, .*\bbudget\b/);
  });

  await t.step("states narrow a list, and ALL widens it", async () => {
    const count = async (states?: string[]): Promise<number> =>
      (await agent.call("list_entities", { market: "US", entity: "sp_campaigns", limit: 1, states })).data
        .total;
    equal(await count(["ENABLED"]) + await count(["PAUSED"]), await count());
    ok(await count(["all"]) > await count());
  });

  await t.step("save_result writes every row into the allowed folder and never over a file", async () => {
    const { data } = await agent.call("list_entities", { market: "US", entity: "sp_keywords", limit: 1 });
    const { result_uri } = data;
    const saved = await agent.call("save_result", { result_uri, file: "keywords.jsonl" });
    deepEqual(saved.data, { saved_to: `${world.folder}/saved/keywords.jsonl`, rows: data.total });
    const lines = (await Deno.readTextFile(saved.data.saved_to)).trimEnd().split("\n");
    equal(lines.length, data.total);
    deepEqual(JSON.parse(lines[0]!), data.rows[0]);
    const again = await agent.call("save_result", { result_uri, file: "keywords.jsonl" });
    equal(again.isError, true);
    match(again.text, /exists already/);

    const array = await agent.call("save_result", { result_uri, file: "keywords.json" });
    equal(JSON.parse(await Deno.readTextFile(array.data.saved_to)).length, data.total);
    const small = await agent.call("list_entities", { market: "US", entity: "portfolios" });
    ok(small.data.result_uri, "a small answer can be saved too");
    const gone = await agent.call("save_result", { result_uri: "platform-ads://results/x", file: "x.json" });
    match(gone.text, /it has expired/);
  });

  await t.step("search_operations goes on where it was cut", async () => {
    const all = await agent.call("search_operations", { text: "keyword", limit: 6 });
    const rest = await agent.call("search_operations", { text: "keyword", limit: 3, offset: 3 });
    deepEqual(rest.data.rows, all.data.rows.slice(3));
    const { data } = await agent.call("list_profiles", { limit: 3, offset: 6 });
    deepEqual([data.rows.length, data.total, data.next_offset], [2, 8, undefined]);
  });

  await t.step("an answer has room for so much, and says what is left out", async () => {
    const wide = JSON.stringify({ name: "x".repeat(19_000) });
    const items = Array.from({ length: 60 }, () => JSON.parse(wide));
    const planned = await agent.call("plan_create", { market: "US", entity: "portfolios", items });
    ok(JSON.stringify(planned.data).length < 120_000);
    equal(planned.data.total_changes, 60);
    match(planned.data.changes[0].after, /^x{400}… \(19000 characters\)$/);
    match(planned.text, /Long values are cut; whole in platform-ads:\/\/plans\//);
    ok((await agent.read(planned.data.plan_uri)).includes("x".repeat(19_000)));
    const plans = await agent.call("list_plans", { limit: 200 });
    ok(JSON.stringify(plans.data).length < 120_000);
  });

  await t.step("search_operations says what reads, what is documented and what cannot be sent", async () => {
    const { data } = await agent.call("search_operations", { text: "invoices", limit: 5 });
    const invoices = data.rows.find((row: { id: string }) =>
      row.id === "advertising-billing:getAdvertiserInvoices"
    );
    equal(invoices.read_only, true);
    match(invoices.note, /406/);
    const tools = await agent.call("search_operations", {
      text: "campaign",
      include_unsupported: true,
      limit: 100,
    });
    ok(tools.data.rows.some((row: { unsupported?: string }) => row.unsupported !== undefined));
  });

  await t.step(
    "call_operation returns the platform's answer, and what is too long as a resource",
    async () => {
      const args = { market: "US", operation: "sponsored-products:ListSponsoredProductsKeywords" };
      const { data } = await agent.call("call_operation", { ...args, body: { maxResults: 500 } });
      equal(data.result.keywords.length, 50);
      match(data.shortened, /^Lists are cut at 50 entries; 450 entries are left out$/);
      equal(JSON.parse(await agent.read(data.result_uri)).keywords.length, 500);
      const short = await agent.call("call_operation", {
        ...args,
        body: { maxResults: 500 },
        fields: ["keywordId", "bid"],
        limit: 3,
      });
      deepEqual(short.data.result.keywords.length, 3);
      deepEqual(Object.keys(short.data.result.keywords[0]), ["keywordId", "bid"]);
      ok(short.text.length < 500, `${short.text.length} characters`);
    },
  );

  await t.step(
    "call_operation says where a call differs from what is published, and refuses it when strict",
    async () => {
      const operation = "sponsored-products:ListSponsoredProductsKeywords";
      const args = { market: "US", operation, body: { maxResult: 5 } };
      const finding = /maxResult: unknown field\. Did you mean "maxResults"\?/;
      const strict = await agent.call("call_operation", { ...args, check: "strict" });
      equal(strict.isError, true);
      match(strict.text, finding);
      const refused = await agent.call("call_operation", args);
      equal(refused.isError, true);
      match(refused.text, /It may be this:/);
      match(refused.text, finding);
      const odd = { market: "US", operation: "sponsored-display:listCampaigns", query: { cuont: 5 } };
      match((await agent.call("call_operation", odd)).text, /501|cuont/);
    },
  );

  await t.step("no answer and no line of the log holds a secret", async () => {
    const { clientSecret, refreshToken } = world.emulator.credentials;
    const { text } = await agent.call("list_entities", {
      market: "US",
      entity: "sp_campaigns",
      name: clientSecret,
    });
    ok(!text.includes(clientSecret));
    const named = await agent.call("list_entities", { market: "US", entity: `x ${clientSecret}` });
    match(named.text, /^Cannot find a kind of entity called "x \[redacted\]"/);
    const args = { market: "US", entity: "portfolios", items: [{ name: `x ${clientSecret}` }] };
    const planned = JSON.stringify(await agent.call("plan_create", args));
    ok(planned.includes("x [redacted]") && !planned.includes(clientSecret));
    const wrong = await agent.call("list_entities", { market: `US ${refreshToken}`, entity: "sp_campaigns" });
    match(wrong.text, /\[redacted\]/);
    ok(!JSON.stringify([wrong, ...world.log]).includes(refreshToken));
  });
});

Deno.test("bad questions are answered with what to do", async (t) => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const market = "US";
  const keywords = { market, entity: "sp_keywords" };
  const cases: [string, string, Record<string, unknown>, RegExp][] = [
    [
      "an unknown entity",
      "list_entities",
      { market, entity: "adverts" },
      /Expected one of campaigns, global-campaigns/,
    ],
    ["an unknown market", "list_profiles", { market }, /"market" is not an argument/],
    ["a market without a profile", "list_entities", { ...keywords, market: "FR" }, /There is:\n {2}US {2}/],
    [
      "a market with two profiles",
      "list_entities",
      { ...keywords, market: "DE" },
      /2 match\. Give the profile id/,
    ],
    [
      "a number for a market",
      "list_entities",
      { ...keywords, market: 3 },
      /market is not text/,
    ],
    ["too long an answer", "list_entities", { ...keywords, limit: 201 }, /limit takes at most 200/],
    [
      "a misspelt argument",
      "list_entities",
      { ...keywords, campaign_id: ["1"] },
      /"campaign_id" is not an argument \(did you mean "campaign_ids"\?\)/,
    ],
    ["a filter the kind lacks", "list_entities", { ...keywords, name: "x" }, /does not have that filter/],
    [
      "a field that no row has",
      "list_entities",
      { ...keywords, fields: ["bids"] },
      /Cannot show bids: the keywords have keywordId/,
    ],
    ["a change without an id", "plan_update", { ...keywords, items: [{ bid: 1 }] }, /has no "keywordId"/],
    [
      "a bid that is none",
      "plan_update",
      { ...keywords, items: [{ keywordId: "1", bid: "x" }] },
      /is not a number/,
    ],
    ["no changes", "plan_update", { ...keywords, items: [] }, /items needs at least 1/],
    [
      "ten thousand changes",
      "plan_update",
      { ...keywords, items: Array.from({ length: 10_000 }, (_, at) => ({ keywordId: String(at), bid: 1 })) },
      /items: a plan takes at most 1000 items\. Make several plans/,
    ],
    [
      "a huge tree of arguments",
      "plan_create",
      { ...keywords, items: Array.from({ length: 900 }, () => ({ a: Array.from({ length: 90 }, () => 1) })) },
      /more than 50000 elements/,
    ],
    [
      "a text as long as a book",
      "call_operation",
      { market, operation: "x".repeat(2_000_000) },
      /Cannot take a text of 2000000 characters: 20000 is the maximum/,
    ],
    [
      "arguments as deep as a well",
      "call_operation",
      { market, operation: "x", body: JSON.parse("[".repeat(2000) + "]".repeat(2000)) },
      /nested more than 64 levels deep/,
    ],
    [
      "a long name that is none",
      "list_entities",
      { market, entity: "x".repeat(19_000) },
      /^Cannot find a kind of entity called "x{1000,}… \d+ characters …x+"\. Expected one of campaigns/,
    ],
    [
      "an unknown operation",
      "call_operation",
      { market, operation: "ListKeywordz" },
      /nearest|Did you mean|There is no/i,
    ],
  ];
  for (const [what, tool, args, expected] of cases) {
    await t.step(what, async () => {
      const { isError, text } = await agent.call(tool, args);
      equal(isError, true);
      match(text, expected);
      ok(text.length < 5000);
    });
  }
  await t.step("an unknown tool", async () => {
    const failure = await agent.call("delete_everything").catch((error: Error) => error);
    match(String(failure), /Cannot call "delete_everything": there is no such tool/);
  });
  await t.step("nothing was written", () => deepEqual(world.writes(), []));
});
