import type { ProfileClient } from "../../client/profile_client.ts";
import type { Fields } from "../model/field.ts";
import type { Operation } from "../model/operation.ts";

/** Profile that an operation reads. */
export interface ReadContext {
  readonly profile: ProfileClient;
  readonly signal: AbortSignal;
}

/** An operation that lists something of a profile, item by item. */
export interface ListOperation<Of extends Fields, Item>
  extends Operation<Of, ReadContext, AsyncIterable<Item>> {
  readonly effect: "read";
  /** Plural noun of the items. */
  readonly noun: string;
}

/** Declares an operation that lists something of a profile. */
export function defineList<const Of extends Fields, Item>(
  operation: Omit<ListOperation<Of, Item>, "effect">,
): ListOperation<Of, Item> {
  return { ...operation, effect: "read" };
}
