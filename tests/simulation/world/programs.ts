import { main } from "../../../src/interfaces/cli/main.ts";
import type { CliIo, TextSink } from "../../../src/interfaces/cli/shell/io/cli_io.ts";
import type { PlatformAds } from "../../../mod.ts";
import { handleRequest } from "../../../src/interfaces/console/handle_request.ts";
import { SharedStore } from "../../../src/store/warehouse/shared_store.ts";
import { EventHub } from "../../../src/interfaces/console/http/event_hub.ts";
import { SECRET_HEADER } from "../../../src/interfaces/console/http/guard.ts";
import { Sessions } from "../../../src/interfaces/console/http/sessions.ts";
import { PlanJobs } from "../../../src/interfaces/console/http/plan_jobs.ts";
import { RolloutJobs } from "../../../src/interfaces/console/http/rollout_jobs.ts";
import { SyncJob } from "../../../src/interfaces/console/http/sync_job.ts";
import { connect } from "../../../src/interfaces/mcp/connect.ts";
import { McpContext } from "../../../src/interfaces/mcp/context/mcp_context.ts";
import { readSettings } from "../../../src/interfaces/mcp/context/settings.ts";
import { approvalKeyFiles } from "../../../src/plans/review/approval_key.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { Agent } from "../../mcp/support/agent.ts";

type Variables = Readonly<Record<string, string>>;

/**
 * Runs adsctl as the program of a process.
 *
 * @param options.person True for a terminal with a person who says yes to everything. @default a script
 */
export async function adsctl(
  args: readonly string[],
  { env, person = false }: { env: Variables; person?: boolean },
): Promise<number> {
  let asked = "";
  const sink = (hear: (text: string) => void): TextSink => ({
    isTerminal: person,
    columns: person ? 120 : undefined,
    write: (text) => Promise.resolve(hear(text)),
  });
  const io: CliIo = {
    stdout: sink(() => {}),
    stderr: sink((text) => asked = text),
    stdin: {
      isTerminal: person,
      text: () => Promise.resolve(""),
      async *pieces() {},
      line: () => Promise.resolve(/Type "(\w+)"/.exec(asked)?.[1] ?? (asked.includes("[y/N]") ? "y" : "")),
    },
    env,
    now: Date.now,
    onInterrupt: () => () => {},
  };
  return await main(args, io);
}

/** Serves an agent of this process with the tools of the server, until its work is done. */
export async function toolServer(
  args: readonly string[],
  { env, work }: { env: Variables; work: (agent: Agent) => Promise<void> },
): Promise<void> {
  const settings = await readSettings(args, env);
  const log = (): void => {};
  const context = new McpContext({
    settings,
    log,
    connect: async (own) => (await connect(settings, own, { env, log })).ads,
  });
  try {
    await using agent = await Agent.connect(context);
    await work(agent);
  } finally {
    await context.stop();
  }
}

/** Answer of the API of a console. */
export interface PageAnswer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- pages read whatever the API gives
  readonly data: any;
}

/** A page of a console, signed in. */
export type Page = (path: string, body?: Readonly<Record<string, unknown>>) => Promise<PageAnswer>;

const HOST = "127.0.0.1:3900";

/** Handles the requests of one page as a console does, until its work is done. */
export async function consoleServer(
  { ads, folder, config, work }: {
    ads: PlatformAds;
    folder: string;
    config: string;
    work: (page: Page) => Promise<void>;
  },
): Promise<void> {
  const events = new EventHub();
  const jobs = new PlanJobs(events);
  const stopping = new AbortController();
  const sessions = new Sessions(Date.now);
  const context = {
    ads,
    events,
    jobs,
    sync: new SyncJob(events),
    rollouts: new RolloutJobs(events),
    folders: [{ maker: "agent" as const, store: PlanStore.open(folder) }],
    key: approvalKeyFiles(config),
    storePlace: "/none.sqlite",
    store: new SharedStore(() => Promise.reject(new Error("There is no store"))),
    serviceStore: () => "/none.sqlite",
    files: { schedules: "/none.yaml", pacing: "/none.yaml", service: "/none.yaml" },
    readOnly: false,
    now: Date.now,
    stop: stopping.signal,
  };
  const guard = { hosts: [HOST], sessions, cookieName: "adsctl_console" };
  let signedIn: Record<string, string> = {};
  const ask = async (path: string, body?: Readonly<Record<string, unknown>>): Promise<Response> =>
    await handleRequest(
      new Request(`http://${HOST}${path}`, {
        headers: { host: HOST, "content-type": "application/json", ...signedIn },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }),
      { context, guard },
    );
  const opened = await ask("/api/session", { token: sessions.newToken() });
  signedIn = {
    cookie: opened.headers.get("set-cookie")?.split(";")[0] ?? "",
    [SECRET_HEADER]: (await opened.json()).secret,
  };
  try {
    await work(async (path, body) => {
      const response = await ask(path, body);
      return { status: response.status, data: await response.json() };
    });
  } finally {
    stopping.abort();
    await jobs.settled();
  }
}
