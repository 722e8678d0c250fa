import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { consoleWorld, signIn } from "./support/console_world.ts";

// The pages ask for the width of the screen as they are loaded.
Object.assign(globalThis, { matchMedia: () => Object.assign(new EventTarget(), { matches: false }) });
const { gridDrafts } = await import("../../src/interfaces/console/web/grid_drafts.js");
const { lastDraft } = await import("../../src/interfaces/console/web/live.js");
const { endPageEffects } = await import("../../src/interfaces/console/web/ui.js");

type Page = Awaited<ReturnType<typeof signIn>>;

/** Sends the page's own requests to a console for as long as the result is kept. */
function pageOf(page: Page, before: (path: string) => Promise<unknown> = () => Promise.resolve()) {
  const real = globalThis.fetch;
  globalThis.fetch = async (...[path, options]: Parameters<typeof fetch>): Promise<Response> => {
    if (typeof path !== "string" || !path.startsWith("/")) return await real(path, options);
    await before(path);
    const body = options?.body === undefined ? undefined : JSON.parse(String(options.body));
    const { status, data } = await page.ask(path, body);
    return Response.json(data, { status });
  };
  return {
    [Symbol.dispose]: () => {
      globalThis.fetch = real;
      endPageEffects();
    },
  };
}

Deno.test("a page that made a plan knows it, and keeps the edit after it", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  using _own = pageOf(page);
  const id = world.us.profileId;
  const [one, two] = (await world.us.sp.keywords.list()).filter(({ bid }) => bid !== undefined);
  if (!one || !two) throw new Error("the demo account is smaller");
  const edit = ({ keywordId, keywordText: label, bid: seen = 0 }: typeof one, value: number) => ({
    ...{ kind: "sp.keywords", id: keywordId, field: "bid", value, seen, label },
  });
  const drafts = gridDrafts("profiles", [id], { profileOf: () => id, nameOf: () => "" });
  await drafts.load();
  drafts.change([edit(one, 0.71)]);
  deepEqual(drafts.pending(), [id]);
  const [made] = await drafts.review("Monday");
  ok(made?.plan !== undefined);
  deepEqual([drafts.pending(), drafts.plans().map(({ plan }) => plan)], [[], [made.plan]]);
  deepEqual(await drafts.review("again"), [], "nothing is left to plan");
  // The console tells this page of its own plan too.
  lastDraft.value = { draft: id, revision: 2, plan_id: made.plan, is_whole: true };
  await drafts.check();
  equal(drafts.told.value, undefined);
  drafts.change([edit(two, 0.72)]);
  await drafts.check();
  const kept: { edits: { value: number }[] } = (await page.ask(`/api/profiles/${id}/draft`)).data;
  deepEqual(kept.edits.map(({ value }) => value), [0.71, 0.72]);
  deepEqual(drafts.pending(), [id]);
});

Deno.test("a page whose edits another tab changed before the review shows them, and can review again", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const id = world.us.profileId;
  const path = `/api/profiles/${id}/draft`;
  const [one, two] = (await world.us.sp.keywords.list()).filter(({ bid }) => bid !== undefined);
  if (!one || !two) throw new Error("the demo account is smaller");
  const edit = ({ keywordId, keywordText: label, bid: seen = 0 }: typeof one, value: number) => ({
    ...{ kind: "sp.keywords", id: keywordId, field: "bid", value, seen, label },
  });
  let isFirst = true;
  using _own = pageOf(page, async (asked) => {
    if (!asked.endsWith("/review") || !isFirst) return;
    isFirst = false;
    await page.ask(path, { revision: 1, set: [edit(two, 0.72)] });
  });
  const drafts = gridDrafts("profiles", [id], { profileOf: () => id, nameOf: () => "" });
  await drafts.load();
  drafts.change([edit(one, 0.71)]);
  const [refused] = await drafts.review("");
  await rejects(Promise.reject(refused?.error), /changed in another tab/);
  deepEqual([...drafts.edits.value.values()].map(({ value }) => value), [0.71, 0.72]);
  const [made] = await drafts.review("");
  equal((await world.plans.get(made?.plan ?? "")).changes.length, 2);
});
