import { fieldsOf } from "../../base/json/fields_of.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { type AmountChange, changedParts, type ChangesSource } from "../model/amount_changes.ts";
import { isPlanId, PlanPlaces } from "./plan_places.ts";
import { readRecord } from "./read_record.ts";

const SENT: ReadonlySet<unknown> = new Set(["done", "partial", "unknown"]);

/**
 * Finds changes made by the plans in folders, for the option `changes` of a client: jobs skip entities changed during
 * or after the days that they judge. The platform's own history lacks changes of Sponsored Display and reports others
 * late.
 *
 * @param folders Paths of folders of plans, or a function that finds them anew each time.
 *
 * @example
 * ```ts
 * import { type Credentials, type Platform, PlatformAds } from "@platform/ads";
 * import { changedIn } from "@platform/ads/plans";
 *
 * function client(credentials: Credentials, platform: Platform): PlatformAds {
 *   return new PlatformAds(credentials, { platform, changes: changedIn(["plans"]) });
 * }
 * ```
 */
export function changedIn(folders: readonly string[] | (() => Promise<readonly string[]>)): ChangesSource {
  return async (profileId, since) => {
    const places = typeof folders === "function" ? await folders() : folders;
    return (await Promise.all(places.map((folder) => changesOf(folder, profileId, since)))).flat();
  };
}

async function changesOf(folder: string, profileId: string, since: number): Promise<AmountChange[]> {
  const places = new PlanPlaces(folder);
  const files = fileSystem();
  const found: AmountChange[] = [];
  for (const name of await files.list(files.dirname(places.result("any")))) {
    const [, id] = /^plan-(.{1,64})\.result\.json$/.exec(name) ?? [];
    if (!isPlanId(id)) continue;
    const { profile_id: of, applied_at: appliedAt, changes } = fieldsOf(await readRecord(places.result(id)));
    const at = Date.parse(String(appliedAt));
    if (of !== profileId || !(at >= since) || !Array.isArray(changes)) continue;
    for (const change of changes.map(fieldsOf)) {
      if (typeof change["id"] !== "string" || !SENT.has(change["outcome"]) || change["op"] === "create") {
        continue;
      }
      const parts = change["op"] === "archive" ? ["state" as const] : partsOf(change["fields"]);
      found.push(...parts.map((part) => ({ id: change["id"] as string, part, at })));
    }
  }
  return found;
}

function partsOf(names: unknown): ReturnType<typeof changedParts> {
  if (!Array.isArray(names)) return ["bid", "budget", "state"];
  return changedParts(Object.fromEntries(names.map((name) => [String(name), null])));
}
