import assert from "node:assert/strict";
import { withStoreFigures } from "../../src/cli/core/store_figures.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const REQUEST = { profileId: "1", today: "2026-09-30", entities: [{ kind: "sp.keywords", id: "9" }] };

Deno.test("the store of figures is opened by the first request, and stays open until the command is done", async () => {
  await using folder = await temporaryFolder();
  const place = `${folder.path}/ads.sqlite`;
  const io = { env: { PLATFORM_ADS_STORE: place } };
  const context = { io, globals: {} } as unknown as Parameters<typeof withStoreFigures>[0];
  await withStoreFigures(context, async (figures) => {
    assert.equal((await figures(REQUEST)).size, 0, "there is no store, and that is no error");
    // A sync makes it meanwhile.
    await (await Warehouse.open(place)).close();
    await figures(REQUEST);
    // Whoever opened it anew would find something else.
    await Deno.rename(place, `${place}.moved`);
    await Deno.writeTextFile(place, "not a database");
    assert.equal((await figures(REQUEST)).size, 0);
  });
  await assert.rejects(
    withStoreFigures(context, (figures) => figures(REQUEST)),
    /it is not an SQLite file/,
  );
});
