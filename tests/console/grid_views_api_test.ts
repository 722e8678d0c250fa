import { deepEqual, equal, match } from "../support/assert.ts";
import { writeFileSync } from "node:fs";
import { consoleWorld, signIn } from "./support/console_world.ts";

Deno.test("views of the grid are saved, renamed and deleted by name", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const names = ({ data }: { data: { views: { name: string }[] } }) => data.views.map(({ name }) => name);
  deepEqual((await page.ask("/api/views")).data, { views: [] });
  await page.ask("/api/views", { name: " Losers ", query: "table=keywords&where=acos+%3E+30" });
  const both = await page.ask("/api/views", { name: "Big", query: "table=campaigns" });
  deepEqual(both.data.views, [
    { name: "Big", query: "table=campaigns" },
    { name: "Losers", query: "table=keywords&where=acos+%3E+30" },
  ]);
  deepEqual((await (await signIn(world)).ask("/api/views")).data, both.data, "another browser lists them");
  const again = await page.ask("/api/views", { name: "Big", query: "table=targets" });
  deepEqual(again.data.views[0], { name: "Big", query: "table=targets" });
  deepEqual(names(await page.ask("/api/views/rename", { name: "Big", to: "Targets" })), [
    "Losers",
    "Targets",
  ]);
  const taken = await page.ask("/api/views/rename", { name: "Targets", to: "Losers" });
  deepEqual([taken.status, taken.data.error.code], [409, "NAME_TAKEN"]);
  equal((await page.ask("/api/views/rename", { name: "Big", to: "x" })).status, 404);
  equal((await page.ask("/api/views", { name: " ", query: "x" })).status, 400);
  equal((await page.ask("/api/views", { name: "x", query: "x".repeat(4001) })).status, 400);
  deepEqual(names(await page.ask("/api/views/delete", { name: "Losers" })), ["Targets"]);
  equal((await page.ask("/api/views/delete", { name: "Losers" })).status, 404);
  equal((await world.plans.ids()).length, 0, "the file is not taken for a plan");
  const path = `${world.plans.path}/.plans/plan-grid.views.json`;
  writeFileSync(path, '{"views":[{}]}');
  match((await page.ask("/api/views")).data.error.message, /views\.json": it is damaged/);
  equal((await page.ask("/api/views", { name: "x", query: "x" })).status, 409, "and not written over");
});

Deno.test("a read-only console saves no views", async () => {
  await using world = await consoleWorld({ readOnly: true });
  const page = await signIn(world);
  for (const path of ["/api/views", "/api/views/rename", "/api/views/delete"]) {
    equal((await page.ask(path, { name: "a", query: "b", to: "c" })).data.error.code, "READ_ONLY", path);
  }
});

Deno.test("placements, dates and the portfolio of campaigns are edited, and other placements stay", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const base = `/api/profiles/${world.us.profileId}`;
  const { data } = await page.ask(`${base}/grid/campaigns`);
  const { portfolio, top, rest, product, start, end } = data.fields["sp.campaigns"];
  deepEqual([portfolio, start, end], ["portfolioId", "startDate", "endDate"]);
  equal(data.fields["sb.campaigns"].top, undefined);
  const all = await world.us.sp.campaigns.list();
  const campaign = all.find(({ dynamicBidding }) => (dynamicBidding?.placementBidding ?? []).length > 0) ??
    all[0];
  if (campaign === undefined) throw new Error("the demo account is smaller");
  const { campaignId: id, name: label } = campaign;
  await world.us.sp.campaigns.update([{
    campaignId: id,
    dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 30 }] },
  }]);
  const [{ portfolioId } = { portfolioId: "" }] = await world.us.portfolios.list();
  const rows = (await page.ask(`${base}/grid/campaigns`)).data.rows;
  equal(rows.find((row: { id: string }) => row.id === id).top, 30);
  const edit = (field: string, value: unknown, seen: unknown) => ({
    kind: "sp.campaigns",
    id,
    field,
    value,
    seen,
    label,
  });
  const own = rows.find((row: { id: string }) => row.id === id);
  const set = [
    edit(rest, 15, own.rest ?? null),
    edit(product, 20, own.product ?? null),
    edit(portfolio, portfolioId === own.portfolio ? null : portfolioId, own.portfolio ?? null),
    edit(end, "2031-05-01", own.end ?? null),
  ];
  deepEqual((await page.ask(`${base}/draft`, { revision: 0, set })).status, 200);
  const checked = await page.ask(`${base}/draft/check`, {});
  deepEqual([checked.data.conflicts, checked.data.done, checked.data.changes], [[], [], 1]);
  const { data: made } = await page.ask(`${base}/draft/review`, { revision: 1 });
  const { result } = await world.plans.apply(await world.plans.get(made.plan_id), world.us);
  equal(result.ok, true);
  const after = (await page.ask(`${base}/grid/campaigns`)).data.rows.find((row: { id: string }) =>
    row.id === id
  );
  deepEqual([after.top, after.rest, after.product, after.end], [30, 15, 20, "2031-05-01"]);
  equal(after.portfolio ?? null, set[2]?.value);
  // What others change is found beside ours, at its placement.
  const { revision } = (await page.ask(`${base}/draft`)).data;
  await page.ask(`${base}/draft`, { revision, discard: "all", set: [edit(top, 55, 25)] });
  const [conflict] = (await page.ask(`${base}/draft/check`, {})).data.conflicts;
  deepEqual([conflict.field, conflict.seen, conflict.now], [top, 25, 30]);
});

Deno.test("labels of the account are listed with what they are on", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const { labels } = (await page.ask(`/api/profiles/${world.us.profileId}/labels`)).data;
  const core = labels.find(({ name }: { name: string }) => name === "Core range");
  equal(core.campaigns.length + core.ad_groups.length > 0, true);
});

Deno.test("campaigns are copied to another profile as a plan of that profile", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const [campaign] = await world.us.sp.campaigns.list({ states: ["ENABLED"] });
  const ca = await world.ads.profile("CA");
  if (campaign === undefined) throw new Error("the demo account is smaller");
  const copy = (body: object) =>
    page.ask(`/api/profiles/${world.us.profileId}/copy`, {
      campaign_ids: [campaign.campaignId],
      to: ca.profileId,
      rename: "{name} copy",
      state: "PAUSED",
      ...body,
    });
  for (
    const [bad, said] of [[{ state: "paused" }, /state/], [{ rate: "1.37" }, /rate/], [
      { rate: 0 },
      /rate/,
    ]] as const
  ) {
    const refused = await copy(bad);
    deepEqual([refused.status, said.test(refused.data.error.message)], [400, true], JSON.stringify(bad));
  }
  const bare = await copy({});
  equal(bare.status, 409);
  match(bare.data.error.message, /without a rate/);
  const { status, data } = await copy({ rate: 1.37, note: "Try Canada" });
  equal(status, 200);
  const plan = await world.plans.get(data.plan_id);
  deepEqual([plan.profileId, plan.note], [ca.profileId, "Try Canada"]);
  const made = plan.changes.find(({ kind }) => kind === "sp.campaigns");
  deepEqual([made?.op, made?.after["name"], made?.after["state"]], [
    "create",
    `${campaign.name} copy`,
    "PAUSED",
  ]);
});
