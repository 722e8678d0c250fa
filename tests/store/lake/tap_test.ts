import { deepEqual, equal, ok, rejects } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import {
  type TapMessage,
  tapMessages,
  type TapOptions,
  type TapState,
} from "../../../src/store/lake/tap_messages.ts";
import { plainly, Target } from "./loader_target.ts";

const PROFILE = { profileId: "9007199254740993", countryCode: "US" };

interface World extends AsyncDisposable {
  readonly store: Warehouse;
  put(date: string, rows: readonly (readonly [campaign: string, clicks: number])[]): Promise<void>;
  putCampaigns(...names: readonly string[]): Promise<void>;
}

async function world(): Promise<World> {
  const folder = await temporaryFolder();
  let now = Date.parse("2026-11-02T08:00:00Z");
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: () => now += 60_000 });
  return {
    store,
    put: async (date, rows) => {
      await store.replace(
        { ...PROFILE, report: "sp_placement", start: date, end: date },
        rows.map(([campaignId, clicks]) => ({
          date,
          campaignId,
          placementClassification: "Top",
          clicks,
          cost: 0.25,
        })),
      );
    },
    putCampaigns: async (...names) => {
      await store.replaceEntities(
        { ...PROFILE, kind: "sp.campaigns" },
        names.map((name) => ({
          campaignId: `1${name.length}`,
          name,
          state: "ENABLED",
          budget: { budget: 5.5 },
        })),
      );
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder.remove();
    },
  };
}

const STREAMS = ["sp_placement", "sp_campaigns_entities", "sp_campaigns_entities_history"];

async function isSame(store: Warehouse, target: Target): Promise<void> {
  for (const stream of STREAMS) {
    const { rows } = await store.query(`SELECT * FROM ${stream}`, [], { maxRows: Infinity });
    deepEqual(target.rows(stream), rows.map(plainly).sort(), stream);
  }
}

async function messages(store: Warehouse, state?: TapState): Promise<TapMessage[]> {
  return await Array.fromAsync(tapMessages(store, { tables: STREAMS, state, now: () => 0 }));
}

Deno.test("a loader that keeps rows by key has the store's rows after every run, also where rows went or came back", async () => {
  await using made = await world();
  const { store } = made;
  const target = new Target();
  const run = async (): Promise<number> => {
    const sent = await messages(store, target.state);
    for (const message of sent) target.take(message);
    await isSame(store, target);
    return sent.filter(({ type }) => type === "RECORD").length;
  };
  await made.put("2026-09-30", [["7", 1], ["8", 2]]);
  await made.put("2026-10-01", [["7", 3]]);
  await made.putCampaigns("a", "bb");
  equal(await run(), 3 + 2 + 2);
  equal(await run(), 0);
  // A row is restated, one goes; one campaign is renamed, one goes.
  await made.put("2026-09-30", [["7", 9]]);
  await made.putCampaigns("c");
  ok(await run() > 0);
  await made.put("2026-09-30", [["7", 9], ["8", 4]]);
  await made.putCampaigns("c", "dd");
  await run();
  await made.put("2026-10-01", []);
  await run();
  deepEqual(target.rows("sp_placement").length, 2);
});

Deno.test("only the months that changed are sent", async () => {
  await using made = await world();
  const target = new Target();
  await made.put("2026-09-30", [["7", 1]]);
  await made.put("2026-10-01", [["7", 1], ["8", 1]]);
  for (const message of await messages(made.store)) target.take(message);
  await made.put("2026-09-30", [["7", 5]]);
  const records = (await messages(made.store, target.state)).filter((message) => message.type === "RECORD");
  deepEqual(records.map(({ record }) => [record["date"], record["clicks"]]), [["2026-09-30", 5]]);
});

Deno.test("a run that is cut off at any message goes on from the last state that the loader kept", async () => {
  await using made = await world();
  const { store } = made;
  await made.put("2026-09-30", [["7", 1], ["8", 2]]);
  await made.putCampaigns("a", "bb");
  const whole = await messages(store);
  ok(whole.length >= 10);
  for (let cut = 0; cut < whole.length; cut++) {
    const target = new Target();
    for (const message of whole.slice(0, cut)) target.take(message);
    for (const message of await messages(store, target.state)) target.take(message);
    await isSame(store, target);
  }
});

Deno.test("a state never says that rows were sent which come after it", async () => {
  await using made = await world();
  await made.put("2026-09-30", [["7", 1]]);
  await made.put("2026-10-01", [["7", 1]]);
  await made.putCampaigns("a");
  const sent = new Set<string>();
  for (const message of await messages(made.store)) {
    if (message.type === "RECORD") sent.add(message.stream);
    if (message.type === "STATE") {
      const bookmarked = Object.entries(message.value.bookmarks).filter(([, marks]) =>
        Object.keys(marks).length > 0
      );
      for (const [stream] of bookmarked) ok(sent.has(stream), stream);
    }
  }
  equal(sent.size, 3);
});

Deno.test("sums have no key to send rows by, and are refused by name", async () => {
  await using made = await world();
  const send = (...tables: string[]) => Array.fromAsync(tapMessages(made.store, { tables }));
  await rejects(
    send("marts", "sp_placement"),
    /Cannot send mart_account_day, .* row by row: they are totals without a key/,
  );
  await rejects(send("sp_placment"), /"sp_placment" is not a table or group\. Did you mean "sp_placement"\?/);
});

Deno.test("a market that nothing is stored of, and the state of another tap, are refused", async () => {
  await using made = await world();
  const { store } = made;
  await made.put("2026-09-30", [["7", 1]]);
  const send = (options: TapOptions) => Array.fromAsync(tapMessages(store, options));
  await rejects(send({ market: "JP" }), /nothing is stored of JP, only of US/);
  const foreign = { orders: { updated_at: "2026-09-01" } };
  await rejects(send({ state: { bookmarks: foreign } }), /the store has none of its streams \(orders\)/);
  const own = { ...foreign, sp_placement: {} };
  ok((await send({ tables: ["sp_placement"], state: { bookmarks: own } })).length > 0);
});
