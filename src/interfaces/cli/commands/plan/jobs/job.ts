import type { Option } from "@commander-js/extra-typings";
import type { JobResult } from "../../../../../account/jobs/job_result.ts";
import type { ProfileClient } from "../../../../../client/profile_client.ts";
import type { ReportPresetName } from "../../../../../client/reports/requests/presets.ts";
import type { JobFigures } from "../../../../../operations/jobs/job_operation.ts";
import type { Fields, InputOf } from "../../../../../operations/model/field.ts";
import type { CommandDoc } from "../../../shell/command.ts";
import type { ManyProfilesOptions } from "../../../shell/options/many_profiles.ts";
import type { StoreOptions } from "../../../shell/options/store_option.ts";

export interface JobOptions extends ManyProfilesOptions, StoreOptions {
  readonly sync: boolean;
  readonly fromFiles?: true;
  /** Time in the past; the plan uses only what was known then. */
  readonly asOf?: string;
  readonly holdBack?: number;
  readonly note?: string;
  readonly out?: string;
  readonly writeMap?: string;
  readonly check?: true;
}

export interface JobFiles<Of extends Fields, Result extends JobResult> {
  readonly options?: readonly Option[];
  readonly examples?: CommandDoc["examples"];
  readonly check?: (options: JobOptions) => void;
  readonly checked?: (input: InputOf<Of>) => Promise<readonly string[]>;
  readonly after?: (
    result: Result,
    given: { readonly options: JobOptions; readonly input: InputOf<Of> },
  ) => Promise<readonly string[]>;
}

export interface Job<Result extends JobResult> {
  readonly fileReports: readonly ReportPresetName[] | undefined;
  readonly checked: readonly string[];
  readonly lines: (result: Result) => readonly string[];
  readonly data: (result: Result) => Readonly<Record<string, unknown>>;
  readonly run: (profile: ProfileClient, figures: JobFigures, isWhole?: boolean) => Promise<Result>;
  readonly checkProfiles: (profiles: readonly ProfileClient[]) => void;
  readonly after: (result: Result) => Promise<readonly string[]>;
}
