import type { PlatformAds } from "../../../client/platform_ads.ts";
import type { ApprovalKeyFiles } from "../../../plans/approve/approval_key.ts";
import type { PlanStore } from "../../../plans/store/plan_store.ts";
import type { Conversion } from "../../../store/model/store_view.ts";
import type { EventHub } from "./event_hub.ts";
import type { PlanJobs } from "./plan_jobs.ts";
import type { RolloutJobs } from "./rollout_jobs.ts";
import type { SyncJob } from "./sync_job.ts";

/** A folder of plans that the console shows. */
export interface PlanFolder {
  /** Source of the plans there: agents through the tool server, or people with adsctl and programs. */
  readonly maker: "agent" | "person";
  readonly store: PlanStore;
}

/** Account, folders and settings of the console. */
export interface ConsoleOptions {
  /** The account. */
  readonly ads: PlatformAds;
  readonly folders: readonly PlanFolder[];
  /** The person's key, which signs approvals. */
  readonly key: ApprovalKeyFiles;
  /** Path or address of the report store; it may not exist yet. */
  readonly storePlace: string;
  /** Paths of the files of schedules, pacing and the service; they may not exist. */
  readonly files: { readonly schedules: string; readonly pacing: string; readonly service: string };
  /** Currency that amounts can be converted to, with its rates; without it each currency stands for itself. */
  readonly conversion?: Conversion | undefined;
  /** Runs queries in a process of its own, as a program and its first arguments; in this one when absent. */
  readonly program?: readonly string[] | undefined;
  /** Address of the emulator behind a demo account; `undefined` for a real one. */
  readonly emulator?: string | undefined;
  /** Options for commands that pages suggest, so that they reach this account and this store; none when absent. */
  readonly commandOptions?: { readonly account: string; readonly store: string } | undefined;
  /** Refuse whatever changes something. */
  readonly readOnly: boolean;
  readonly now: () => number;
  /** Fires when the console ends: plans that are sent stop after the request in flight. */
  readonly stop: AbortSignal;
}

/** Services for the routes of the API. */
export interface ConsoleContext extends ConsoleOptions {
  readonly events: EventHub;
  readonly jobs: PlanJobs;
  readonly sync: SyncJob;
  readonly rollouts: RolloutJobs;
}
