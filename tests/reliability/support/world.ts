import { inspect } from "node:util";
import { type Fetch, PlatformAds, type PlatformAdsOptions, type TransportEvent } from "../../../mod.ts";
import {
  Emulator,
  type EmulatorOptions,
  type JournalEntry,
  type JsonObject,
} from "../../../src/emulator/mod.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { SEED } from "./size.ts";
import { VirtualTime } from "./virtual_time.ts";
import { WireTap } from "./wire_tap.ts";

/** A client and the record of everything it did. */
export interface WatchedClient {
  readonly ads: PlatformAds;
  readonly tap: WireTap;
  readonly events: TransportEvent[];
}

/** The platform on a virtual clock, clients that are watched, and what is true on the platform's side. */
export class World implements AsyncDisposable {
  readonly emulator: Emulator;
  readonly time: VirtualTime;
  /** Over a socket; within this process where the emulator opens no port. */
  readonly fetch: Fetch;

  private constructor(emulator: Emulator, time: VirtualTime, isListening: boolean) {
    this.emulator = emulator;
    this.time = time;
    this.fetch = isListening ? fetch : (input, init) => emulator.fetch(input, init);
  }

  static async start(options: EmulatorOptions = {}): Promise<World> {
    let time: VirtualTime | undefined = undefined;
    const emulator = await Emulator.start({
      clock: { now: "2026-09-30T06:00:00Z", frozen: true },
      sleep: (milliseconds) => time!.delay(milliseconds),
      ...options,
    });
    time = new VirtualTime(emulator.clock);
    return new World(emulator, time, options.listen !== false);
  }

  /** A new client that lives in this world's time. */
  client(options: Partial<PlatformAdsOptions> = {}, seed: number = SEED): WatchedClient {
    const tap = new WireTap(this.time, this.fetch);
    const events: TransportEvent[] = [];
    const random = new SeededRandom(seed);
    const ads = new PlatformAds(this.emulator.credentials, {
      platform: this.emulator.platform,
      fetch: tap.fetch,
      now: this.time.now,
      sleep: this.time.sleep,
      random: () => random.next(),
      onEvent: (event) => events.push(event),
      ...options,
    });
    return { ads, tap, events };
  }

  /** What the platform holds of one kind, archived entities included. */
  truth(profileId: string, kind: string): readonly JsonObject[] {
    return this.emulator.state.profile(profileId)!.collection(kind).all();
  }

  /** The requests for an operation that reached the platform. */
  requests(operation: string): JournalEntry[] {
    return this.emulator.requests().filter((entry) => entry.operation?.split(":")[1] === operation);
  }

  /** Client secret and refresh token. */
  get secrets(): [clientSecret: string, refreshToken: string] {
    const { clientSecret, refreshToken } = this.emulator.credentials;
    return [clientSecret, refreshToken];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.emulator.stop();
  }
}

/** A value with everything in it as text: fields, hidden ones, causes, stacks. */
export function everythingIn(value: unknown): string {
  return inspect(value, { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null });
}
