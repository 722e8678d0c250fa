import { deepEqual, equal } from "../support/assert.ts";
import { opsSearch, SHOWN_OPERATIONS } from "../../src/operations/reads/ops_search.ts";
import { interfaces } from "./support/interfaces.ts";

interface Found {
  readonly id: string;
}

Deno.test("a search of operations shows the same ones at first in every interface, and all of one API", async () => {
  await using at = await interfaces();
  const ids = (rows: readonly Found[]): string[] => rows.map(({ id }) => id);
  const command = async (input: { text?: string; api?: string }): Promise<string[]> =>
    ids(JSON.parse((await at.adsctl(opsSearch, input, ["--json"])).stdout));
  const page = async (query: string): Promise<string[]> =>
    ids((await at.page.ask(`/api/operations?${query}`)).data.operations);
  const many = await command({ text: "campaigns" });
  equal(many.length, SHOWN_OPERATIONS);
  deepEqual(await page("q=campaigns"), many);
  deepEqual(ids((await at.tool(opsSearch, { text: "campaigns" })).data.rows), many);
  const whole = await command({ api: "sponsored-display" });
  deepEqual(await page("api=sponsored-display"), whole);
  equal((await at.tool(opsSearch, { api: "sponsored-display" })).data.total, whole.length);
  equal(whole.length > SHOWN_OPERATIONS, true);
  equal(at.world.emulator.requests().length, 0);
});
