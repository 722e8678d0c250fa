import type { ProfileClient } from "../../../client/profile_client.ts";
import { spellKind } from "../../../platform/catalog/kind_names.ts";
import type { DriftedField } from "../../../errors.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";

const MAX_ITEMS = 20;

/**
 * Suggests a call that plans the updates again, with gaps for values based on outdated ones; `undefined` for other
 * plans, undo plans and very large ones.
 */
export function planAgain(
  { changes, profileId, reverses }: Pick<ChangePlan, "changes" | "profileId" | "reverses">,
  drifted: readonly DriftedField[],
  profile: Pick<ProfileClient, "resource">,
): string | undefined {
  const [first] = changes;
  const isOneKind = changes.every(({ op, kind }) => op === "update" && kind === first?.kind);
  if (first === undefined || reverses !== null || !isOneKind || changes.length > MAX_ITEMS) return undefined;
  const { idField } = profile.resource(first.kind);
  const isGap = (id: string | null, field: string): boolean =>
    drifted.some((one) => one.id === id && one.field === field);
  const items = changes.map(({ id, after }) => {
    const fields = Object.entries(after).map(([field, value]) =>
      `${JSON.stringify(field)}: ${isGap(id, field) ? "…" : JSON.stringify(value)}`
    );
    return `{${[`"${idField}": "${id}"`, ...fields].join(", ")}}`;
  });
  const [market, entity] = [profileId, spellKind(first.kind)].map((text) => JSON.stringify(text));
  return visibleText(
    `plan_update({"market": ${market}, "entity": ${entity}, "items": [${items.join(", ")}]})`,
  );
}
