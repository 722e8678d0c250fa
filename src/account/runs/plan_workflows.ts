import { fieldsOf } from "../../base/json/fields_of.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import type { CleanRoom } from "../../client/clean_room/clean_room.ts";
import type { Workflow, WorkflowSchedule } from "../../client/clean_room/clean_room_types.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { reviewed } from "../../plans/change_plan/reviewed.ts";
import { repeatedIds } from "./load_workflows.ts";
import type { WorkflowFile } from "./workflow_file.ts";

/** A difference between files and a clean room. */
export interface WorkflowDifference {
  /** A workflow, or the schedule of a workflow. */
  readonly kind: "workflow" | "schedule";
  /** Id of the workflow or schedule. */
  readonly id: string;
  /** `new` — only in a file; `changed` — different in the file and the clean room; `only stored` — in no file. */
  readonly state: "new" | "changed" | "only stored";
  /** Fields that differ, if the state is `changed`. */
  readonly fields: readonly string[];
  /** File that defines the workflow or schedule; `null` for `only stored`. */
  readonly source: string | null;
}

/** Options for comparing files with a clean room. */
export interface CompareWorkflowsOptions {
  /** Aborts reading the clean room. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for planning the workflows in files. */
export interface PlanWorkflowsOptions extends CompareWorkflowsOptions {
  /** True to delete stored workflows and schedules that are in no file. @default false */
  readonly prune?: boolean | undefined;
  /** Reason, saved in the plan. */
  readonly note?: string | undefined;
}

type Definition = Workflow | WorkflowSchedule;

interface Compared extends WorkflowDifference {
  readonly wanted: Definition | undefined;
}

/**
 * Compares the workflows and schedules in files with the stored ones.
 *
 * @throws {ConfigurationError} for files with the same workflow or schedule.
 *
 * @example
 * ```ts
 * import type { CleanRoom } from "@platform/ads";
 * import { compareWorkflows, loadWorkflows } from "@platform/ads/account";
 *
 * async function drift(room: CleanRoom): Promise<void> {
 *   for (const { kind, id, state } of await compareWorkflows(room, await loadWorkflows(["queries"]))) {
 *     console.log(kind, id, state);
 *   }
 * }
 * ```
 */
export async function compareWorkflows(
  room: CleanRoom,
  files: readonly WorkflowFile[],
  options: CompareWorkflowsOptions = {},
): Promise<WorkflowDifference[]> {
  return (await compare(room, files, options)).map(({ wanted: _, ...difference }) => difference);
}

/**
 * Plans the changes that make the stored workflows and schedules match the files. Anything that a file does not
 * mention stays unchanged. The plan belongs to a profile and is checked against the profile's policy.
 *
 * @param profile Profile in the region of the clean room.
 * @throws {ConfigurationError} for files with the same workflow or schedule, or a profile of another region.
 *
 * @example
 * ```ts
 * import type { CleanRoom, ProfileClient } from "@platform/ads";
 * import { loadWorkflows, planWorkflows } from "@platform/ads/account";
 *
 * async function store(us: ProfileClient, room: CleanRoom): Promise<void> {
 *   const plan = await planWorkflows(us, room, await loadWorkflows(["queries"]), { prune: true });
 *   console.log(plan.toMarkdown());
 *   await plan.apply(us, { checkDrift: true });
 * }
 * ```
 */
export async function planWorkflows(
  profile: ProfileClient,
  room: CleanRoom,
  files: readonly WorkflowFile[],
  options: PlanWorkflowsOptions = {},
): Promise<ChangePlan> {
  const { note, prune = false, signal } = options;
  const { region, instanceId } = room.instance;
  if (profile.profile.region !== region) {
    throw new ConfigurationError(
      `Cannot plan workflows of ${instanceId} with profile ${profile.profileId}: the clean room is in region ${region}. ` +
        "Choose a profile there",
    );
  }
  const found = await compare(room, files, options);
  const plans: ChangePlan[] = [];
  for (const step of inOrder(found, prune)) {
    const { pathParams, headers } = room.place;
    const { operation, id, body } = callOf(step);
    plans.push(
      await profile.planCall<string>(operation, body, {
        headers,
        pathParams: { ...pathParams, ...id },
        ...(note === undefined ? {} : { note }),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  }
  if (plans.length > 0) return ChangePlan.merge(plans);
  const { profileId, countryCode } = profile;
  return await reviewed({ profileId, countryCode, changes: [], warnings: [], note: note ?? null }, profile, {
    signal,
  });
}

/** Orders the changes: schedules that reference a workflow are deleted before it and created after it. */
function inOrder(found: readonly Compared[], prune: boolean): Compared[] {
  const removed = prune ? found.filter(({ state }) => state === "only stored") : [];
  const written = found.filter(({ state }) => state !== "only stored");
  const of = (list: readonly Compared[], kind: Compared["kind"]): Compared[] =>
    list.filter((one) => one.kind === kind);
  return [
    ...of(removed, "schedule"),
    ...of(written, "workflow"),
    ...of(written, "schedule"),
    ...of(removed, "workflow"),
  ];
}

function callOf({ kind, id, state, wanted }: Compared): {
  readonly operation: string;
  readonly id: Readonly<Record<string, string>>;
  readonly body: Definition | undefined;
} {
  const verb = state === "new" ? "create" : state === "changed" ? "update" : "delete";
  const noun = kind === "workflow" ? "Workflow" : "Schedule";
  return {
    operation: `workflow-management-service:${verb}${noun}`,
    id: verb === "create" ? {} : { [`${kind}Id`]: id },
    body: wanted,
  };
}

async function compare(
  room: CleanRoom,
  files: readonly WorkflowFile[],
  { signal }: CompareWorkflowsOptions,
): Promise<Compared[]> {
  const workflows = files.map(({ source, workflow, removes = [] }) => ({
    source,
    id: workflow.workflowId,
    wanted: workflow,
    removes,
  }));
  const schedules = files.flatMap(({ source, schedule }) =>
    schedule === undefined ? [] : [{ source, id: schedule.scheduleId, wanted: schedule, removes: [] }]
  );
  const twice = repeatedIds(files);
  if (twice.length > 0) throw new ConfigurationError(`Cannot use these files together: ${twice.join("; ")}`);
  const [storedWorkflows, storedSchedules] = await Promise.all([
    room.workflows({ signal }),
    room.schedules({ signal }),
  ]);
  return [
    ...differencesOf("workflow", workflows, new Map(storedWorkflows.map((one) => [one.workflowId, one]))),
    ...differencesOf("schedule", schedules, new Map(storedSchedules.map((one) => [one.scheduleId, one]))),
  ];
}

interface Wanted {
  readonly source: string;
  readonly id: string;
  readonly wanted: Definition;
  readonly removes: readonly string[];
}

function differencesOf(
  kind: Compared["kind"],
  wanted: readonly Wanted[],
  stored: ReadonlyMap<string, Definition>,
): Compared[] {
  const named = new Set(wanted.map(({ id }) => id));
  const written = wanted.flatMap(({ id, source, wanted, removes }): Compared[] => {
    const now = stored.get(id);
    if (now === undefined) return [{ kind, id, state: "new", fields: [], source, wanted }];
    const next = merged(wanted, { now, removes });
    const fields = differingFields(next, now);
    return fields.length === 0 ? [] : [{ kind, id, state: "changed", fields, source, wanted: next }];
  });
  const left = [...stored.keys()].filter((id) => !named.has(id));
  return [
    ...written,
    ...left.map((id): Compared => ({
      kind,
      id,
      state: "only stored",
      fields: [],
      source: null,
      wanted: undefined,
    })),
  ];
}

function merged(
  wanted: Definition,
  { now, removes }: { readonly now: Definition; readonly removes: readonly string[] },
): Definition {
  const stored = new Map<string, unknown>(Object.entries(now));
  const fields = Object.entries(wanted).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((part) => ({ ...partOf(stored.get(name), part.name), ...part })) : value,
  ]);
  const kept = [...stored].filter(([name]) => !removes.includes(name));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(fields) };
}

function partOf(list: unknown, name: unknown): object {
  return [list ?? []].flat().map(fieldsOf).find((part) => part["name"] === name) ?? {};
}

function differingFields(wanted: Definition, now: Definition): string[] {
  const [one, other] = [new Map(Object.entries(wanted)), new Map(Object.entries(now))];
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) =>
    !sameValue(one.get(name), other.get(name))
  );
}
