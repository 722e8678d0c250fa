import { match, rejects } from "../support/assert.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("a default bid falls no further than max_decrease, whatever bids of their own are below it", async () => {
  await using world = await emulated({ client: { policy: parsePolicy("version: 1\nmax_decrease: 20%") } });
  const { us } = world;
  const groups = await us.sp.adGroups.list({ states: ["ENABLED"] });
  for (const { adGroupId, defaultBid } of groups.slice(0, 4)) {
    const items = [{ adGroupId, defaultBid: Math.round(defaultBid * 50) / 100 }];
    await rejects(us.sp.adGroups.update(items), (error: Error) => {
      match(error.message, /a decrease of .* is above 20\.0 %/);
      return true;
    });
  }
});
