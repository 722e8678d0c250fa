import type { ProfileClient } from "../../client/profile_client.ts";
import type { Fields } from "../model/field.ts";
import type { Operation } from "../model/operation.ts";

export interface ReadContext {
  readonly profile: ProfileClient;
  readonly signal: AbortSignal;
}

export interface ListOperation<Of extends Fields, Item>
  extends Operation<Of, ReadContext, AsyncIterable<Item>> {
  readonly effect: "read";
  readonly noun: string;
}

export function defineList<const Of extends Fields, Item>(
  operation: Omit<ListOperation<Of, Item>, "effect">,
): ListOperation<Of, Item> {
  return { ...operation, effect: "read" };
}
