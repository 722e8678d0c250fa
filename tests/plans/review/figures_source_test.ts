import { deepEqual } from "../../support/assert.ts";
import type { Change } from "../../../src/plans/change.ts";
import { UNREAD_ACCOUNT } from "../../../src/plans/review/account_reading.ts";
import { figureEntities } from "../../../src/plans/review/figures_source.ts";

function wanted(change: Partial<Change>, account = UNREAD_ACCOUNT): string[] {
  const whole: Change = {
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: {},
    after: {},
    label: "x",
    ...change,
  };
  return figureEntities([whole, whole], account).map(({ kind, id }) => `${kind} ${id}`);
}

Deno.test("figures are wanted of what changes and of the campaign that it is in, once each", () => {
  deepEqual(wanted({}), ["sp.keywords 9"]);
  deepEqual(wanted({ campaignId: "1" }), ["sp.keywords 9", "sp.campaigns 1"]);
  deepEqual(wanted({ op: "create", id: null, after: { campaignId: "2" } }), ["sp.campaigns 2"]);
  deepEqual(wanted({ op: "create", id: null, after: { campaignId: { ref: "c1" } } }), []);
  const account = { ...UNREAD_ACCOUNT, entity: () => ({ campaignId: "3" }) };
  deepEqual(wanted({ kind: "sb.keywords" }, account), ["sb.keywords 9", "sb.campaigns 3"]);
  deepEqual(wanted({ kind: "portfolios", campaignId: "1" }), ["portfolios 9"]);
});
