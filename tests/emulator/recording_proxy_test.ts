import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { PlatformAds } from "../../mod.ts";
import { diffRecording, Emulator, RecordingProxy } from "../../src/emulator/mod.ts";
import { disguise } from "../../src/emulator/hosts/disguise.ts";
import { shapeDifferences, shapeOf } from "../../src/emulator/diff_recording.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };

/** Plays a session through a proxy, and gives the folder that it was recorded in to a check. */
async function recorded(
  { live, session, names = false }: {
    readonly live: Emulator;
    readonly session: (ads: PlatformAds) => Promise<unknown>;
    readonly names?: boolean;
  },
  check: (folder: string) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder();
  const proxy = await RecordingProxy.start({ platform: live.platform, folder: folder.path, names });
  try {
    await session(new PlatformAds(live.credentials, { platform: proxy.platform }));
    ok(proxy.recorded > 0 && proxy.failed === 0);
  } finally {
    await proxy.stop();
  }
  await check(folder.path);
}

async function textOf(folder: string): Promise<string> {
  let text = "";
  for await (const { name } of Deno.readDir(folder)) text += await Deno.readTextFile(`${folder}/${name}`);
  return text;
}

async function readAndRaise(ads: PlatformAds): Promise<void> {
  const us = await ads.profile("US");
  await us.portfolios.list();
  const [campaign] = await us.sp.campaigns.list();
  const keywords = await us.sp.keywords.list({ campaignIds: [String(campaign!.campaignId)] });
  await us.sp.keywords.update(keywords.slice(0, 3).map(({ keywordId }) => ({ keywordId, bid: 0.77 })));
  await us.sp.adGroups.list({ campaignIds: [String(campaign!.campaignId)] });
  await us.sb.campaigns.list();
  await us.sd.campaigns.list();
}

Deno.test("a session with a platform that is as the emulator is has no differences, and names nothing real", async () => {
  const live = await Emulator.start({ clock: CLOCK, wireWord: "acmeworldwide", seed: "live" });
  const own = await Emulator.start({ clock: CLOCK, listen: false });
  try {
    await recorded({ live, session: readAndRaise, names: true }, async (folder) => {
      const { exchanges, differences } = await diffRecording(folder, own);
      deepEqual(differences, []);
      ok(exchanges >= 8, String(exchanges));
      const text = await textOf(folder);
      ok(!/acmeworldwide/i.test(text), "the wire word is neutral");
      const { clientId, clientSecret, refreshToken } = live.credentials;
      for (const secret of [clientId, clientSecret, refreshToken]) ok(!text.includes(secret));
      for (const profile of live.state.profiles("NA")) {
        ok(!text.includes(profile.id), "no profile");
        for (const kind of ["sp.campaigns", "sp.keywords", "portfolios"]) {
          const { idField } = profile.collection(kind);
          for (const { [idField]: id, name } of profile.collection(kind).all()) {
            ok(!text.includes(String(id)), `no id of ${kind}`);
            ok(name === undefined || !text.includes(`"${name}"`), `no name of ${kind}`);
          }
        }
      }
    });
  } finally {
    await live.stop();
    await own.stop();
  }
});

Deno.test("a status, a code, a field and a type that the emulator has otherwise are named by operation", async () => {
  const live = await Emulator.start({ clock: CLOCK });
  const own = await Emulator.start({ clock: CLOCK, listen: false });
  try {
    live.setFaults([
      {
        match: { operation: "ListPortfolios" },
        effects: { response: { status: 200, body: { portfolios: [{ portfolioId: "1", shade: "blue" }] } } },
      },
      {
        match: { operation: "ListSponsoredProductsAdGroups" },
        effects: { response: { status: 422, body: {} } },
      },
    ]);
    const session = async (ads: PlatformAds): Promise<void> => {
      const us = await ads.profile("US");
      await us.portfolios.list();
      await us.sp.adGroups.list().catch(() => {});
      await us.sp.targets.list();
    };
    await recorded({ live, session }, async (folder) => {
      const { differences } = await diffRecording(folder, own);
      const named = differences.map((
        { operation, where, recorded, emulator },
      ) => [operation, where, recorded, emulator]);
      const has = (...wanted: string[]): boolean => named.some((one) => one.join() === wanted.join());
      ok(has("ListPortfolios", "200 portfolios[].shade", "string", "absent"), JSON.stringify(named));
      ok(has("ListPortfolios", "200 portfolios[].name", "absent", "string"), JSON.stringify(named));
      ok(has("ListSponsoredProductsAdGroups", "status", "422", "200"), JSON.stringify(named));
      ok(!named.some(([operation]) => /TargetingClauses/.test(operation!)), "and nothing else");
    });
  } finally {
    await live.stop();
    await own.stop();
  }
});

Deno.test("a platform that cannot be reached, a missing folder and a file that is none are said", async () => {
  await using folder = await temporaryFolder();
  const own = await Emulator.start({ clock: CLOCK, listen: false });
  const proxy = await RecordingProxy.start({
    platform: own.platform,
    folder: folder.path,
    fetch: () => Promise.reject(new TypeError("no route")),
  });
  try {
    const url = proxy.platform.regions.NA!.baseUrl;
    const response = await fetch(`${url}/v2/profiles`);
    equal(response.status, 502);
    match((await response.json()).message, /could not be reached: no route/);
    equal(
      (await fetch(url.replace(/na$/, "xx") + "/v2/profiles").then((one) => (one.body?.cancel(), one)))
        .status,
      404,
    );
    deepEqual([proxy.recorded, proxy.failed], [0, 1]);
    await rejects(diffRecording(folder.path, own), /has no files like 0001_Operation.json/);
    await rejects(diffRecording(`${folder.path}/none`, own), /Cannot read the recording/);
    await Deno.writeTextFile(`${folder.path}/0001_X.json`, "{}");
    await rejects(diffRecording(folder.path, own), /0001_X\.json": it is not a recorded exchange/);
  } finally {
    await proxy.stop();
    await own.stop();
  }
});

Deno.test("an id is hidden the same way each time, keeps its length, and amounts, days and short numbers stay", () => {
  const hide = disguise();
  const text =
    '{"campaignId":"9223422957960157760","bid":1.25,"day":"2026-09-30","asin":"B0ABCDEF12","budget":20000000,"cost":0.123456789}';
  const hidden = hide(text);
  equal(hidden.length, text.length);
  equal(hide(text), hidden);
  match(
    hidden,
    /"campaignId":"1\d{18}","bid":1\.25,"day":"2026-09-30","asin":"B0[A-Z]{8}","budget":20000000,"cost":0\.123456789/,
  );
  ok(!hidden.includes("9223422957960157760") && !hidden.includes("B0ABCDEF12"));
  ok(disguise()(text) !== hidden, "another recording has another key");
  equal(
    hide("see https://files.test/x?sign=1 or ann@shop.test"),
    "see https://files.example/left-out or left-out@example.com",
  );
});

Deno.test("shapes differ by fields and types, and not by values, nulls and what empty lists would hold", () => {
  const shape = (value: unknown) => shapeOf([value]);
  deepEqual(shapeDifferences(shape({ a: [{ b: 1, c: null }] }), shape({ a: [{ b: 2, c: "x" }] })), []);
  deepEqual(shapeDifferences(shape({ a: [] }), shape({ a: [{ b: 2 }] })), []);
  deepEqual(shapeDifferences(shape({ a: 1, b: {} }), shape({ a: "1", c: [] })), [
    { path: "a", left: "number", right: "string" },
    { path: "b", left: "object", right: "absent" },
    { path: "c", left: "absent", right: "array" },
  ]);
});
