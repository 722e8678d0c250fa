import assert from "node:assert/strict";
import { importFiles } from "../../../src/account/mod.ts";
import { figures, Warehouse } from "../../../src/store/mod.ts";
import { hasPostgres, makeDatabase, testServer } from "../../support/postgres.ts";

const FIXTURES = new URL("../../fixtures/console/", import.meta.url);

async function file(name: string): Promise<{ name: string; bytes: Uint8Array }> {
  return { name, bytes: await Deno.readFile(new URL(name, FIXTURES)) };
}

Deno.test({
  name: "a store in PostgreSQL takes files as one in SQLite does: ids, sums, overlaps and notes",
  ignore: !hasPostgres,
  fn: async () => {
    const server = await testServer();
    try {
      await using store = await Warehouse.open(await makeDatabase(server));
      const products = await file("de_advertised_products_daily.csv");
      const map = { Kampagne: "Campaign", Manuell: "Manual", Aktiviert: "enabled" };
      await importFiles(store, [products], { countryCode: "DE" });
      const { rejoined, profileId } = await importFiles(store, [await file("de_bulk.csv")], {
        countryCode: "DE",
        map,
      });
      assert.deepEqual([rejoined, profileId], [2, "96869"]);
      const { rows } = await store.query("SELECT DISTINCT campaign_id, ad_id FROM sp_advertised_products");
      assert.deepEqual(rows.map((row) => Object.values(row)), [["111", "333"]]);
      assert.equal((await store.entities(profileId)).get("sp.keywords")?.[0]?.["bid"], 123.45);
      assert.deepEqual((await importFiles(store, [products], { countryCode: "DE" })).notices, [
        "de_advertised_products_daily.csv is stored already",
      ]);

      const terms = await file("es_search_terms_summary.csv");
      await importFiles(store, [terms], { countryCode: "ES" });
      const by = ["search_term"] as const;
      const whole = { by, from: "2026-08-01", to: "2026-08-31", markets: ["ES"] };
      const { totals: [total], notes } = await figures(store, whole);
      assert.deepEqual([total?.cost, total?.sales, total?.orders], [16, 1234.56, 10]);
      assert.ok(notes.includes("Orders and sales of ES count 7 days after a click, as their files do"));
      await assert.rejects(
        figures(store, { ...whole, from: "2026-08-02" }),
        /is one sum of 2026-08-01 to 2026-08-31/,
      );
    } finally {
      await server.stop();
    }
  },
});
