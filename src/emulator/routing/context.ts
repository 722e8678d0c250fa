import type { ApiHost } from "../core/api_host.ts";
import type { Clock } from "../core/clock.ts";
import type { Faults } from "../faults/fault_engine.ts";
import type { Json } from "../core/json.ts";
import type { Quirks } from "../core/quirks.ts";
import type { Random } from "../core/random.ts";
import type { FileStore } from "../state/file_store.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { ProfileState } from "../state/profile_state.ts";

/** Context of a route for one request, after every check before it has passed. */
export interface Context {
  /** The host of the request. */
  readonly host: ApiHost;
  /** Values of the path's placeholders, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body, `undefined` when there was none; integers past 2^53 - 1 are `bigint`. */
  readonly body: Json | undefined;
  /** Media type of the request's body, without parameters. */
  readonly contentType: string | undefined;
  /** The media type of the response: the first of the route's that the caller accepts. */
  readonly responseType: string;
  /** Id of the advertiser account that the request names in a header. */
  readonly accountId: string | undefined;
  /** Advertiser and marketplace that a clean-room request names in headers. */
  readonly advertiser: { readonly id: string | undefined; readonly marketplaceId: string | undefined };
  /** The profile the request is about; throws for a route that is not scoped. */
  readonly profile: ProfileState;
  /** Everything the emulator remembers. */
  readonly state: EmulatorState;
  /** The emulator's time. */
  readonly clock: Clock;
  /** Repeatable randomness, another sequence for each request. */
  readonly random: Random;
  /** Quirks of the platform that can be switched. */
  readonly quirks: Quirks;
  /** The faults that were chosen for this request. */
  readonly faults: Faults;
  /** Files of reports and exports. */
  readonly files: FileStore;
  /** Address under which the emulator is reached, without a slash at the end. */
  readonly url: string;
}
