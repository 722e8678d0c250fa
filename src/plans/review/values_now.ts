import type { Change, EntityFields } from "../change.ts";
import type { AccountReading } from "./account_reading.ts";

/**
 * What the entity of a change holds now: the account's values, then what the plan says was there. What a plan says of the
 * account comes last, for it may be made up; an entity that is new has no values.
 */
export function valuesNow({ kind, op, id, before }: Change, account: AccountReading): EntityFields {
  if (op === "create") return {};
  const entity = account.entity(kind, id);
  return entity === undefined ? before : { ...before, ...entity };
}
