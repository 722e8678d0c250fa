import type { ProfileClient } from "../../client/profile_client.ts";
import { AccountFiles } from "../files/account_files.ts";
import { SETTINGS_FILE } from "../files/account_settings.ts";
import { diffAccount } from "../files/diff/diff_account.ts";
import { changeRows } from "../../plans/view/change_rows.ts";
import type { DriftEntry } from "./drift_entry.ts";
import type { NamedEvent } from "./named_events.ts";
import { fieldsOfEvent } from "./plan_record.ts";

/**
 * Finds differences between the account and the pulled files that the history does not report: fields, new entities and
 * archived ones. Files that were edited since say what is wanted, and not what was, so they are left out.
 *
 * @param options.known Changes that the history reports.
 */
export async function stateDrift(
  profile: ProfileClient,
  files: AccountFiles,
  { known, signal }: { known: readonly NamedEvent[]; signal: AbortSignal | undefined },
): Promise<DriftEntry[]> {
  const asPulled = [...files.texts].filter(([path]) =>
    path === SETTINGS_FILE || files.isAsPulled(path, profile.profileId)
  );
  const edited = new Set([...files.texts.keys()].filter((path) => !asPulled.some(([own]) => own === path)));
  const diff = await diffAccount(
    profile,
    AccountFiles.fromTexts(new Map(asPulled), { lock: files.lock }),
    { signal },
  );
  const editedIds = new Set(
    Object.entries(files.lock?.profiles[profile.profileId]?.files ?? {}).flatMap(([path, { campaign }]) =>
      edited.has(path) && campaign !== undefined ? [campaign.id] : []
    ),
  );
  const reported = new Set(known.flatMap(({ event }) => [
    `${event.entityId} ${event.changeType}`,
    ...fieldsOfEvent(event).map((field) => `${event.entityId} ${field.split(".")[0]}`),
  ]));
  const entry = (
    { kind, id, label }: { kind: string; id: string | null; label: string },
    rest: Pick<DriftEntry, "change" | "before" | "after">,
  ): DriftEntry => ({ at: null, kind, id: id ?? "", label, ...rest, by: "other", plan: null });
  const changed = diff.updates.flatMap((one) =>
    changeRows([{
      kind: one.kind,
      op: "update",
      id: one.id,
      label: one.label,
      before: one.after,
      after: one.before,
    }])
      .filter(({ field }) => !reported.has(`${one.id} ${field.split(".")[0]}`))
      .map(({ field, before, after }) =>
        entry(one, { change: field, before: before ?? null, after: after ?? null })
      )
  );
  const gone = diff.creates
    .filter(({ label }) =>
      !known.some((event) => event.label === label && event.event.newValue === "ARCHIVED")
    )
    .map((one) => entry(one, { change: "REMOVED", before: one.after["state"] ?? null, after: null }));
  const added = diff.extras
    .filter(({ id }) => id !== null && !editedIds.has(id) && !reported.has(`${id} CREATED`))
    .map((one) => entry(one, { change: "CREATED", before: null, after: one.before["state"] ?? null }));
  return [...changed, ...gone, ...added];
}
