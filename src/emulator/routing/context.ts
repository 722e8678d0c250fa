import type { ApiHost } from "../core/marketplaces.ts";
import type { Clock } from "../core/clock.ts";
import type { Faults } from "../faults/fault_engine.ts";
import type { Json } from "../core/json.ts";
import type { Quirks } from "../core/quirks.ts";
import type { Random } from "../core/random.ts";
import type { FileStore } from "../state/file_store.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { ProfileState } from "../state/profile_state.ts";

export interface Context {
  readonly host: ApiHost;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` without a body; integers above 2^53 - 1 are `bigint`. */
  readonly body: Json | undefined;
  readonly contentType: string | undefined;
  readonly responseType: string;
  readonly accountId: string | undefined;
  readonly advertiser: { readonly id: string | undefined; readonly marketplaceId: string | undefined };
  /** Throws for a route that is not scoped. */
  readonly profile: ProfileState;
  readonly state: EmulatorState;
  readonly clock: Clock;
  /** Reproducible, with a separate sequence per request. */
  readonly random: Random;
  readonly quirks: Quirks;
  readonly faults: Faults;
  readonly files: FileStore;
  readonly url: string;
}
