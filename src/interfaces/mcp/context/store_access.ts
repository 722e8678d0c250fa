import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { bidMovesIn } from "../../../plans/store/bid_moves.ts";
import type { BidResponse, BidResponseSource } from "../../../plans/review/bid_response.ts";
import type { FiguresRequest, FiguresSource } from "../../../plans/review/figures_source.ts";
import { Limiter } from "../../../store/sync/limiter.ts";
import { MAX_QUERIES, runStoreQuery } from "../../../store/warehouse/query_in_subprocess.ts";
import type { FoundRows, ProgramCommand, StoreQuery } from "../../../store/model/query_question.ts";
import { tidyRows } from "../../../store/warehouse/readable_query.ts";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";

interface StoreAccessOptions {
  readonly program?: ProgramCommand | undefined;
  readonly now?: (() => number) | undefined;
  readonly isOwn?: boolean;
}

export class StoreAccess {
  readonly #place: string;
  readonly #program: ProgramCommand | undefined;
  readonly #options: StoreAccessOptions;
  readonly #turns = new Limiter(MAX_QUERIES);
  #opened: Promise<Warehouse> | undefined;

  /**
   * With `program`, queries run in a subprocess that can be killed; otherwise in this process. `isOwn` marks a file
   * that the server creates itself.
   */
  constructor(place: string, options: StoreAccessOptions = {}) {
    this.#place = place;
    this.#program = options.program;
    this.#options = options;
  }

  get place(): string {
    return this.#place;
  }

  get dialect(): string {
    return this.#isFile ? "SQLite" : "PostgreSQL";
  }

  warehouse(): Promise<Warehouse> {
    this.#opened ??= this.#open().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async figures(request: FiguresRequest): ReturnType<FiguresSource> {
    if (this.#isFile && !existsSync(this.#place)) return new Map();
    const { entityFigures } = await import("../../../store/figures/entity_figures.ts");
    return await entityFigures(await this.warehouse(), request);
  }

  async response(
    request: Parameters<BidResponseSource>[0],
    plans: string,
  ): Promise<BidResponse | undefined> {
    if (this.#isFile && !existsSync(this.#place)) return undefined;
    const { bidResponse } = await import("../../../store/figures/bid_response.ts");
    const moves = await bidMovesIn(plans, request);
    return await bidResponse(await this.warehouse(), { ...request, moves });
  }

  /** Concurrency is limited. */
  query(query: StoreQuery): Promise<FoundRows> {
    return this.#turns.run(() => this.#query(query));
  }

  async #query(query: StoreQuery): Promise<FoundRows> {
    const { sql, params, maxRows, asOf, rows, signal } = query;
    signal.throwIfAborted();
    // Opened here first, so that a missing store is made and an old one brought up to date by one process alone.
    const warehouse = rows === undefined ? await this.warehouse() : undefined;
    const found = await runStoreQuery(this.#program, this.#place, {
      query,
      inProcess: async () => {
        if (warehouse !== undefined) {
          return await warehouse.query(sql, params, { maxRows, asOf, asReader: true });
        }
        const { queryRows } = await import("../../../store/sqlite/query_rows.ts");
        return queryRows(rows ?? [], sql, { params, maxRows });
      },
    });
    return { ...found, rows: tidyRows(found.rows) };
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }

  get #isFile(): boolean {
    return !/^[a-z][a-z+]+:\/\//i.test(this.#place);
  }

  async #open(): Promise<Warehouse> {
    const { Warehouse } = await import("../../../store/warehouse/warehouse.ts");
    const { now, isOwn = false } = this.#options;
    if (isOwn) await mkdir(dirname(this.#place), { recursive: true, mode: 0o700 });
    return await Warehouse.open(this.#place, now === undefined ? {} : { now });
  }
}
