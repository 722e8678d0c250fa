import { z } from "zod";
import type { PlanData } from "../../plans/model/plan_data.ts";
import { ConfigurationError } from "../../errors.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";

const ROLLOUT_FILE = "rollout.json";

/** Contents of a rollout file. */
export interface RolloutData {
  /** Version of the format. */
  readonly format: 1;
  /** Time of creation, ISO 8601. */
  readonly created_at: string;
  /** Reason for the rollout. */
  readonly note: string | null;
  /** Time when its rollback was started, ISO 8601. Once set, the rollout is never applied again. */
  readonly undone_at?: string | undefined;
  /** One plan per profile, in the order of application. */
  readonly plans: readonly {
    readonly profile_id: string;
    readonly country_code: string;
    readonly account_name?: string | null | undefined;
    readonly plan_id: string;
    readonly fingerprint: string;
  }[];
  /** Profiles without a plan, and why. */
  readonly left_out: readonly ProfileWithoutPlan[];
  /** Regions and markets whose profiles could not be listed, and why. */
  readonly unreachable: readonly { readonly name: string; readonly reason: string }[];
}

/** A profile that has no plan in a rollout. */
export interface ProfileWithoutPlan {
  /** The platform's id, digits as text. */
  readonly profile_id: string;
  /** Country of the marketplace. */
  readonly country_code: string;
  /** Name of the account, if known. */
  readonly account_name?: string | null | undefined;
  /** Reason for having no plan, as text. */
  readonly reason: string;
  /** True if the plan could not be made; false if none was wanted. @default false */
  readonly failed?: boolean | undefined;
}

const Place = { profile_id: z.string().regex(/^\d{1,20}$/), country_code: z.string().regex(/^[A-Z]{2}$/) };
const RolloutDocument = z.object({
  format: z.literal(1),
  created_at: z.string(),
  note: z.string().nullable(),
  undone_at: z.string().optional(),
  plans: z.array(
    z.object({
      ...Place,
      account_name: z.string().nullish(),
      plan_id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
      fingerprint: z.string(),
    }),
  ),
  left_out: z.array(
    z.object({
      ...Place,
      account_name: z.string().nullish(),
      reason: z.string(),
      failed: z.boolean().optional(),
    }),
  ),
  unreachable: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
});

function rolloutPath(folder: string): string {
  return fileSystem().join(folder, ROLLOUT_FILE);
}

export async function isRollout(folder: string): Promise<boolean> {
  return await fileSystem().isDirectory(folder) && (await fileSystem().list(folder)).includes(ROLLOUT_FILE);
}

export async function writeRollout(folder: string, data: RolloutData): Promise<void> {
  await fileSystem().writeText(rolloutPath(folder), JSON.stringify(data, null, 2) + "\n", { mode: 0o600 });
}

export function placeOf(
  plan: Pick<PlanData, "profileId" | "countryCode" | "id"> & { readonly fingerprint: string },
  names: ReadonlyMap<string, string | null | undefined> | undefined,
): RolloutData["plans"][number] {
  const { profileId: profile_id, countryCode: country_code, id: plan_id, fingerprint } = plan;
  return { profile_id, country_code, account_name: names?.get(profile_id) ?? null, plan_id, fingerprint };
}

/** @throws {ConfigurationError} when the file is missing or has an unsupported version. */
export async function readRollout(folder: string): Promise<RolloutData> {
  const text = await readNamedFile(rolloutPath(folder), "the rollout");
  try {
    const read = RolloutDocument.safeParse(JSON.parse(text));
    if (read.success) return read.data;
  } catch {
    // Reported below.
  }
  throw new ConfigurationError(
    `Cannot use "${rolloutPath(folder)}": it is not a rollout that this release reads`,
  );
}
