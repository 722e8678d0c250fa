import { allRoutes } from "../../../src/emulator/families/routes.ts";
import { Emulator, type EmulatorOptions } from "../../../src/emulator/mod.ts";
import { Chance } from "./chance.ts";
import type { Disk } from "./disk.ts";
import { EventLog } from "./event_log.ts";
import { inProcess, macrotask } from "./realm.ts";
import { SimProcess } from "./sim_process.ts";

/** How likely each fault is, from 0 to 1. A seed switches each of them on or off. */
export interface FaultRates {
  /** A request that never arrives. */
  readonly loseRequest: number;
  /** A request that is carried out, and its response lost. */
  readonly loseResponse: number;
  /** A response whose body ends early. */
  readonly cutBody: number;
  /** A request without a create that arrives twice. */
  readonly double: number;
  /** A request or response that takes up to 40 seconds. */
  readonly slow: number;
  /** A process killed at one of its events. */
  readonly kill: number;
  /** A process that stands still for up to three minutes. */
  readonly freeze: number;
  /** A write to a full disk. */
  readonly diskFull: number;
}

/** No faults. */
export const CALM: FaultRates = {
  loseRequest: 0,
  loseResponse: 0,
  cutBody: 0,
  double: 0,
  slow: 0,
  kill: 0,
  freeze: 0,
  diskFull: 0,
};

const HIGHEST: FaultRates = {
  loseRequest: 0.08,
  loseResponse: 0.08,
  cutBody: 0.05,
  double: 0.05,
  slow: 0.1,
  kill: 0.02,
  freeze: 0.04,
  diskFull: 0.02,
};

/** A moment that the scheduler may choose: a timer, the arrival of a request or response, a step of a disk. */
interface SimEvent {
  readonly label: string;
  readonly due: number;
  readonly process: SimProcess | undefined;
  readonly run: () => void;
}

/** Thrown for a run that does not come to rest. */
export class StuckError extends Error {
  override readonly name = "StuckError";
}

const MAX_EVENTS = 30_000;
const START = Date.parse("2026-09-30T06:00:00Z");

/**
 * Everything that a run depends on, from one seed: clock, chance, network, disks and the order of events. Events happen
 * one at a time; between two of them all code that can run does run.
 */
export class World {
  readonly seed: number;
  readonly log = new EventLog();
  readonly chance: Chance;
  readonly emulator: Emulator;
  /** Milliseconds since the epoch. */
  now = START;
  faults: FaultRates = CALM;
  readonly processes: SimProcess[] = [];
  /** Servers beside the platform, by path: each gets the requests to it, and the process that sent them. */
  readonly servers = new Map<string, (request: Request, sender: SimProcess) => Promise<Response>>();
  /** Faults that happened, in order, as `lose response POST /sp/keywords/list`. */
  readonly struck: string[] = [];
  readonly #muted: ReadonlySet<number>;
  readonly #steps: number;
  #events: SimEvent[] = [];
  #real = 0;
  #count = 0;

  private constructor(
    seed: number,
    emulator: Emulator,
    options: { muted: ReadonlySet<number>; steps: number },
  ) {
    this.seed = seed;
    this.#muted = options.muted;
    this.#steps = options.steps;
    this.emulator = emulator;
    this.chance = new Chance(seed, (draw) => this.log.add(`? ${draw}`));
  }

  /**
   * A new world around an emulator that opens no port.
   *
   * @param options `muted`: numbers of faults that do not happen after all; `steps`: most events.
   */
  static async start(
    seed: number,
    { muted = new Set(), steps = MAX_EVENTS, ...options }:
      & EmulatorOptions
      & { muted?: ReadonlySet<number>; steps?: number } = {},
  ): Promise<World> {
    let world: World | undefined = undefined;
    // Loading takes time that the world does not know of.
    await Promise.all([
      allRoutes(),
      import("../../../src/emulator/hosts/file_host.ts"),
      import("../../../src/emulator/hosts/queue_host.ts"),
      import("../../../src/emulator/families/streams/streams.ts"),
      import("../../../src/client/reports/requests/report_job.ts"),
    ]);
    const emulator = await Emulator.start({
      listen: false,
      clock: { now: new Date(START).toISOString(), frozen: true },
      sleep: (milliseconds) => world!.#waitInPlatform(milliseconds),
      ...options,
    });
    world = new World(seed, emulator, { muted, steps });
    return world;
  }

  /** Draws which faults this run has. */
  drawFaults(allowed: readonly (keyof FaultRates)[] = Object.keys(HIGHEST) as (keyof FaultRates)[]): void {
    const faults = { ...CALM };
    for (const name of allowed) {
      if (this.chance.happens(`has ${name}`, 0.4)) {
        faults[name] = HIGHEST[name] * this.chance.next(`rate of ${name}`);
      }
    }
    this.faults = faults;
  }

  /** Starts a program, which ends by itself or is killed. `skew`: milliseconds that its clock is ahead. */
  spawn(
    name: string,
    { disk, main, skew = 0 }: { disk: Disk; main: () => Promise<void>; skew?: number },
  ): SimProcess {
    const process = new SimProcess({ name, world: this, disk, skew });
    this.at(0, `start ${name}`, () => {
      inProcess(process, main).then(() => this.#end(process, "done"), (error: unknown) => {
        if (process.isAlive) process.error = error;
        this.#end(process, "failed");
      });
    }, process);
    return process;
  }

  /** Ends a process at once: what it waits for never comes, and its last write may be on the disk in part. */
  kill(process: SimProcess): void {
    if (!process.isAlive) return;
    this.log.add(`! kill ${process.name}`);
    for (const tear of process.torn) tear();
    for (const database of process.databases) if (database.isOpen) database.close();
    this.#events = this.#events.filter((event) => event.process !== process);
    this.#end(process, "killed");
  }

  /** Ends every process of a machine and takes what its disk had not synced. */
  cutPower(disk: Disk): void {
    for (const process of this.processes) if (process.disk === disk) this.kill(process);
    disk.cutPower((path, length) => this.chance.integer(`kept of ${path}`, 0, length));
  }

  /** Queues an event after a number of milliseconds; one of a process that died does not happen. */
  at(milliseconds: number, label: string, run: () => void, process?: SimProcess): () => void {
    const event = { label, due: this.now + Math.ceil(Math.max(0, milliseconds)), process, run };
    this.#events.push(event);
    return () => {
      this.#events = this.#events.filter((other) => other !== event);
    };
  }

  /** Keeps the scheduler waiting for work that the runtime does elsewhere. */
  async real<T>(work: Promise<T>): Promise<T> {
    this.#real++;
    try {
      return await work;
    } finally {
      this.#real--;
    }
  }

  /** One step of a disk, as an event of a process. */
  disk<T>(process: SimProcess, label: string, run: () => T): Promise<T> {
    if (!process.isAlive) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      this.at(this.chance.integer(`disk ${process.name}`, 0, 3), `disk ${label}`, () => {
        try {
          resolve(run());
        } catch (error) {
          reject(error);
        }
      }, process);
    });
  }

  /** True where a fault of this run happens now. */
  strikes(fault: keyof FaultRates, where: string): boolean {
    if (!this.chance.happens(`${fault} ${where}`, this.faults[fault])) return false;
    const isMuted = this.#muted.has(this.struck.length);
    this.struck.push(`${fault} ${where}`);
    return !isMuted;
  }

  /**
   * Lets events happen until a promise settles.
   *
   * @throws {StuckError} when nothing is left to happen, or too much has.
   */
  async run<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = (): void => {
      isSettled = true;
    };
    work.then(settled, settled);
    while (true) {
      await this.#settle();
      // A module that loads for the first time is no event of the world.
      for (let more = 0; !isSettled && this.#events.length === 0 && more < 200_000; more++) await macrotask();
      if (isSettled) return await work;
      this.#happen();
    }
  }

  /** Lets virtual time pass for a judge. */
  async pass(milliseconds: number): Promise<void> {
    await this.#wait(milliseconds);
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.at(milliseconds, `wait ${milliseconds}`, resolve));
  }

  /** Lets the world go on while the platform waits before it responds. */
  async #waitInPlatform(milliseconds: number): Promise<void> {
    this.#real--;
    await this.#wait(milliseconds);
    this.#real++;
  }

  #end(process: SimProcess, ending: "done" | "failed" | "killed"): void {
    if (!process.isAlive) return;
    this.log.add(
      `${this.now - START} ${process.name} ${ending}${ending === "failed" ? ` ${process.error}` : ""}`,
    );
    process.end(ending);
  }

  async #settle(): Promise<void> {
    do await macrotask(); while (this.#real > 0);
  }

  #happen(): void {
    if (this.#events.length === 0) throw new StuckError(`Nothing is left to happen (seed ${this.seed})`);
    if (++this.#count > this.#steps) {
      throw new StuckError(`${this.#steps} events and no end (seed ${this.seed})`);
    }
    const time = (event: SimEvent): number => Math.max(event.due, event.process?.frozenUntil ?? 0);
    const next = Math.min(...this.#events.map(time));
    if (next > this.now) {
      this.emulator.clock.advance((next - this.now) / 1000);
      this.now = next;
    }
    const ready = this.#events.filter((event) => time(event) <= this.now);
    const event = ready.length === 1 ? ready[0]! : this.chance.pick("order", ready);
    const { process } = event;
    if (process !== undefined && this.#strike(process)) return;
    this.#events = this.#events.filter((other) => other !== event);
    this.log.add(`${this.now - START} ${process?.name ?? "world"} ${event.label}`);
    event.run();
  }

  /** Kills or freezes a process before one of its events, where this run has such faults; true when it did. */
  #strike(process: SimProcess): boolean {
    if (this.strikes("kill", process.name)) {
      this.kill(process);
      return true;
    }
    if (this.strikes("freeze", process.name)) {
      const milliseconds = this.chance.integer(`frozen ${process.name}`, 1, 180_000);
      this.log.add(`! freeze ${process.name} ${milliseconds}`);
      process.frozenUntil = this.now + milliseconds;
      return true;
    }
    return false;
  }
}
