import type { PlatformAds } from "../../../client/platform_ads.ts";
import type { ApprovalKeyFiles } from "../../../plans/review/approval_key.ts";
import type { ServiceFile } from "../../../automation/service/model/service.ts";
import type { PlanStore, PlanStoreOptions } from "../../../plans/store/plan_store.ts";
import type { Conversion } from "../../../store/model/store_view.ts";
import type { ProgramCommand } from "../../../store/model/query_question.ts";
import type { SharedStore } from "../../../store/warehouse/shared_store.ts";
import type { EventHub } from "./event_hub.ts";
import type { PlanJobs } from "./plan_jobs.ts";
import type { RolloutJobs } from "./rollout_jobs.ts";
import type { SyncJob } from "./sync_job.ts";

export interface PlanFolder {
  readonly maker: "agent" | "person";
  readonly store: PlanStore;
}

export interface ConsoleOptions {
  readonly ads: PlatformAds;
  readonly folders: readonly PlanFolder[];
  /** As the stores of the folders were opened. */
  readonly beside?: PlanStoreOptions["beside"];
  /** Lets later commands find the plans of a folder. */
  readonly rememberPlans?: ((folder: string) => Promise<void>) | undefined;
  readonly key: ApprovalKeyFiles;
  readonly storePlace: string;
  /** Path or address of the store in which a service keeps its state. */
  readonly serviceStore: (file: Pick<ServiceFile, "store">) => string;
  readonly files: { readonly schedules: string; readonly pacing: string; readonly service: string };
  /** Currency conversion with its rates; without it, currencies are shown separately. */
  readonly conversion?: Conversion | undefined;
  /**
   * Command that starts this program again, to run queries in a subprocess.
   *
   * @default queries run in this process
   */
  readonly program?: ProgramCommand | undefined;
  readonly emulator?: string | undefined;
  readonly commandOptions?: { readonly account: string; readonly store: string } | undefined;
  readonly readOnly: boolean;
  readonly now: () => number;
  /** Fires when the console stops; plans then stop after the request in flight. */
  readonly stop: AbortSignal;
}

export interface ConsoleContext extends ConsoleOptions {
  readonly events: EventHub;
  readonly jobs: PlanJobs;
  readonly sync: SyncJob;
  readonly rollouts: RolloutJobs;
  readonly store: SharedStore;
}
