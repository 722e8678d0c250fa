/**
 * A process of its own that applies a plan, or takes it up, so that it can be killed: `apply_runner.ts <job.json>`.
 * Ends with 0 once the plan is through.
 */
import { ChangePlan, type Credentials, type Platform, PlatformAds, resumePlan } from "../../../mod.ts";

/** What the process is to do. */
export interface ApplyJob {
  readonly platform: Platform;
  readonly credentials: Credentials;
  readonly profileId: string;
  readonly countryCode: string;
  /** Path of the plan file. */
  readonly plan: string;
  /** Path of the journal. */
  readonly journal: string;
  /** Take up what another process began. */
  readonly resume: boolean;
  /** Seconds that a request of a dead process may still be under way. */
  readonly settleAfter: number;
}

if (import.meta.main) {
  const job = JSON.parse(await Deno.readTextFile(Deno.args[0]!)) as ApplyJob;
  const { journal, settleAfter } = job;
  const ads = new PlatformAds(job.credentials, { platform: job.platform });
  const profile = ads.profileFrom(job.profileId, job.countryCode);
  const plan = await ChangePlan.load(job.plan);
  // The line tells the test that the process is up; a kill by time counts from here.
  console.log("begun");
  if (job.resume) await resumePlan(plan, profile, { journal, settleAfter });
  else await plan.apply(profile, { journal });
}
