import assert from "node:assert/strict";
import process from "node:process";
import { PlatformAds } from "@platform/ads";
import { Emulator } from "@platform/ads/emulator";
import { Warehouse } from "@platform/ads/store";

const DAY = 86_400_000;
const day = (ago) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);

const emulator = await Emulator.start();
const ads = new PlatformAds(emulator.credentials, {
  platform: emulator.platform,
  sleep: (seconds) => Promise.resolve(emulator.advance(seconds)),
});
const store = await Warehouse.open("ads.sqlite");
const canada = await ads.profile("CA");
const synced = await store.sync([canada], { reports: ["sp_placement"], start: day(9), end: day(3) });
assert.ok(synced.ok, synced.summary());
const [coverage] = await store.coverage();
assert.ok(coverage.rows > 0, "rows were stored");

const question = "SELECT count(*) AS n FROM sp_placement WHERE country_code = ?";
if (Number(process.versions.node.split(".")[0]) >= 24) {
  const { rows } = await store.query(question, ["CA"]);
  assert.equal(rows[0].n, coverage.rows);
  await assert.rejects(store.query("DELETE FROM sp_placement"), { name: "QueryError" });
} else {
  await assert.rejects(store.query(question, ["CA"]), /need Deno or Node 24/);
}
await store.close();
await emulator.stop();
console.log(`${coverage.rows} rows stored`);
