import type { ChangePlan, PlatformAds, ProfileClient } from "../../../mod.ts";
import type { Emulator } from "../../../src/emulator/mod.ts";
import type { Warehouse } from "../../../src/store/mod.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import type { AccountImage } from "../../../src/interfaces/arena/account/account_image.ts";
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
  readonly connect: (wire: "legacy" | "unified", profiles?: readonly string[]) => PlatformAds;
  /** The policy as a file, and the folder of its ledger. */
  readonly policyText: string;
  readonly ledger: string;
  /** The platform as it is before the move. */
  readonly image: AccountImage;
  /** Folder of plans with their journals, stores and files. */
  readonly folder: string;
  /** Plans that the folder holds. */
  readonly applied: ChangePlan[];
  /** A store with the figures of a month of the first profile, synced once a day. */
  readonly warehouse: () => Promise<Warehouse>;
  /** Loses the connection at a write: before it is carried out, or after. */
  readonly loseWrite: (after: number, isCarriedOut: boolean) => void;
}

/** Facts about a move that the oracle cannot read from the account. */
export interface Moved {
  /** Changes that a person was shown, where there was a plan. */
  readonly shown?: readonly PlannedChange[];
  /** True for a plan that restores, which may pass limits of counts. */
  readonly isUndo?: boolean;
  /** True where nothing may change at all. */
  readonly isLook?: boolean;
  /** Rule that applied its plan without a person. */
  readonly auto?: string;
  /** The only profile that the caller may reach, and the texts that it sent and got. */
  readonly tenant?: { readonly profileId: string; readonly sent: string; readonly got: string };
  /** Hosts that got a request and are not the platform's. */
  readonly strangers?: readonly string[];
}

/** A way by which a write gets to the platform. Fails where the client refuses it. */
export type Door = (world: World, moved: (by: Moved) => void) => Promise<unknown>;

/** The clock of every day. */
export const NOW = "2026-09-30T18:00:00Z";
