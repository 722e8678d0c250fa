/**
 * Reads the entities of a profile into a store in a process of its own, and prints what that took.
 *
 *     deno run -A entity_process.ts list FILE http://127.0.0.1:PORT
 *
 * @module
 */
import process from "node:process";
import { PlatformAds } from "../../../mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import { peakMemory } from "./peak_memory.ts";

/** What reading the entities took. */
export interface EntityFigures {
  /** Milliseconds of the processor, all threads together. */
  readonly cpuMs: number;
  /** Megabytes above idle at the peak. */
  readonly peakMb: number;
  /** Requests that were sent, downloads included. */
  readonly requests: number;
  /** Entities that changed, were added or removed. */
  readonly changed: number;
}

if (import.meta.main) {
  const [source, file, url] = Deno.args as ["list" | "export", string, string];
  let requests = 0;
  const ads = new PlatformAds({ clientId: "id", clientSecret: "secret", refreshToken: "token" }, {
    platform: {
      regions: { NA: { baseUrl: url } },
      tokenUrl: `${url}/token`,
      headers: { clientId: "Client-Id", scope: "Scope", requestId: "x-request-id" },
      wireWord: "platform",
    },
    fetch: (input, init) => {
      requests++;
      return fetch(input, init);
    },
  });
  const store = await Warehouse.open(file);
  const idle = process.memoryUsage().rss;
  const before = process.cpuUsage();
  const result = await store.sync(ads.profileFrom("1", "US"), {
    entities: "only",
    entitySource: source,
    addAccount: true,
  });
  const { user, system } = process.cpuUsage(before);
  await store.close();
  result.raiseForErrors();
  const changed = result.entities.reduce(
    (sum, { added, changed, removed }) => sum + added + changed + removed,
    0,
  );
  const figures: EntityFigures = {
    cpuMs: (user + system) / 1000,
    peakMb: (peakMemory() - idle) / 1e6,
    requests,
    changed,
  };
  console.log(JSON.stringify(figures));
}
