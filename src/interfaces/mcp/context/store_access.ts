import { isAddress } from "../../../base/text/is_address.ts";
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
import { SharedStore } from "../../../store/warehouse/shared_store.ts";

interface StoreAccessOptions {
  readonly program?: ProgramCommand | undefined;
  readonly now?: (() => number) | undefined;
  readonly isOwn?: boolean;
}

/** Stays open while it is not used: agents think longer between calls than a page between requests. */
export class StoreAccess extends SharedStore {
  readonly place: string;
  readonly #program: ProgramCommand | undefined;
  readonly #turns = new Limiter(MAX_QUERIES);

  /**
   * With `program`, queries run in a subprocess that can be killed; otherwise in this process. `isOwn` marks a file
   * that the server creates itself.
   */
  constructor(place: string, { program, now, isOwn = false }: StoreAccessOptions = {}) {
    super(async () => {
      const { Warehouse } = await import("../../../store/warehouse/warehouse.ts");
      if (isOwn) await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      return await Warehouse.open(place, now === undefined ? {} : { now });
    });
    this.place = place;
    this.#program = program;
  }

  get dialect(): string {
    return this.#isFile ? "SQLite" : "PostgreSQL";
  }

  async figures(request: FiguresRequest): ReturnType<FiguresSource> {
    if (this.#isFile && !existsSync(this.place)) return new Map();
    const { entityFigures } = await import("../../../store/figures/entity_figures.ts");
    return await this.use((store) => entityFigures(store, request));
  }

  async response(
    request: Parameters<BidResponseSource>[0],
    plans: string,
  ): Promise<BidResponse | undefined> {
    if (this.#isFile && !existsSync(this.place)) return undefined;
    const { bidResponse } = await import("../../../store/figures/bid_response.ts");
    const moves = await bidMovesIn(plans, request);
    return await this.use((store) => bidResponse(store, { ...request, moves }));
  }

  /** Concurrency is limited. */
  async query(query: StoreQuery): Promise<FoundRows> {
    const found = await this.#turns.run(() => this.#query(query));
    return { ...found, rows: tidyRows(found.rows) };
  }

  async #query(query: StoreQuery): Promise<FoundRows> {
    const { sql, params, maxRows, asOf, conversion, rows, signal } = query;
    signal.throwIfAborted();
    const run = (inProcess: () => Promise<FoundRows>) =>
      runStoreQuery(this.#program, this.place, { query, inProcess });
    if (rows !== undefined) {
      const { queryRows } = await import("../../../store/sqlite/query_rows.ts");
      return await run(() => Promise.resolve(queryRows(rows, sql, { params, maxRows })));
    }
    // Opened here first, so that a missing store is made and an old one brought up to date by one process alone.
    return await this.use((store) =>
      run(() => store.query(sql, params, { maxRows, asOf, conversion, asReader: true }))
    );
  }

  get #isFile(): boolean {
    return !isAddress(this.place);
  }
}
