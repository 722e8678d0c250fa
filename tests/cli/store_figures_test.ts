import assert from "node:assert/strict";
import { Closing } from "../../src/interfaces/cli/shell/context/closing.ts";
import { storeFigures } from "../../src/interfaces/cli/shell/connect/store_figures.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const REQUEST = { profileId: "1", today: "2026-09-30", entities: [{ kind: "sp.keywords", id: "9" }] };

Deno.test("the store of figures is opened by the first request, and stays open until the command is done", async () => {
  await using folder = await temporaryFolder();
  const place = `${folder.path}/ads.sqlite`;
  const io = { env: { PLATFORM_ADS_STORE: place } };
  const closing = new Closing();
  const context = { io, globals: {}, closing } as unknown as Parameters<typeof storeFigures>[0];
  const { figures } = storeFigures(context);
  assert.equal((await figures(REQUEST)).size, 0, "there is no store, and that is no error");
  // A sync makes it meanwhile.
  await (await Warehouse.open(place)).close();
  await figures(REQUEST);
  // Whoever opened it anew would find something else.
  await Deno.rename(place, `${place}.moved`);
  await Deno.writeTextFile(place, "not a database");
  assert.equal((await figures(REQUEST)).size, 0);
  await closing.close();
  await assert.rejects(storeFigures(context).figures(REQUEST), /it is not an SQLite file/);
});
