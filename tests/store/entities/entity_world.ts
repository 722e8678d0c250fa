import { ForbiddenError } from "../../../src/errors.ts";
import type { Entity } from "../../../src/store/sync/entity_resource.ts";
import type { EntityOutcome } from "../../../src/store/model/entity_pull.ts";
import { type EntitySyncParts, syncEntities } from "../../../src/store/sync/sync_entities.ts";
import type { LedgerEntry } from "../../../src/store/model/ledger_entry.ts";
import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import type { SyncProgress } from "../../../src/store/sync/sync_options.ts";
import type { ProfileScope } from "../../../src/platform/transport/profile_scope.ts";
import type { Transport } from "../../../src/platform/transport/transport.ts";
import { makeEmptySqlite } from "../../support/empty_sqlite.ts";
import { type FakeScope, fakeScope, type ScopeRequest } from "../../support/fake_scope.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/**
 * A profile of which a platform without HTTP lists and exports the Brands campaigns alone, and a store of it. All other
 * kinds are refused. For fewer than 400 campaigns, ten ids are as many as are worth reading one by one.
 */
export class EntityWorld implements AsyncDisposable {
  /** What the platform has. */
  campaigns: Entity[] = [];
  /** What its lists leave out, though it is found by its id. */
  readonly unlisted = new Set<string>();
  /** Rows of an export; one for each campaign unless they are replaced. */
  rows: () => unknown = () => this.campaigns.map(rowOf);
  /** What the platform says of an export at each look; the last one stays. */
  looks: Record<string, unknown>[] = [{ status: "COMPLETED" }];
  /** Responds in place of the platform, or throws. */
  intervene: (request: ScopeRequest) => unknown = () => undefined;
  /** Responds in place of the host of files. */
  download: (url: string) => Response | undefined = () => undefined;
  /** Milliseconds since the epoch; every wait moves it on. */
  now: number = Date.parse("2026-09-30T12:00:00Z");
  readonly told: SyncProgress[] = [];
  readonly warnings: string[] = [];
  /** Addresses of the files that were fetched. */
  readonly fetched: string[] = [];
  readonly driver: SqliteDriver;
  readonly scope: ProfileScope;
  readonly #requests: FakeScope["requests"];
  readonly #close: () => Promise<void>;

  private constructor(driver: SqliteDriver, close: () => Promise<void>) {
    this.driver = driver;
    this.#close = close;
    const scope = fakeScope((request) => this.#respond(request));
    this.#requests = scope.requests;
    const world: Partial<Transport> = {
      timeout: 60,
      now: () => this.now,
      sleep: (seconds) => {
        this.now += seconds * 1000;
        return Promise.resolve();
      },
      fetch: (input) => {
        this.fetched.push(String(input));
        return Promise.resolve(this.download(String(input)) ?? new Response(JSON.stringify(this.rows())));
      },
    };
    this.scope = { ...scope, transport: { ...scope.transport, ...world } as Transport };
  }

  /** Opens an empty store, and lists so many campaigns into it. */
  static async open(count = 0): Promise<EntityWorld> {
    const folder = await temporaryFolder();
    await makeEmptySqlite(folder.file("ads.sqlite"));
    const driver = await SqliteDriver.open(folder.file("ads.sqlite"));
    const world = new EntityWorld(driver, async () => {
      await driver.close();
      await folder.remove();
    });
    world.campaigns = Array.from({ length: count }, (_, index) => campaign(index + 1));
    if (count > 0) await world.sync({ source: "list" });
    world.now += 24 * 3600_000;
    world.asked();
    return world;
  }

  /** Every kind, read by exports unless the parts say otherwise. */
  syncAll(parts: Partial<EntitySyncParts> = {}): Promise<EntityOutcome[]> {
    return syncEntities({
      driver: this.driver,
      now: () => this.now,
      scope: this.scope,
      signal: undefined,
      source: "export",
      onProgress: (progress) => this.told.push(progress),
      onWarning: (warning) => this.warnings.push(warning),
      ...parts,
    });
  }

  /** The Brands campaigns. */
  async sync(parts: Partial<EntitySyncParts> = {}): Promise<EntityOutcome> {
    return (await this.syncAll(parts)).find(({ kind }) => kind === "sb.campaigns")!;
  }

  /** Requests for campaigns since the last call of it. */
  asked(): ScopeRequest[] {
    const paths = ["/sb/v4/campaigns/list", "/campaigns/export", "/exports/"];
    return this.#requests.splice(0).filter(({ path }) => paths.some((one) => path.startsWith(one)));
  }

  /** Changes fields of the campaigns from one number to another. */
  change(from: number, to: number, fields: Entity): void {
    this.campaigns = this.campaigns.map((one, index) =>
      index + 1 >= from && index + 1 <= to ? { ...one, ...fields } : one
    );
  }

  /** The newest entry of the ledger. */
  async entry(): Promise<LedgerEntry | undefined> {
    return (await this.driver.ledger({ limit: 1 }))[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  #respond(request: ScopeRequest): unknown {
    const instead = this.intervene(request);
    if (instead !== undefined) return instead;
    const { path, json, signal } = request;
    signal?.throwIfAborted();
    if (path === "/sb/v4/campaigns/list") {
      const wanted = (json as { campaignIdFilter?: { include: string[] } }).campaignIdFilter?.include;
      const campaigns = this.campaigns.filter(({ campaignId }) =>
        wanted === undefined ? !this.unlisted.has(String(campaignId)) : wanted.includes(String(campaignId))
      );
      return { campaigns, totalResults: campaigns.length };
    }
    if (path === "/campaigns/export") return { exportId: "e-1", status: "PROCESSING" };
    if (path.startsWith("/exports/")) {
      const said = this.looks.length > 1 ? this.looks.shift() : this.looks[0];
      const createdAt = new Date(this.now).toISOString();
      return { exportId: "e-1", url: "https://files.test/1", createdAt, ...said };
    }
    throw new ForbiddenError("Not yours", { statusCode: 403, method: request.method, url: path });
  }
}

function campaign(number: number): Entity {
  return { campaignId: String(number), name: `Campaign ${number}`, state: "ENABLED", budget: 5 };
}

/** A campaign as an export writes it. */
export function rowOf({ campaignId, name, state, budget }: Entity): Record<string, unknown> {
  return {
    campaignId,
    adProduct: "SPONSORED_BRANDS",
    name,
    state,
    budgetCaps: { budgetValue: { monetaryBudget: { amount: budget } } },
  };
}
