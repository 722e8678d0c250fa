import { deepEqual } from "../../support/assert.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import type { PriorState } from "../../../src/plans/model/prior_state.ts";
import { accountState, stepsOf } from "../../support/account_state.ts";
import { figureEntities } from "../../../src/plans/review/figures_source.ts";

function wanted(change: Partial<Change>, account: PriorState = accountState(() => ({}))): string[] {
  const whole: Change = {
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: {},
    after: {},
    label: "x",
    ...change,
  };
  return figureEntities(stepsOf([whole, whole], account)).map(({ kind, id }) => `${kind} ${id}`);
}

Deno.test("figures are wanted of what changes and of the campaign that it is in, once each", () => {
  deepEqual(wanted({}), ["sp.keywords 9"]);
  deepEqual(wanted({ op: "create", id: null, after: { campaignId: "2" } }), ["sp.campaigns 2"]);
  const account = accountState(() => ({ campaignId: "3" }));
  deepEqual(wanted({ kind: "sb.keywords" }, account), ["sb.keywords 9", "sb.campaigns 3"]);
  deepEqual(wanted({ kind: "portfolios", campaignId: "1" }), ["portfolios 9"]);
});
