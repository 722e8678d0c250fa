import { equal, ok } from "../support/assert.ts";
import type { ProfileClient } from "../../mod.ts";
import type { FaultEffects } from "../../src/emulator/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { amount } from "./support/size.ts";
import { everythingIn, World } from "./support/world.ts";
import { long } from "../support/long.ts";

/** The short suite tries every fifth echo in each spelling. */
const STEP = amount(5, 1);
const HEADERS = ["x-platform-request-id", "x-platform-rid", "retry-after", "location", "content-type"];

/** Ways in which a careless platform gives back what it was sent; `planted` holds every secret in some spelling. */
function echoes(planted: string): FaultEffects[] {
  const shapes = [
    planted,
    `<html><title>${planted}</title><body>${planted}</body></html>`,
    `{"message": "${planted}`,
    { message: planted },
    { code: planted, details: planted, requestId: planted },
    { errorCode: planted, message: planted, errors: [{ code: planted, message: planted }] },
    { error: planted, error_description: planted },
    [{ code: planted, description: planted, keywordId: planted }],
    { keywords: [{ keywordId: planted, keywordText: planted, state: planted }], totalResults: 1 },
    {
      keywords: {
        success: [{ index: 0, keywordId: planted, keyword: { keywordText: planted } }],
        error: [{
          index: 1,
          errors: [{ errorType: planted, errorValue: { [planted]: { reason: planted, message: planted } } }],
        }],
      },
    },
  ];
  const headers = Object.fromEntries(HEADERS.map((name) => [name, planted]));
  return [200, 207, 307, 400, 401, 403, 404, 422, 429, 500].flatMap((status) => [
    ...shapes.map((body) => ({ response: { status, body } })),
    { response: { status, headers: { ...headers, "content-type": "application/json" }, body: "{}" } },
    { response: { status, headers } },
  ]);
}

/** What a program may do, and everything it gets to see of it: answers, errors, results, plan files. */
async function everythingSeen(
  profile: ProfileClient,
  { folder, planted }: { folder: string; planted: string },
): Promise<string> {
  const seen: unknown[] = [];
  const see = async (work: () => Promise<unknown>): Promise<void> => {
    seen.push(await work().catch((error) => error));
  };
  const items = [{ keywordId: "1", bid: 0.5 }, { keywordId: "2", bid: 0.6 }];
  await see(() => profile.sp.keywords.list());
  await see(() => profile.sp.keywords.update(items));
  await see(() => profile.sb.keywords.list());
  await see(() => profile.request("GET", "/v2/profiles", { params: { planted } }));
  await see(() =>
    profile.transport.send({
      method: "GET",
      baseUrl: profile.baseUrl,
      path: "/v2/profiles",
      idempotent: true,
    })
  );
  await see(async () => {
    const plan = await profile.sp.keywords.planUpdate(items);
    await plan.save(`${folder}/plan.json`);
    return [plan.toMarkdown(), plan.table()];
  });
  await see(async () => {
    const archive = await profile.sp.keywords.planArchive(["1"]);
    const result = await archive.apply(profile, { journal: `${folder}/archive.jsonl` });
    return [result.toData(), result.rollbackPlan().toMarkdown()];
  });
  for await (const { name } of Deno.readDir(folder)) {
    seen.push(await Deno.readTextFile(`${folder}/${name}`));
    await Deno.remove(`${folder}/${name}`);
  }
  return everythingIn(seen);
}

long();
Deno.test("no secret that the platform echoes gets into answers, errors, events, plans or journals", async () => {
  await using world = await World.start();
  const client = world.client({ retry: { maxAttempts: 2 } });
  const profile = await client.ads.profile("CA");
  // A program meets the token that is in use, or, just after a renewal, the one before.
  const secrets = (): string[] => [...world.secrets, ...client.tap.tokens.slice(-1)];
  const folder = await Deno.makeTempDir();
  let turn = 0;
  try {
    for (
      const spell of [(secret: string) => secret, encodeURIComponent, (secret: string) => `Bearer ${secret}`]
    ) {
      for (let at = turn++ % STEP; at < echoes("").length; at += STEP) {
        const planted = secrets();
        const text = planted.map(spell).join(" and ");
        const effects = echoes(text)[at]!;
        world.emulator.setFaults([{ effects }]);
        const seen = await everythingSeen(profile, { folder, planted: text }) + everythingIn(client.events);
        client.events.length = 0;
        for (const secret of planted.flatMap((one) => [one, encodeURIComponent(one)])) {
          const at = seen.indexOf(secret);
          ok(at < 0, `under ${JSON.stringify(effects).slice(0, 300)}: …${seen.slice(at - 200, at)}[here]`);
        }
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("no secret that the identity provider echoes gets into an error", async () => {
  await using world = await World.start();
  const [clientSecret, refreshToken] = world.secrets;
  const planted = `${clientSecret} ${refreshToken} ${encodeURIComponent(refreshToken)}`;
  for (const status of [200, 400, 401, 403, 429, 500]) {
    for (
      const body of [
        planted,
        JSON.stringify({ error: planted, error_description: planted, access_token: null }),
        JSON.stringify({ message: planted, refresh_token: planted, client_secret: planted }),
      ]
    ) {
      const { ads, events } = world.client({
        retry: { maxAttempts: 2 },
        fetch: () => Promise.resolve(new Response(body, { status, headers: { "retry-after": "1" } })),
      });
      const error = await ads.profiles().catch((thrown) => thrown);
      ok(error instanceof Error, `status ${status}`);
      const seen = everythingIn([error, events, ads.regionFailures]);
      for (const secret of [clientSecret, refreshToken]) {
        ok(!seen.includes(secret) && !seen.includes(encodeURIComponent(secret)), `status ${status}: ${seen}`);
      }
    }
  }
});

Deno.test("no secret gets into a store, neither from report files nor from failures", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using world = await World.start();
    const client = world.client({ retry: { maxAttempts: 1 } });
    const profile = await client.ads.profile("CA");
    const secrets = [...world.secrets, ...client.tap.tokens];
    const forms = secrets.flatMap((secret) => [...new Set([secret, encodeURIComponent(secret)])]);
    // Whoever plays the platform put them where reports take names from.
    const campaigns = world.emulator.state.profile(profile.profileId)!.collection("sp.campaigns");
    for (const [index, campaign] of campaigns.all().entries()) {
      campaigns.replace({ ...campaign, name: `${index} ${forms[index % forms.length]}` });
    }
    const range = { start: "2026-09-20", end: "2026-09-26" };
    const rows = await profile.reports.run("sp_campaigns", range.start, range.end);
    ok(rows.filter(({ campaignName }) => String(campaignName).includes("[redacted]")).length > forms.length);
    const store = await Warehouse.open(`${folder}/store.sqlite`, { now: world.time.now });
    const done = await store.sync(profile, { ...range, reports: ["sp_campaigns"] });
    equal(done.ok, true, done.summary());
    world.emulator.setFaults([{
      effects: { response: { status: 403, body: { message: forms.join(" and ") } } },
    }]);
    const failed = await store.sync(profile, { ...range, reports: ["sp_placement"] });
    ok(failed.summary().includes("[redacted]"), failed.summary());
    const seen = everythingIn([rows, failed, await Array.fromAsync(store.rows("sp_campaigns"))]);
    await store.close();
    let stored = "";
    for await (const { name } of Deno.readDir(folder)) {
      stored += new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/${name}`));
    }
    ok(stored.includes("[redacted]"), "the rows are there");
    for (const form of forms) ok(!stored.includes(form) && !seen.includes(form), form);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("neither a recording nor the list of requests holds a secret, wherever a caller or a fault has put one", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using world = await World.start({ recordTo: folder });
    const client = world.client({ retry: { maxAttempts: 1 } });
    const profile = await client.ads.profile("CA");
    const secrets = [...world.secrets, ...client.tap.tokens];
    const planted = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]).join(" and ");
    await profile.sp.keywords.list();
    await profile.portfolios.create([{ name: planted, state: "ENABLED" }]);
    await profile.request("GET", "/v2/profiles", { params: { planted } });
    for (const effects of echoes(planted)) {
      world.emulator.setFaults([{ effects }]);
      await profile.portfolios.list().catch(() => {});
    }
    let recorded = "";
    for await (const { name } of Deno.readDir(folder)) {
      recorded += await Deno.readTextFile(`${folder}/${name}`);
    }
    ok(recorded.includes("/v2/profiles") && recorded.includes("left-out and left-out"));
    for (
      const secret of [...secrets, ...client.tap.tokens].flatMap((one) => [one, encodeURIComponent(one)])
    ) {
      ok(
        !recorded.includes(secret),
        recorded.slice(recorded.indexOf(secret) - 300, recorded.indexOf(secret)),
      );
    }
    const listed = everythingIn(world.emulator.requests());
    ok(listed.includes("left-out and left-out"));
    for (const secret of secrets.flatMap((one) => [one, encodeURIComponent(one)])) {
      ok(!listed.includes(secret), "neither does the list of requests");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
