import type { BaseCallOptions } from "../../platform/catalog/call_types.ts";
import type { PlanReviewer } from "../../plans/change_plan/reviewed.ts";

/** Options for planning an upload. */
export interface PlanUploadOptions {
  /** Values for placeholders in the path, such as `dataSetId`. */
  readonly pathParams?: Readonly<Record<string, string>> | undefined;
  /** Headers that identify an account. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Fields of each body in addition to the rows. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** True to normalize and hash personal values that are not SHA-256 hashes yet. @default false, refuses them */
  readonly hash?: boolean | undefined;
  /** Number of rows per request, up to the maximum of the operation. @default those that are advised */
  readonly atOnce?: number | undefined;
  /** Reason, saved in the plan. */
  readonly note?: string | undefined;
  /** Aborts the review. */
  readonly signal?: AbortSignal | undefined;
}

export interface PlanUploadParts extends PlanReviewer {
  readonly profile: { readonly accountInfo: { readonly type?: string } };
  call(operation: string, body: unknown, options: BaseCallOptions): Promise<unknown>;
  readonly profileId: string;
  readonly countryCode: string;
  readonly transport: { readonly now: () => number };
}
