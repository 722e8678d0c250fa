import { readMoment } from "../../base/time/moment.ts";
import { HISTORY_CHANGE_TYPES, HISTORY_ENTITY_TYPES } from "../../client/insights/history_event.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Fields } from "./field.ts";

export const HISTORY_FIELDS = {
  until: { type: "moment", edge: "end", help: "end of the period, in the same format", otherwise: "now" },
  entity_types: {
    type: "codes",
    known: HISTORY_ENTITY_TYPES,
    value: "types",
    help: "only campaign, ad-group, ad, keyword, negative-keyword, product-targeting",
  },
  campaign_ids: { type: "ids", help: "only these campaigns and their contents" },
} as const satisfies Fields;

export const CHANGES_FIELD = {
  type: "codes",
  known: HISTORY_CHANGE_TYPES,
  value: "changes",
  help: "only bid-amount, budget-amount, status, created, name, ...",
} as const;

export function momentsIn(
  profile: ProfileClient,
  { since, until }: { readonly since: string; readonly until?: string | undefined },
): { readonly since: number; readonly until: number | undefined } {
  const days = { now: profile.transport.now(), timeZone: profile.timeZone };
  return {
    since: readMoment(since, "since", days),
    until: until === undefined ? undefined : readMoment(until, "until", { ...days, edge: "end" }),
  };
}
