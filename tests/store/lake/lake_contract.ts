import { parquetReadObjects } from "hyparquet";
import { readFile } from "node:fs/promises";
import { deepEqual, equal, ok } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { openLake } from "../../../src/store/lake/open_lake.ts";
import { readManifest } from "../../../src/store/lake/manifest.ts";
import { publishLake } from "../../../src/store/lake/publish_lake.ts";
import { tapMessages, type TapState } from "../../../src/store/lake/tap_messages.ts";
import { type AddTest, daily, DE, US } from "../contract/ground.ts";

/** Lakes and loaders get from every database the rows that queries find. */
export function lakeContract(it: AddTest): void {
  sendingAgain(it);
  it(
    "a lake has every row of the tables that queries find, and nothing to write a second time",
    async ({ store }) => {
      await using folder = await temporaryFolder();
      const columns = { campaignId: "9007199254740993", campaignName: "Été", clicks: 3, cost: 0.1 };
      for (const profile of [US, DE]) {
        for (const report of ["sp_campaigns", "sp_placement"] as const) {
          const rows = daily(["2026-08-30", "2026-09-02"], {
            ...columns,
            placementClassification: "Top",
            oddity: 1,
          });
          await store.replace({ ...profile, report, start: "2026-08-30", end: "2026-09-02" }, rows);
        }
      }
      const campaign = {
        campaignId: "9007199254740993",
        name: "Été",
        state: "ENABLED",
        budget: { budget: 5.5 },
      };
      await store.replaceEntities({ ...US, kind: "sp.campaigns" }, [campaign]);
      await store.replaceEntities({ ...US, kind: "sp.campaigns" }, [{ ...campaign, state: "PAUSED" }]);

      const place = await openLake(folder.file("lake"));
      const options = { tables: ["days", "marts", "ready", "entities", "changes"] };
      const { unfit } = await publishLake(store, place, options);
      deepEqual(unfit, {});
      equal((await publishLake(store, place, options)).written, 0);
      const { manifest: { tables } } = await readManifest(place);
      let compared = 0;
      for (const [name, { columns, files }] of Object.entries(tables)) {
        const names = columns.map((column) => column.name);
        const read: Record<string, unknown>[] = [];
        for (const { path, country_code, profile_id } of files) {
          if (path === null) continue;
          const { buffer } = new Uint8Array(await readFile(folder.file(`lake/${path}`)));
          for (const row of await parquetReadObjects({ file: buffer })) {
            read.push({ country_code, profile_id, ...row });
          }
        }
        const list = names.map((each) => `"${each}"`).join(", ");
        const { rows } = await store.query(`SELECT country_code, profile_id, ${list} FROM ${name}`);
        deepEqual(read.map(plainly).sort(), rows.map(plainly).sort(), name);
        compared += rows.length;
      }
      ok(compared > 40, `${compared} rows`);
    },
    "dear",
  );
}

/** Messages for loaders name what is gone, from every database. */
function sendingAgain(it: AddTest): void {
  it("messages for loaders name the rows that went since the last state, and nothing twice", async ({ store }) => {
    const range = { start: "2026-09-01", end: "2026-09-01" };
    const rows = ["7", "8"].map((campaignId) => ({ date: "2026-09-01", campaignId, clicks: 1 }));
    const put = (some: typeof rows) => store.replace({ ...US, report: "sp_campaigns", ...range }, some);
    const send = (state?: TapState) =>
      Array.fromAsync(tapMessages(store, { tables: ["sp_campaigns"], state }));
    await put(rows);
    const first = await send();
    const state = first.findLast((message) => message.type === "STATE")?.value;
    deepEqual(await send(state), []);
    await put(rows.slice(0, 1));
    const again = (await send(state)).flatMap((message) => message.type === "RECORD" ? [message.record] : []);
    deepEqual(
      again.map(({ date, campaign_id, _sdc_deleted_at: at }) => [date, campaign_id, at === null]),
      [["2026-09-01", "8", false], ["2026-09-01", "7", true]],
    );
    ok(!Number.isNaN(Date.parse(String(again[0]?.["_sdc_deleted_at"]))));
  });
}

/** A row as text, in which numbers, days and moments of both are written alike. */
function plainly(row: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(row).map(([name, value]) => {
    if (value instanceof Date) return [name, value.toISOString().replace("T00:00:00.000Z", "")];
    if (typeof value === "bigint") return [name, Number(value)];
    if (typeof value === "boolean") return [name, String(value)];
    return [name, typeof value === "string" && name === "known_from" ? new Date(value).toISOString() : value];
  });
  return JSON.stringify(Object.fromEntries(values));
}
