import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigurationError } from "../../errors.ts";
import { dropClosedDrafts } from "../../plans/store/edit_draft.ts";
import { answerNodeRequest } from "../../base/runtime/node_bridge.ts";
import { SharedStore } from "../../store/warehouse/shared_store.ts";
import { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { ConsoleOptions } from "./http/console_context.ts";
import { EventHub } from "./http/event_hub.ts";
import { handleRequest } from "./handle_request.ts";
import { Sessions } from "./http/sessions.ts";
import { PlanJobs } from "./http/plan_jobs.ts";
import { RolloutJobs } from "./http/rollout_jobs.ts";
import { SyncJob } from "./http/sync_job.ts";

/** Milliseconds for which an unused store stays open: requests of a page come together. */
const LINGER = 1000;

export interface RunningConsole {
  readonly url: string;
  /** Single-use sign-in address, valid for 15 minutes. */
  signInUrl(): string;
  /** Waits for plans being sent and for a sync. `stop` of the options must have fired. */
  close(): Promise<void>;
}

/**
 * Port 0 selects any free port.
 *
 * @throws {ConfigurationError} when the port is in use.
 */
export async function serveConsole(options: ConsoleOptions, port = 0): Promise<RunningConsole> {
  if (!options.readOnly) await Promise.all(options.folders.map(({ store }) => dropClosedDrafts(store)));
  const events = new EventHub();
  const jobs = new PlanJobs(events);
  const sync = new SyncJob(events);
  const rollouts = new RolloutJobs(events);
  const { storePlace, now } = options;
  const store = new SharedStore(() => Warehouse.open(storePlace, { now }), LINGER);
  const context = { ...options, events, jobs, sync, rollouts, store };
  const sessions = new Sessions(now);
  const hosts: string[] = [];
  const guard = { hosts, sessions, cookieName: "adsctl_console" };
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    answerNodeRequest(incoming, outgoing, (request) => handleRequest(request, { context, guard }))
      .catch(() => outgoing.destroy());
  };
  const first = await listen(respond, "127.0.0.1", port);
  const { port: chosen } = first.address() as AddressInfo;
  hosts.push(`127.0.0.1:${chosen}`, `[::1]:${chosen}`, `localhost:${chosen}`);
  guard.cookieName += `_${chosen}`;
  // The same port of the other loopback address, so that no other program can pose as this console there.
  const second = await listen(respond, "::1", chosen).catch(() => undefined);
  const url = `http://127.0.0.1:${chosen}`;
  return {
    url,
    signInUrl: () => `${url}/#token=${sessions.newToken()}`,
    close: async () => {
      await Promise.all([jobs.settled(), sync.settled(), rollouts.settled()]);
      await Promise.all([first, second].map((server) => server && closed(server)));
      await store.close();
    },
  };
}

async function listen(
  respond: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  host: string,
  port: number,
): Promise<Server> {
  const server = createServer(respond);
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, done);
  }).catch((error) => {
    throw error.code === "EADDRINUSE"
      ? new ConfigurationError(`Cannot listen on port ${port}: another program uses it`, { cause: error })
      : error;
  });
  return server;
}

function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return done;
}
