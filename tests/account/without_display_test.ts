import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { diffAccount, pullAccount, pullSheet } from "../../src/account/mod.ts";
import { emulated } from "../support/emulated.ts";

/** A client whose profiles have no Sponsored Display while `refused` is true. */
async function world() {
  const state = { refused: false };
  const inner = await emulated({
    client: {
      fetch: (input, init) =>
        state.refused && new URL(String(input)).pathname.includes("/sd/")
          ? Promise.resolve(new Response('{"code":"403","details":"no access"}', { status: 403 }))
          : fetch(input, init),
    },
  });
  return Object.assign(inner, { state });
}

Deno.test("an account without Display is pulled into files and sheets without it", async () => {
  await using at = await world();
  at.state.refused = true;
  const files = await pullAccount(at.us);
  ok([...files.texts.keys()].some((path) => path.startsWith("sp/")));
  equal([...files.texts.keys()].some((path) => path.startsWith("sd/")), false);
  equal((await diffAccount(at.us, files)).isEmpty, true);
  const { rows } = await pullSheet(at.us);
  deepEqual(Object.keys(rows), ["Portfolios", "Sponsored Products", "Sponsored Brands"]);
  await rejects(pullSheet(at.us, { products: ["Sponsored Display"] }), /403/);
});

Deno.test("Display that the files hold and the account refuses is not taken for gone", async () => {
  await using at = await world();
  const files = await pullAccount(at.us);
  at.state.refused = true;
  await rejects(diffAccount(at.us, files), /403/);
  await rejects(pullAccount(at.us, { files, force: true }), /403/);
});
