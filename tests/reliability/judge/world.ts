import type { ChangePlan, PlatformAds, PlatformAdsOptions, ProfileClient } from "../../../mod.ts";
import type { Emulator } from "../../../src/emulator/mod.ts";
import type { Warehouse } from "../../../src/store/mod.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import type { AccountImage } from "../../../src/interfaces/arena/account/account_image.ts";
import type { Market } from "./drawn_account.ts";
import type { Limits } from "./forbidden.ts";
import type { PublishedWrite } from "./published_writes.ts";
import type { PlannedChange } from "./shown.ts";

/** Parts of a move: the account, clients under the policy, and folders. */
export interface World {
  readonly random: SeededRandom;
  readonly writes: readonly PublishedWrite[];
  readonly emulator: Emulator;
  /** Clients under the policy: two profiles, each on both wires. */
  readonly clients: readonly ProfileClient[];
  /** Another client under the policy, as a program that is started now has it; limited to some profiles. */
  readonly connect: (
    wire: "legacy" | "unified",
    profiles?: readonly string[],
    more?: Partial<PlatformAdsOptions>,
  ) => PlatformAds;
  /** Address of a store with a queue, where there is a PostgreSQL. */
  readonly queue: string | undefined;
  /** Markets of both profiles; the first has figures. */
  readonly markets: readonly [Market, Market];
  /** Ids of entities that the day's work is about; about half of all moves are theirs. */
  readonly busy: ReadonlySet<string>;
  readonly habits: Habits;
  /** The policy as it was drawn, as a file, and the folder of its ledger. */
  readonly limits: Limits;
  readonly policyText: string;
  readonly ledger: string;
  /** The platform as it is before the move. */
  readonly image: AccountImage;
  /** Folder of plans with their journals, stores and files. */
  readonly folder: string;
  /** Plans that the folder holds. */
  readonly applied: ChangePlan[];
  /** Plans that workers may still send, by id: a later worker finishes what one was cut off from. */
  readonly queued: Map<string, ChangePlan>;
  /** A store with the figures of a month of the first profile, synced once a day. */
  readonly warehouse: () => Promise<Warehouse>;
  /** Loses the connection at a write: before it is carried out, or after. */
  readonly loseWrite: (after: number, isCarriedOut: boolean) => void;
}

/** How often something is done on a day, of ten times: the habits of one day are not those of another. */
export interface Habits {
  /** A plan file comes with a journal of its own, has a change twice, or says that its values were there before. */
  readonly invents: number;
  /** A write goes to what the day's work is about. */
  readonly returns: number;
}

/** Facts about a move that the oracle cannot read from the account. */
export interface Moved {
  /** Changes that a person was shown, where there was a plan. */
  readonly shown?: readonly PlannedChange[];
  /** True for a plan that restores, which may pass limits of counts. */
  readonly isUndo?: boolean;
  /** The warnings that a person read before they said yes. */
  readonly read?: string;
  /** True where nothing may change at all. */
  readonly isLook?: boolean;
  /** Rule that applied its plan without a person. */
  readonly auto?: string;
  /** The only profile that the caller may reach, and the texts that it sent and got. */
  readonly tenant?: { readonly profileId: string; readonly sent: string; readonly got: string };
  /** True for a schedule, whose file moves amounts by factors. */
  readonly isSchedule?: boolean;
  /** True where no person was asked, so that nothing out of proportion may pass. */
  readonly isUnasked?: boolean;
  /** Hosts that got a request and are not the platform's. */
  readonly strangers?: readonly string[];
}

/** A way by which a write gets to the platform. Fails where the client refuses it. */
export type Door = (world: World, moved: (by: Moved) => void) => Promise<unknown>;

/** The clock of every day. */
export const NOW = "2026-09-30T18:00:00Z";
