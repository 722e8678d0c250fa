import type { ProfileScope } from "../../platform/transport/profile_scope.ts";

/** A profile that `sync` can read, such as a `ProfileClient`. */
export interface SyncProfile extends ProfileScope {
  /**
   * Record of the profile: its time zone determines yesterday, and its account type determines what the new reports
   * count.
   */
  readonly profile?:
    | {
      readonly timezone?: string | undefined;
      readonly accountInfo?:
        | { readonly type?: string; readonly id?: string; readonly [field: string]: unknown }
        | undefined;
    }
    | undefined;
  /** Every profile that the login can access; shows if the store belongs to the login. */
  loginProfiles?(): Promise<readonly { readonly profileId: string }[]>;
}
