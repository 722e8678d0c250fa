import type { JsonObject } from "../../core/json.ts";
import type { Context } from "../../routing/context.ts";
import { targetMetadata } from "../sponsored_products/targets.ts";

/** Change history fields of a product target of Brands. */
function brandsTargetMetadata(target: JsonObject): Readonly<Record<string, string>> {
  return {
    campaignId: String(target.campaignId),
    adGroupId: String(target.adGroupId),
    ...targetMetadata({ expression: target.expressions ?? [], expressionType: "MANUAL" }),
  };
}

/** Writes what is new of a product target into the change history; without `before` it is a new one. */
export function recordTargetChanges(
  { before, after }: { before?: JsonObject; after: JsonObject },
  { profile, clock }: Pick<Context, "profile" | "clock">,
): void {
  const changes: readonly (readonly [type: string, from: string | null, to: string | null])[] =
    before === undefined ? [["CREATED", null, "ENABLED"]] : [
      ["STATUS", String(before.state).toUpperCase(), String(after.state).toUpperCase()],
      ["BID_AMOUNT", textOf(before.bid), textOf(after.bid)],
    ];
  for (const [changeType, previousValue, newValue] of changes) {
    if (previousValue === newValue) continue;
    profile.recordEvent({
      entityType: "PRODUCT_TARGETING",
      entityId: String(after.targetId),
      changeType,
      previousValue,
      newValue,
      timestamp: clock.now(),
      metadata: brandsTargetMetadata(after),
    });
  }
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : String(value);
}
