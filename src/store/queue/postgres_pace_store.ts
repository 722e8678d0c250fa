import { connect, type ConnectionOptions } from "../postgres/connection.ts";
import type { Database } from "../postgres/database.ts";
import { migrate } from "../postgres/schema.ts";
import { GatheredChanges } from "../../platform/transport/pacer/gathered_changes.ts";
import {
  newPaceState,
  type PaceState,
  type PaceStore,
  readPaceState,
} from "../../platform/transport/pacer/pace_store.ts";
import { credentialKey } from "./credential_key.ts";

/** Limits how long a process that stops during a change can block others, to two seconds. */
const LIMITS = "SET LOCAL lock_timeout = 2000; SET LOCAL idle_in_transaction_session_timeout = 2000";

/**
 * Stores the state of pacers in one row of a store's database, for processes on any number of machines. Changes of one
 * process are combined into one transaction. Time is measured by the database's clock, because machine clocks differ.
 * If the database cannot be reached, each process keeps its own pace.
 *
 * @example
 * ```ts
 * import { type Credentials, Pacer, type Platform, PlatformAds } from "@platform/ads";
 * import { PostgresPaceStore } from "@platform/ads/worker";
 *
 * // Every process, on whatever machine, that names the database and the account keeps the same pace.
 * async function connect(credentials: Credentials, platform: Platform): Promise<PlatformAds> {
 *   const store = await PostgresPaceStore.open("postgres://ads:secret@db.example/ads", credentials.clientId);
 *   return new PlatformAds(credentials, { platform, pacer: Pacer.shared(store) });
 * }
 * ```
 */
export class PostgresPaceStore implements PaceStore {
  /** Always true, because pacers of other processes change the state too. */
  readonly isShared = true;
  readonly #database: Database;
  readonly #onProblem: (error: unknown) => void;
  #key: string | undefined;
  #ownsDatabase = false;
  readonly #changes = new GatheredChanges();
  #working: Promise<void> | undefined;
  #own = newPaceState();
  #offset = Date.now() - performance.now();

  /**
   * Stores the state in an open database; in memory until `join` names the account.
   *
   * @internal
   */
  constructor(database: Database, options: { onProblem?: (error: unknown) => void } = {}) {
    this.#database = database;
    this.#onProblem = options.onProblem ?? (() => {});
  }

  /**
   * Opens the database of a store; creates its tables if they do not exist.
   *
   * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
   * @param clientId Client id of the account's credentials; a hash of it is what is kept.
   */
  static async open(
    address: string,
    clientId: string,
    options: ConnectionOptions & { readonly onProblem?: (error: unknown) => void } = {},
  ): Promise<PostgresPaceStore> {
    const database = connect(address, options);
    try {
      await migrate(database);
    } catch (error) {
      await database.close();
      throw error;
    }
    const store = new PostgresPaceStore(database, options);
    store.#ownsDatabase = true;
    store.join(credentialKey(clientId));
    return store;
  }

  /**
   * Shares the state with every pace store that joins with the same key.
   *
   * @internal
   */
  join(key: string): void {
    this.#key = key;
  }

  /** Changes the state as soon as its row is free. */
  update<T>(change: (state: PaceState, now: number) => T): Promise<T> {
    const result = this.#changes.add(change);
    this.#working ??= this.#work();
    return result;
  }

  /** Finishes pending changes and closes the connection that `open` made. */
  async close(): Promise<void> {
    await this.#working;
    if (this.#ownsDatabase) await this.#database.close();
  }

  async #work(): Promise<void> {
    // Changes of the same moment belong to one transaction.
    await Promise.resolve();
    while (!this.#changes.isEmpty) {
      let settle: (() => void)[] = [];
      try {
        settle = this.#key === undefined ? this.#applyToOwn() : await this.#transaction(this.#key);
      } catch (error) {
        this.#onProblem(error);
        settle = this.#applyToOwn();
      }
      for (const done of settle) done();
    }
    // At once, so that no change comes between the last look and this.
    this.#working = undefined;
  }

  async #transaction(key: string): Promise<(() => void)[]> {
    const { state, settle } = await this.#database.transaction(async (sql) => {
      await sql.text(LIMITS);
      const [row] = await sql`
        INSERT INTO paces (credential, state) VALUES (${key}, ${JSON.stringify(newPaceState())})
        ON CONFLICT (credential) DO UPDATE SET credential = excluded.credential
        RETURNING state, extract(epoch FROM clock_timestamp())::double precision * 1000 AS now`;
      const now = Number(row?.["now"]);
      const state = readPaceState(JSON.parse(String(row?.["state"])));
      this.#offset = now - performance.now();
      const settle = this.#changes.applyTo(state, now);
      await sql`UPDATE paces SET state = ${JSON.stringify(state)} WHERE credential = ${key}`;
      return { state, settle };
    });
    this.#changes.written();
    this.#own = state;
    return settle;
  }

  #applyToOwn(): (() => void)[] {
    return this.#changes.applyToOwn(this.#own, this.#offset + performance.now());
  }
}
