import { Pacer } from "../../transport/pacer/pacer.ts";
import type { Database } from "../postgres/database.ts";

const CHANNEL = "platform_ads_cool_down";

/** A pause that the clients of one credential keep together, wherever they run. */
export class SharedPause extends Pacer {
  readonly #database: Database;
  #credential: string | undefined;
  readonly #onProblem: (error: unknown) => void;
  #writing: Promise<unknown> = Promise.resolve();
  #unlisten: (() => Promise<void>) | undefined;

  /**
   * Makes a pause; `listen` connects it with the others.
   *
   * @param database Where it is kept.
   * @param options `onProblem` is called when the database could not be reached: then the pause is this client's alone.
   */
  constructor(
    database: Database,
    options: { onProblem: (error: unknown) => void },
  ) {
    super();
    this.#database = database;
    this.#onProblem = options.onProblem;
  }

  /**
   * Takes over the present pause of a credential, and takes over every later one.
   *
   * @param key Key of the credential.
   */
  async listen(key: string): Promise<void> {
    this.#credential = key;
    const heard = (message: string): void => {
      const [credential, seconds] = message.split(" ");
      if (credential === this.#credential) super.pause(Number(seconds));
    };
    this.#unlisten = await this.#database.listen({
      channel: CHANNEL,
      onMessage: heard,
      onListening: () => void this.#read(),
    });
    await this.#read();
  }

  /** Starts a pause of everyone, or makes the present one longer. */
  override pause(seconds: number): void {
    super.pause(seconds);
    if (seconds <= 0 || this.#credential === undefined) return;
    // The database's clock measures the pause: clocks of machines differ.
    this.#writing = this.#database.sql`
      WITH pause AS (
        INSERT INTO cool_downs (credential, until)
        VALUES (${this.#credential}, now() + ${seconds} * interval '1 second')
        ON CONFLICT (credential) DO UPDATE SET until = greatest(cool_downs.until, excluded.until)
        RETURNING credential
      )
      SELECT pg_notify(${CHANNEL}, credential || ' ' || ${String(seconds)}) FROM pause`
      .catch(this.#onProblem);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#unlisten?.().catch(this.#onProblem);
  }

  async #read(): Promise<void> {
    if (this.#credential === undefined) return;
    try {
      const [row] = await this.#database.sql`
        SELECT extract(epoch FROM until - now())::double precision AS seconds FROM cool_downs
        WHERE credential = ${this.#credential} AND until > now()`;
      if (row !== undefined) super.pause(Number(row["seconds"]));
    } catch (error) {
      this.#onProblem(error);
    }
  }
}
