import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import type { ProfileClient, ResourceKind } from "../../../mod.ts";
import type { EmulatorOptions } from "../../../src/emulator/mod.ts";
import type { EntityOutcome } from "../../../src/store/model/entity_pull.ts";
import type { SyncOptions } from "../../../src/store/sync/sync_options.ts";
import type { SyncResult } from "../../../src/store/sync/sync_result.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { type Emulated, emulated } from "../../support/emulated.ts";
import { after, before } from "../../support/hooks.ts";
import type { TestServer } from "../../support/postgres.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { long } from "../../support/long.ts";

/** On Node, from a checkout, the packages of PostgreSQL are not there: the suites run on SQLite alone. */
const postgres = "Deno" in globalThis ? await import("../../support/postgres.ts") : undefined;

const NOW = "2026-09-30T12:00:00Z";

/** The demo account, listed into a store two hours ago. */
export interface Listed {
  readonly world: Emulated;
  readonly store: Warehouse;
  readonly us: ProfileClient;
  /** Reads the entities, by exports unless the options say otherwise. */
  readonly sync: (options?: SyncOptions) => Promise<SyncResult>;
  /** Opens the store once more, as another process does. */
  readonly reopen: () => Promise<Warehouse>;
  /** What is done to the rows of the files that are fetched. */
  readonly files: { alter?: ((rows: Row[]) => Row[]) | undefined };
}

/** A row of an export. */
export type Row = Record<string, unknown>;

/** How a test of exports is run. */
export interface ExportTestOptions {
  /** Options of the emulator besides its clock. */
  readonly emulator?: EmulatorOptions;
  /** True to go through {@linkcode Listed.files}, where what is sent is not compared with what is published. */
  readonly alters?: boolean;
}

type Run = (listed: Listed) => Promise<void>;

/** The demo account as listed into SQLite: every test that starts with it as it is begins with a copy. */
let listedOnce: Uint8Array | undefined;

/** Adds a test on a new SQLite store. */
export function exportTest(what: string, run: Run, options: ExportTestOptions = {}): void {
  test(`sync() by exports ${what}`, async () => {
    const folder = await temporaryFolder();
    try {
      const place = folder.file("ads.sqlite");
      const isListed = options.emulator === undefined && listedOnce !== undefined;
      if (isListed) await writeFile(place, listedOnce!);
      await onStore(place, run, { ...options, isListed });
    } finally {
      await folder.remove();
    }
  });
}

/** Adds tests that each run on a new SQLite store, and on a new PostgreSQL store where there is a server. */
export function exportTests(): typeof exportTest {
  let server: TestServer | undefined;
  if (postgres?.hasPostgres) {
    before(async () => void (server = await postgres.testServer()));
    after(() => server?.stop());
  }
  return (what, run, options = {}) => {
    exportTest(what, run, options);
    if (!postgres?.hasPostgres) return;
    long();
    test(`sync() by exports ${what}, on PostgreSQL`, async () => {
      await onStore(await postgres.makeStore(server!), run, options);
    });
  };
}

async function onStore(
  place: string,
  run: Run,
  options: ExportTestOptions & { readonly isListed?: boolean },
): Promise<void> {
  const files: Listed["files"] = {};
  const quirks = { reportSeconds: 0 };
  await using world = await emulated({
    emulator: { clock: { now: NOW, frozen: true }, quirks, ...options.emulator },
    ...(options.alters
      ? { client: { fetch: (input, init) => altered(fetch(input, init), input, files) } }
      : {}),
  });
  const open: Warehouse[] = [];
  const reopen = async (): Promise<Warehouse> => {
    open.push(await Warehouse.open(place, { now: world.time.now }));
    return open.at(-1)!;
  };
  try {
    let store = await reopen();
    const sync = (more: SyncOptions = {}): Promise<SyncResult> =>
      store.sync(world.us, { entities: "only", entitySource: "export", ...more });
    if (!options.isListed) {
      const first = await sync({ entitySource: "list" });
      assert(first.ok, first.summary());
      if (options.isListed === false && options.emulator === undefined) {
        await store.close();
        listedOnce = await readFile(place);
        store = await reopen();
      }
    }
    wait(world, 2 * 3600);
    await run({ world, store, us: world.us, sync, reopen, files });
  } finally {
    for (const store of open) await store.close();
  }
}

async function altered(
  sent: Promise<Response>,
  input: string | URL | Request,
  { alter }: Listed["files"],
): Promise<Response> {
  const response = await sent;
  const url = input instanceof Request ? input.url : String(input);
  if (alter === undefined || !new URL(url).pathname.startsWith("/files/")) return response;
  const text = await new Response(response.body!.pipeThrough(new DecompressionStream("gzip"))).text();
  return new Response(JSON.stringify(alter(JSON.parse(text))));
}

/** Moves the clocks of both sides on. */
export function wait({ time, emulator }: Emulated, seconds: number): void {
  time.advance(seconds);
  emulator.advance(seconds);
}

/** Kinds of which something changed, as `sp.keywords +1 ~2 -0`. */
export function moved({ entities }: SyncResult): string[] {
  return entities.filter(({ added, changed, removed }) => added + changed + removed > 0)
    .map(({ kind, added, changed, removed }) => `${kind} +${added} ~${changed} -${removed}`).sort();
}

/** How a kind was read. */
export function outcomeOf({ entities }: SyncResult, kind: ResourceKind): EntityOutcome {
  return entities.find((outcome) => outcome.kind === kind)!;
}
