import type { Option } from "@commander-js/extra-typings";
import type { JobResult } from "../../../../../account/jobs/job_result.ts";
import type { ProfileClient } from "../../../../../client/profile_client.ts";
import type { ReportPresetName } from "../../../../../client/reports/requests/presets.ts";
import type { JobFigures } from "../../../../../operations/jobs/job_operation.ts";
import type { Fields, InputOf } from "../../../../../operations/model/field.ts";
import type { CommandDoc } from "../../../shell/command.ts";
import type { ManyProfilesOptions } from "../../../shell/options/many_profiles.ts";
import type { StoreOptions } from "../../../shell/store/store_place.ts";

/** Options of every weekly job beside the fields of its operation. */
export interface JobOptions extends ManyProfilesOptions, StoreOptions {
  /** False to judge by what is stored. */
  readonly sync: boolean;
  /** True to work on imported files alone. */
  readonly fromFiles?: true;
  /** Moment of whose knowledge the plan is made. */
  readonly asOf?: string;
  /** Share to hold back. */
  readonly holdBack?: number;
  readonly note?: string;
  readonly out?: string;
  /** File for the map of a harvest. */
  readonly writeMap?: string;
  /** True to check the input alone. */
  readonly check?: true;
}

/** Parts of a job's command that are about files, which other interfaces do not have. */
export interface JobFiles<Of extends Fields, Result extends JobResult> {
  readonly options?: readonly Option[];
  readonly examples?: CommandDoc["examples"];
  /** Refuses options before anything is read. */
  readonly check?: (options: JobOptions) => void;
  /** Lines about an input that was only checked. */
  readonly checked?: (input: InputOf<Of>) => Promise<readonly string[]>;
  /** Further work once the plan exists; its lines are printed for people. */
  readonly after?: (
    result: Result,
    given: { readonly options: JobOptions; readonly input: InputOf<Of> },
  ) => Promise<readonly string[]>;
}

/** A weekly job with the input of one command line. */
export interface Job<Result extends JobResult> {
  /** Reports that it judges by and that files can bring. */
  readonly fileReports: readonly ReportPresetName[] | undefined;
  /** Lines about an input that was only checked. */
  readonly checked: readonly string[];
  /** Lines for people after the plan. */
  readonly lines: (result: Result) => readonly string[];
  /** Fields of `--json` beside those of every job. */
  readonly data: (result: Result) => Readonly<Record<string, unknown>>;
  /** Makes the plan of a profile. */
  readonly run: (profile: ProfileClient, figures: JobFigures, isWhole?: boolean) => Promise<Result>;
  /** Throws where the input cannot be used for all of these profiles. */
  readonly checkProfiles: (profiles: readonly ProfileClient[]) => void;
  /** Further work once the plan exists; its lines are printed for people. */
  readonly after: (result: Result) => Promise<readonly string[]>;
}
