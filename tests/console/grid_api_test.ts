import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { SECRET_HEADER } from "../../src/interfaces/console/http/guard.ts";
import {
  consoleOn,
  type ConsoleWorld,
  consoleWorld,
  type SignedIn,
  signIn,
} from "./support/console_world.ts";
import { PlatformAds } from "../../mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { fillStore } from "./support/fill_store.ts";

/** The events about drafts that an open page gets. */
async function openEvents({ console }: ConsoleWorld, { cookie, secret }: SignedIn) {
  const response = await fetch(`${console.url}/api/events`, { headers: { cookie, [SECRET_HEADER]: secret } });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    // deno-lint-ignore no-explicit-any -- whatever the event holds
    next: async (wanted: (data: any) => boolean): Promise<any> => {
      for (;;) {
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /^event: draft\ndata: (.*)$/.exec(block)?.[1];
          if (data !== undefined && wanted(JSON.parse(data))) return JSON.parse(data);
        }
        text += (await reader.read()).value ?? "";
      }
    },
    close: () => reader.cancel(),
  };
}

interface Row {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly bid?: number;
  readonly budget?: number;
  readonly state?: string;
  readonly cost?: number;
  readonly campaign_id?: string;
}

Deno.test("a grid that is edited", async (t) => {
  await using world = await consoleWorld();
  await fillStore(world);
  const page = await signIn(world);
  const base = `/api/profiles/${world.us.profileId}`;
  const table = async (name: string): Promise<Row[]> => (await page.ask(`${base}/grid/${name}`)).data.rows;
  const edit = (row: Row, field: string, value: unknown, seen: unknown) => ({
    kind: row.kind,
    id: row.id,
    field,
    value,
    seen,
    label: row.name,
  });
  const keywords = (await table("keywords")).filter(({ bid }) => bid !== undefined);
  const [one, two, three] = keywords as [Row, Row, Row];
  const [campaign] = (await table("campaigns")).filter(({ kind }) => kind === "sp.campaigns") as [Row];

  await t.step("a list becomes a plan of new keywords, negatives and targets in an ad group", async () => {
    const { data } = await page.ask(`${base}/grid/negatives`);
    const [[adGroup, campaignId]] = Object.entries(data.ad_group_campaigns) as [[string, string]];
    const add = (name: string, lines: unknown, ad_group_id = adGroup) =>
      page.ask(`${base}/grid/${name}/new`, { lines, ad_group_id, note: " From the team " });
    const { data: made } = await add("negatives", [{ text: "free tent", match: "phrase" }, {
      text: "b0abcde123",
    }]);
    const plan = await world.plans.get(made.plan_id);
    equal(plan.note, "From the team");
    const place = { campaignId, adGroupId: adGroup, state: "ENABLED" };
    deepEqual(plan.changes.map(({ kind, op, after }) => [kind, op, after]), [
      ["sp.negative_keywords", "create", {
        ...place,
        keywordText: "free tent",
        matchType: "NEGATIVE_PHRASE",
      }],
      ["sp.negative_targets", "create", {
        ...place,
        expression: [{ type: "ASIN_SAME_AS", value: "B0ABCDE123" }],
      }],
    ]);
    const { data: keywords } = await add("keywords", [{ text: "tarp", bid: 0.4 }, {
      text: "B0ABCDE123",
      bid: 0.5,
    }]);
    deepEqual(
      (await world.plans.get(keywords.plan_id)).changes.map(({ kind, after }) => [kind, after["bid"]]),
      [["sp.keywords", 0.4], ["sp.targets", 0.5]],
    );
    const bad = await add("targets", [{ text: "tent" }, { text: "B0ABCDE123", match: "broad" }, 5]);
    deepEqual([bad.status, bad.data.error.message], [
      400,
      'Cannot add this list: line 1: "tent" is not an ASIN; line 2: "broad" is not exact; line 3: it is not { text, match, bid }',
    ]);
    equal((await add("negatives", [{ text: "x", bid: 1 }])).status, 400);
    equal((await add("keywords", [])).data.error.message, "Cannot add this list: it is empty");
    equal((await add("keywords", [{ text: "x" }], "1")).status, 400);
    equal((await add("ads", [{ text: "x" }])).status, 404);
    for (const { plan_id: id } of [made, keywords]) {
      rmSync(`${world.plans.path}/plan-${id}.json`, { force: true });
    }
  });

  await t.step("a list becomes a plan of new campaigns, with an ad group where a bid is given", async () => {
    const add = (lines: unknown[]) => page.ask(`${base}/grid/campaigns/new`, { lines });
    const [portfolio] = await world.us.portfolios.list();
    const { data: made } = await add([
      { line: 1, name: " Lamps ", budget: 12.5, targeting: "AUTO", portfolio: portfolio?.portfolioId },
      { line: 4, name: "Chairs", budget: 8, bid: 0.4, state: "ENABLED", start: "2031-05-01" },
    ]);
    const plan = await world.plans.get(made.plan_id);
    equal(plan.note, "New campaigns");
    deepEqual(plan.changes.map(({ kind, op, label }) => [kind, op, label]), [
      ["sp.campaigns", "create", "Lamps"],
      ["sp.campaigns", "create", "Chairs"],
      ["sp.ad_groups", "create", "Chairs"],
    ]);
    ok((await world.plans.apply(plan, world.us)).result.ok);
    const now = (await world.us.sp.campaigns.list()).filter(({ name }) => ["Lamps", "Chairs"].includes(name));
    deepEqual(
      now.map(({ name, budget, state, targetingType, portfolioId, startDate }) => [
        ...[name, budget.budget, state, targetingType, portfolioId],
        name === "Chairs" ? startDate : "",
      ]).sort(),
      [
        ["Chairs", 8, "ENABLED", "MANUAL", undefined, "2031-05-01"],
        ["Lamps", 12.5, "PAUSED", "AUTO", portfolio?.portfolioId, ""],
      ],
    );
    const bad = await add([{ line: 3, name: "", budget: 5 }, { name: "A", budget: "5" }, {
      ...{ line: 9, name: "B", budget: 5, targeting: "BOTH" },
    }]);
    deepEqual([bad.status, bad.data.error.message], [
      400,
      "Cannot add this list: line 3: the name is missing; line 2: the budget is not an amount above 0; line 9: the targeting is not AUTO or MANUAL",
    ]);
    await world.us.sp.campaigns.delete(now.map(({ campaignId }) => campaignId));
    rmSync(`${world.plans.path}/.plans`, { recursive: true });
    rmSync(`${world.plans.path}/plan-${plan.id}.json`);
  });

  await t.step("each table has the entities of its kinds, their settings and stored figures", async () => {
    const own = new Map<string, Row[]>();
    const tables = ["campaigns", "ad_groups", "keywords", "targets", "negatives", "ads", "portfolios"];
    for (const name of tables) own.set(name, await table(name));
    deepEqual([...own].filter(([, rows]) => rows.length === 0).map(([name]) => name), []);
    const listed = await world.us.sp.campaigns.list();
    const shown = own.get("campaigns")?.filter(({ kind }) => kind === "sp.campaigns") ?? [];
    deepEqual(
      shown.map(({ id, name, state, budget }) => [id, name, state, budget]),
      listed.map(({ campaignId, name, state, budget }) => [campaignId, name, state, budget.budget]),
    );
    equal(shown.filter(({ cost = 0 }) => cost > 0).length, 6, "figures of the campaigns that are stored");
    const { data } = await page.ask(`${base}/grid/keywords`);
    deepEqual(data.fields["sp.keywords"], { state: "state", bid: "bid" });
    deepEqual(
      data.names.campaigns[one.campaign_id ?? ""],
      listed.find(({ campaignId }) => campaignId === one.campaign_id)?.name,
    );
    equal((await page.ask(`${base}/grid/campaigns`)).data.fields["sp.campaigns"].budget, "budget.budget");
    const unknown = await page.ask(`${base}/grid/orders`);
    deepEqual([unknown.status, unknown.data.error.code], [404, "NO_TABLE"]);
  });

  await t.step(
    "edits are kept on the disk with the values that they replace, and nothing is sent",
    async () => {
      world.asked();
      const first = await page.ask(`${base}/draft`);
      const file = `${world.plans.path}/.plans/plan-${world.us.profileId}.draft.json`;
      deepEqual(first.data, { revision: 0, edits: [], plan_id: null, file });
      const set = [edit(one, "bid", 0.77, one.bid), edit(two, "state", "PAUSED", two.state)];
      const { data } = await page.ask(`${base}/draft`, { revision: 0, set });
      deepEqual([data.revision, data.edits], [1, set]);
      deepEqual(
        (await (await signIn(world)).ask(`${base}/draft`)).data.edits,
        set,
        "another browser reads them",
      );
      ok(!world.asked().some((request) => request.startsWith("PUT")));
      deepEqual(readdirSync(`${world.plans.path}/.plans`), [`plan-${world.us.profileId}.draft.json`]);
      equal((await page.ask("/api/plans")).data.plans.length, 0, "a draft is not listed as a plan");
    },
  );

  await t.step("a page that has not seen the last edits changes nothing, and is told", async () => {
    const late = await page.ask(`${base}/draft`, { revision: 0, set: [edit(three, "bid", 9, three.bid)] });
    deepEqual([late.status, late.data.error.code], [409, "DRAFT_CHANGED"]);
    equal((await page.ask(`${base}/draft`)).data.edits.length, 2);
  });

  await t.step("edits are discarded one by one, all together, or by the value that was there", async () => {
    const two_ = edit(two, "state", "PAUSED", two.state);
    const one_ = edit(one, "bid", 0.77, one.bid);
    const without = await page.ask(`${base}/draft`, { revision: 1, discard: [two_] });
    deepEqual(without.data.edits, [one_]);
    const back = await page.ask(`${base}/draft`, { revision: 2, set: [{ ...one_, value: one.bid }] });
    deepEqual(back.data.edits, []);
    await page.ask(`${base}/draft`, { revision: 3, set: [one_, two_] });
    deepEqual((await page.ask(`${base}/draft`, { revision: 4, discard: "all" })).data.edits, []);
  });

  await t.step("an edit of a field that no update has is refused with its reason", async () => {
    const bad = [edit(one, "keywordText", "shoes", "boots"), { kind: "sp.keywords" }];
    const { status, data } = await page.ask(`${base}/draft`, { revision: 5, set: bad });
    equal(status, 400);
    match(data.error.message, /"keywordText" of sp\.keywords cannot be changed; edit 1 is not/);
  });

  await t.step(
    "the check gives findings at the entities, the spend, and sends and saves nothing",
    async () => {
      const set = [
        edit(one, "bid", 5000, one.bid),
        edit(two, "bid", (two.bid ?? 1) * 4, two.bid),
        edit(three, "state", "asleep", three.state),
        edit(campaign, "budget.budget", (campaign.budget ?? 1) + 1, campaign.budget),
      ];
      await page.ask(`${base}/draft`, { revision: 5, set });
      world.asked();
      const { data } = await page.ask(`${base}/draft/check`, {});
      const at = (row: Row) =>
        data.findings.filter(({ id }: Row) => id === row.id).map(({ level }: { level: string }) => level);
      ok(
        data.findings.some(({ id, refused }: Row & { refused: boolean }) => id === one.id && refused),
        "too high",
      );
      deepEqual(at(two), ["approve"]);
      deepEqual(at(three), ["deny"]);
      match(data.findings.find(({ id }: Row) => id === three.id).message, /ENABLED or PAUSED/);
      equal(data.changes, 3);
      match(data.spend, /USD/);
      deepEqual(data.conflicts, []);
      ok(!world.asked().some((request) => request.startsWith("PUT")));
      equal((await page.ask("/api/plans")).data.plans.length, 0);
    },
  );

  await t.step(
    "what changed in the account meanwhile is shown beside ours, and holds the plan up",
    async () => {
      await page.ask(`${base}/draft`, { revision: 6, discard: "all" });
      await page.ask(`${base}/draft`, {
        revision: 7,
        set: [
          edit(one, "bid", 0.77, one.bid),
          edit(two, "bid", 0.66, two.bid),
          edit(three, "bid", 0.55, three.bid),
        ],
      });
      await world.us.sp.keywords.update([{ keywordId: one.id, bid: 0.31 }, { keywordId: two.id, bid: 0.66 }]);
      const { data } = await page.ask(`${base}/draft/check`, {});
      deepEqual(data.conflicts, [
        {
          kind: "sp.keywords",
          id: one.id,
          field: "bid",
          label: one.name,
          value: 0.77,
          seen: one.bid,
          now: 0.31,
        },
      ]);
      deepEqual(data.done, [{ kind: "sp.keywords", id: two.id, field: "bid" }]);
      const refused = await page.ask(`${base}/draft/review`, { revision: 8 });
      deepEqual([refused.status, refused.data.error.code], [409, "CONFLICT"]);
      // Ours is kept: it replaces the value that is there now.
      await page.ask(`${base}/draft`, { revision: 8, set: [edit(one, "bid", 0.77, 0.31)] });
      deepEqual((await page.ask(`${base}/draft/check`, {})).data.conflicts, []);
    },
  );

  await t.step("the review is a plan of plan update, and the draft names it until it changes", async () => {
    const stale = await page.ask(`${base}/draft/review`, { revision: 8 });
    equal(stale.data.error.code, "DRAFT_CHANGED");
    const { status, data } = await page.ask(`${base}/draft/review`, { revision: 9, note: "Monday" });
    equal(status, 200);
    const plan = await world.plans.get(data.plan_id);
    deepEqual([plan.note, plan.changes.map(({ id, after }) => [id, after])], ["Monday", [
      [one.id, { bid: 0.77 }],
      [three.id, { bid: 0.55 }],
    ]]);
    deepEqual((await page.ask(`${base}/draft`)).data.plan_id, plan.id);
    const after = await page.ask(`${base}/draft`, { revision: data.revision, discard: "all" });
    equal(after.data.plan_id, null);
  });

  await t.step("kinds of several products make one plan", async () => {
    const brands = (await table("campaigns")).find(({ kind }) => kind === "sb.campaigns") as Row;
    const { revision } = (await page.ask(`${base}/draft`)).data;
    const set = [
      edit(brands, "budget", (brands.budget ?? 1) + 1, brands.budget),
      edit(campaign, "budget.budget", (campaign.budget ?? 1) + 1, campaign.budget),
      edit(campaign, "name", `${campaign.name} 2`, campaign.name),
    ];
    await page.ask(`${base}/draft`, { revision, set });
    const { data } = await page.ask(`${base}/draft/review`, { revision: revision + 1 });
    const plan = await world.plans.get(data.plan_id);
    deepEqual(plan.changes.map(({ kind, after }) => [kind, Object.keys(after).sort()]), [
      ["sb.campaigns", ["budget"]],
      ["sp.campaigns", ["budget", "name"]],
    ]);
  });

  await t.step("a damaged draft is named, and not written over", async () => {
    const path = `${world.plans.path}/.plans/plan-${world.us.profileId}.draft.json`;
    writeFileSync(path, '{"version":1,"revision":1,"edits":[{}]}');
    const { status, data } = await page.ask(`${base}/draft`);
    equal(status, 409);
    match(data.error.message, /draft\.json": it is damaged/);
    equal((await page.ask(`${base}/draft`, { revision: 1, discard: "all" })).status, 409);
  });
});

Deno.test("a review while another tab edits gives the plan that it made, and tells the other tab", async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const slow = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    const [run] = [meanwhile];
    meanwhile = undefined;
    await run?.();
    return await fetch(...request);
  };
  await using world = await consoleWorld({ client: { fetch: slow } });
  const page = await signIn(world);
  const base = `/api/profiles/${world.us.profileId}/draft`;
  const [one, two] = (await world.us.sp.keywords.list()).filter(({ bid }) => bid !== undefined);
  if (!one || !two) throw new Error("the demo account is smaller");
  const edit = ({ keywordId: id, keywordText: label, bid: seen }: typeof one, value: number) => ({
    ...{ kind: "sp.keywords", id, field: "bid", value, seen, label },
  });
  await page.ask(base, { revision: 0, set: [edit(one, 0.71)] });
  const events = await openEvents(world, page);
  meanwhile = () => page.ask(base, { revision: 1, set: [edit(two, 0.72)] });
  const { status, data } = await page.ask(`${base}/review`, { revision: 1 });
  deepEqual([status, data.changes, data.revision, data.edited_since], [200, 1, 2, true]);
  deepEqual((await world.plans.get(data.plan_id)).changes.map(({ id }) => id), [one.keywordId]);
  const told = { draft: world.us.profileId, revision: 2, plan_id: data.plan_id, is_whole: false };
  deepEqual(await events.next(({ plan_id }) => plan_id !== undefined), told);
  deepEqual((await page.ask(base)).data.plan_id, null, "the last edit is in no plan");
  const again = await page.ask(`${base}/review`, { revision: 2 });
  deepEqual([again.data.changes, again.data.edited_since], [2, undefined]);
  deepEqual((await events.next(({ plan_id }) => plan_id === again.data.plan_id)).is_whole, true);
  await events.close();
});

Deno.test("a draft made on stored settings is checked against the account once it can be reached", async () => {
  let isCut = false;
  const cut = (...request: Parameters<typeof fetch>): Promise<Response> =>
    isCut ? Promise.reject(new TypeError("connection refused")) : fetch(...request);
  await using world = await consoleWorld({ client: { fetch: cut } });
  const { us, emulator } = world;
  const { profileId, countryCode } = us;
  const base = `/api/profiles/${profileId}`;
  const page = await signIn(world);
  const none = await page.ask(`${base}/grid/keywords?from=store`);
  deepEqual([none.status, none.data.error.code], [404, "NO_STORE"]);
  const store = await Warehouse.open(world.storePlace, { now: world.time.now });
  const keywords = await us.sp.keywords.list({ states: null });
  const [archived, ...others] = keywords.toSorted((a) => a.state === "ARCHIVED" ? -1 : 1);
  await store.replaceEntities({ profileId, countryCode, kind: "sp.keywords" }, [
    { ...archived, state: "ARCHIVED" },
    ...others,
  ]);
  await store.replaceEntities(
    { profileId, countryCode, kind: "sp.campaigns" },
    await us.sp.campaigns.list(),
  );
  await store.close();
  const at = new Date(world.time.now()).toISOString();
  const live = (await page.ask(`${base}/grid/keywords`)).data;

  isCut = true;
  // A console that was started without the platform knows no profiles yet.
  const offline = new PlatformAds(emulator.credentials, {
    ...{ platform: emulator.platform, fetch: cut, now: world.time.now, sleep: world.time.sleep },
  });
  await using alone = await consoleOn(world, offline);
  const there = await signIn(alone);
  const { data: listed } = await there.ask("/api/profiles");
  deepEqual(
    listed.profiles.map(({ profile_id, country_code, currency }: Record<string, unknown>) => [
      ...[profile_id, country_code, currency],
    ]),
    [[profileId, "US", "USD"]],
  );
  equal(listed.failures.length, 1);
  // Neither does a platform that does not respond hold the page up.
  const silent = new PlatformAds(emulator.credentials, {
    ...{ platform: emulator.platform, now: world.time.now, sleep: world.time.sleep },
    fetch: (_, init) => new Promise((_done, fail) => init?.signal?.addEventListener("abort", fail)),
  });
  await using waiting = await consoleOn(world, silent);
  const { data: late } = await (await signIn(waiting)).ask("/api/profiles");
  deepEqual([late.profiles, /not responded yet/.test(late.failures[0].message)], [listed.profiles, true]);
  equal((await there.ask(`${base}/grid/keywords`)).status, 502);
  const { data } = await there.ask(`${base}/grid/keywords?from=store`);
  deepEqual(data.stored, { at, source: "file" });
  deepEqual([data.currency, data.fields["sp.keywords"]], [live.currency, live.fields["sp.keywords"]]);
  const shown = (rows: Row[]) =>
    rows.filter(({ kind, id }) => kind === "sp.keywords" && id !== archived?.keywordId)
      .map(({ id, name, state, bid, campaign_id }) => [id, name, state, bid ?? null, campaign_id]).sort();
  deepEqual(shown(data.rows), shown(live.rows));
  ok(!data.rows.some(({ id }: Row) => id === archived?.keywordId), "archived keywords are not shown");
  const [one, two, three] = data.rows.filter(({ bid }: Row) => bid !== undefined) as [Row, Row, Row];
  const edit = (row: Row, value: number) => ({
    ...{ kind: row.kind, id: row.id, field: "bid", value, seen: row.bid, label: row.name },
  });
  const set = [edit(one, 0.71), edit(two, 0.72), edit(three, 0.73)];
  deepEqual((await there.ask(`${base}/draft`, { revision: 0, set })).data.revision, 1);
  equal((await there.ask(`${base}/draft/check`, {})).status, 502);
  equal((await there.ask(`${base}/draft/review`, { revision: 1 })).status, 502);
  equal((await there.ask("/api/profiles/1/draft", { revision: 0, set })).status, 502, "not a stored profile");

  isCut = false;
  // Meanwhile others changed one of the bids, and set another to what we want.
  await us.sp.keywords.update([{ keywordId: one.id, bid: 0.31 }, { keywordId: two.id, bid: 0.72 }]);
  const { data: found } = await there.ask(`${base}/draft/check`, {});
  deepEqual(
    found.conflicts.map(({ id, seen, value, now }: Record<string, unknown>) => [id, seen, value, now]),
    [[one.id, one.bid, 0.71, 0.31]],
  );
  deepEqual(found.done.map(({ id }: Row) => id), [two.id]);
  equal((await there.ask(`${base}/draft/review`, { revision: 1 })).data.error.code, "CONFLICT");
  // Theirs is taken for one.
  await there.ask(`${base}/draft`, { revision: 1, discard: [edit(one, 0.71)] });
  const { data: made } = await there.ask(`${base}/draft/review`, { revision: 2 });
  deepEqual(
    (await world.plans.get(made.plan_id)).changes.map(({ id, before, after }) => [
      ...[id, before["bid"], after["bid"]],
    ]),
    [[three.id, three.bid, 0.73]],
  );
});

Deno.test("a read-only console keeps no edits", async () => {
  await using world = await consoleWorld({ readOnly: true });
  const page = await signIn(world);
  const base = `/api/profiles/${world.us.profileId}/draft`;
  for (const path of [base, `${base}/check`, `${base}/review`]) {
    deepEqual((await page.ask(path, { revision: 0 })).data.error.code, "READ_ONLY", path);
  }
});
