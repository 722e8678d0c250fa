import type { DatabaseSync } from "node:sqlite";
import type { Disk } from "./disk.ts";
import type { World } from "./world.ts";

/** How far a process has come. */
export type Ending = "running" | "done" | "failed" | "killed";

/** One program of a run: its own clock, the disk of its machine, and a life that can end at any await. */
export class SimProcess {
  readonly name: string;
  readonly world: World;
  readonly disk: Disk;
  /** Milliseconds that its clock is ahead of the world's. */
  skew: number;
  ending: Ending = "running";
  /** What it threw at its end. */
  error: unknown;
  /** Resolves when it ends, by itself or killed. */
  readonly ended: Promise<void>;
  readonly #markEnded: () => void;
  /** World time until which it stands still, in milliseconds. */
  frozenUntil = 0;
  /** Work that its death interrupts: writes that are half on the disk. */
  readonly torn = new Set<() => void>();
  /** Databases that it has open. */
  readonly databases = new Set<DatabaseSync>();

  /** @param parts Its name, world, disk and how far its clock is ahead, in milliseconds. */
  constructor(parts: { name: string; world: World; disk: Disk; skew: number }) {
    this.name = parts.name;
    this.world = parts.world;
    parts.world.processes.push(this);
    this.disk = parts.disk;
    this.skew = parts.skew;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#markEnded = resolve;
  }

  /** Ends it, once. */
  end(ending: Exclude<Ending, "running">): void {
    this.ending = ending;
    this.#markEnded();
  }

  get isAlive(): boolean {
    return this.ending === "running";
  }

  /** Its own idea of the time, in milliseconds since the epoch. */
  now(): number {
    return this.world.now + this.skew;
  }
}
