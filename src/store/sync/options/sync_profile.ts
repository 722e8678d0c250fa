import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";

/** A profile that `sync` can read, such as a `ProfileClient`. */
export interface SyncProfile extends ProfileScope {
  /** Its record: the time zone decides what yesterday is, and the kind of account what reporting 1 counts. */
  readonly profile?:
    | {
      readonly timezone?: string | undefined;
      readonly accountInfo?:
        | { readonly type?: string; readonly id?: string; readonly [field: string]: unknown }
        | undefined;
    }
    | undefined;
  /** Every profile that the login reaches; tells whether a store belongs to it. */
  loginProfiles?(): Promise<readonly { readonly profileId: string }[]>;
}
