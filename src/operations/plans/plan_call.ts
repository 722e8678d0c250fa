import { catalog } from "../../platform/catalog/catalog.ts";
import { prepareCall } from "../../platform/catalog/prepare_call.ts";
import { CALL_FIELDS, callOf } from "../model/call_fields.ts";
import { allowedPlan, defineWrite, DENIED_FIELD, NOTE_FIELD } from "./write_operation.ts";

export const planCall = defineWrite({
  name: "plan call",
  title: "Plan a call",
  summary: "Plan a call of a write operation, without sending it",
  details:
    "The plan shows method, path and body, and before and after values if an operation that reads the same " +
    "entities is known. It marks what cannot be undone. If another plan command covers the call, you get that " +
    "plan. Mismatches with the published description are warnings; --check strict refuses them.",
  brief:
    "Plans a write operation that no other plan tool covers; sends nothing. Shows the request, with before " +
    "and after values if they can be read.",
  examples: [],
  library:
    'await profile.planCall("sponsored-tv:UpdateSponsoredTvCampaigns", { campaigns: [{ campaignId: "9", name: "A" }] })',
  input: { ...CALL_FIELDS, ...NOTE_FIELD, ...DENIED_FIELD },
  async check(input) {
    prepareCall(await catalog.get(input.operation), callOf(input));
  },
  async run({ profile, signal }, { operation, note, check, skip_denied, ...call }) {
    const { id } = await catalog.get(operation);
    const { body, ...rest } = callOf(call);
    const plan = await profile.planCall<string>(id, body, { ...rest, note, check, signal });
    return await allowedPlan(plan, { profile, signal }, { skip_denied });
  },
});
