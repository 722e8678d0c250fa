import { createHash } from "node:crypto";
import type { JsonObject } from "../../core/json.ts";
import { RouteRefusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { ProfileState } from "../../state/profile_state.ts";

const COLLECTION = "long_jobs";

export interface JobRecord {
  readonly id: string;
  readonly kind: "brand metrics" | "dsp report" | "old dsp report" | "mmm report";
  readonly request: JsonObject;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly fails: boolean;
  readonly cancelledAt?: number;
}

export type JobState = "pending" | "processing" | "done" | "failed" | "cancelled";

export function addJob(
  profile: ProfileState,
  { kind, request }: Pick<JobRecord, "kind" | "request">,
  { state, clock, faults, quirks }: Pick<Context, "state" | "clock" | "faults" | "quirks">,
): JobRecord {
  const now = clock.now();
  const seconds = faults.reportSeconds ?? quirks.reportSeconds;
  const job: JobRecord = {
    id: createHash("sha256").update(`${state.seed} ${state.newId()}`).digest("hex").slice(0, 32),
    kind,
    request,
    createdAt: now,
    startsAt: now + seconds * 300,
    endsAt: now + seconds * 1000,
    fails: faults.reportOutcome !== undefined && faults.reportOutcome !== "COMPLETED",
  };
  profile.collection(COLLECTION).insert(job as unknown as JsonObject);
  return job;
}

export function replaceJob(profile: ProfileState, job: JobRecord): void {
  profile.collection(COLLECTION).replace(job as unknown as JsonObject);
}

export function jobsOf(profile: ProfileState, kind: JobRecord["kind"]): JobRecord[] {
  return profile.collection(COLLECTION).all().map(asJob).filter((job) => job.kind === kind);
}

export function findJob(profile: ProfileState, kind: JobRecord["kind"], id = ""): JobRecord {
  const found = profile.collection(COLLECTION).get(id);
  const job = found && asJob(found);
  if (job?.kind !== kind) throw new RouteRefusal(404, `Report ${id} was not found`);
  return job;
}

export function jobState({ startsAt, endsAt, fails, cancelledAt }: JobRecord, now: number): JobState {
  if (cancelledAt !== undefined) return "cancelled";
  if (now >= endsAt) return fails ? "failed" : "done";
  return now >= startsAt ? "processing" : "pending";
}

export function completedJob(profile: ProfileState, id: string, now: number): JobRecord | undefined {
  const found = profile.collection(COLLECTION).get(id);
  const job = found && asJob(found);
  return job !== undefined && jobState(job, now) === "done" ? job : undefined;
}

function asJob(entity: JsonObject): JobRecord {
  return entity as unknown as JobRecord;
}
