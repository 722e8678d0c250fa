import { mkdirSync } from "node:fs";
import type { PlatformAds, PlatformAdsOptions } from "../../../mod.ts";
import type { EmulatorOptions } from "../../../src/emulator/mod.ts";
import type { ProgramCommand } from "../../../src/store/model/query_question.ts";
import { type RunningConsole, serveConsole } from "../../../src/interfaces/console/serve_console.ts";
import { SECRET_HEADER } from "../../../src/interfaces/console/http/guard.ts";
import { type ApprovalKeyFiles, approvalKeyFiles } from "../../../src/plans/review/approval_key.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { type Emulated, emulated } from "../../support/emulated.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/** A console on an emulated account, with folders of its own. */
export interface ConsoleWorld extends Emulated {
  readonly console: RunningConsole;
  /** Plans of people. */
  readonly plans: PlanStore;
  /** Folder for the plans of a rollout. */
  readonly rolloutPlans: PlanStore;
  /** Plans of the tool server. */
  readonly agentPlans: PlanStore;
  readonly key: ApprovalKeyFiles;
  /** Path of the report store, which does not exist yet. */
  readonly storePlace: string;
  /** Paths of the files of schedules and of the service, which do not exist yet. */
  readonly files: { readonly schedules: string; readonly pacing: string; readonly service: string };
  /** Folders that the console wanted later commands to know. */
  readonly remembered: readonly string[];
  /** Asks the console to stop. */
  stop(): void;
}

/** Options of {@linkcode consoleWorld}. */
export interface ConsoleWorldOptions {
  readonly readOnly?: boolean;
  readonly client?: Partial<PlatformAdsOptions>;
  readonly emulator?: EmulatorOptions;
  readonly program?: ProgramCommand;
}

/** Starts a console. */
export async function consoleWorld(options: ConsoleWorldOptions = {}): Promise<ConsoleWorld> {
  const folder = await temporaryFolder();
  const { client = {}, emulator = {} } = options;
  const world = await emulated({ client, emulator });
  const now = world.time.now;
  const beside = ["plans", "agent", "rollout"].map((name) => folder.file(name));
  const plans = PlanStore.open(folder.file("plans"), { now, beside });
  const agentPlans = PlanStore.open(folder.file("agent"), { now, beside });
  const rolloutPlans = PlanStore.open(folder.file("rollout"), { now, beside });
  for (const { path } of [plans, agentPlans, rolloutPlans]) mkdirSync(path);
  const key = approvalKeyFiles(folder.file("config"));
  const storePlace = folder.file("ads.sqlite");
  const files = {
    schedules: folder.file("schedules.yaml"),
    pacing: folder.file("pacing.yaml"),
    service: folder.file("service.yaml"),
  };
  const stopping = new AbortController();
  const remembered: string[] = [];
  const console = await serveConsole({
    ads: world.ads,
    rememberPlans: (path) => Promise.resolve(void remembered.push(path)),
    folders: [
      { maker: "person", store: plans },
      { maker: "person", store: rolloutPlans },
      { maker: "agent", store: agentPlans },
    ],
    beside,
    key,
    storePlace,
    serviceStore: ({ store = storePlace }) => store,
    files,
    emulator: world.emulator.url,
    program: options.program,
    readOnly: options.readOnly ?? false,
    now,
    stop: stopping.signal,
  });
  return {
    ...world,
    console,
    plans,
    rolloutPlans,
    agentPlans,
    key,
    storePlace,
    files,
    remembered,
    stop: () => stopping.abort(),
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await console.close();
      await world[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

/** A second console on the folders and the store of a world, with a client of its own. */
export async function consoleOn(
  { plans, rolloutPlans, agentPlans, key, storePlace, files, time }: ConsoleWorld,
  ads: PlatformAds,
  { readOnly = false }: Pick<ConsoleWorldOptions, "readOnly"> = {},
): Promise<Pick<ConsoleWorld, "console"> & AsyncDisposable> {
  const stopping = new AbortController();
  const console = await serveConsole({
    ads,
    folders: [
      { maker: "person", store: plans },
      { maker: "person", store: rolloutPlans },
      { maker: "agent", store: agentPlans },
    ],
    ...{ key, storePlace, files, readOnly, now: time.now, stop: stopping.signal },
    serviceStore: ({ store = storePlace }) => store,
  });
  return {
    console,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await console.close();
    },
  };
}

/** A program that is signed in, as a page is. */
export interface SignedIn {
  readonly cookie: string;
  readonly secret: string;
  /** Asks the API; with a body it is a POST. */
  // deno-lint-ignore no-explicit-any -- tests read whatever the API gives
  ask(path: string, body?: unknown, headers?: Record<string, string>): Promise<{ status: number; data: any }>;
}

/** Signs in with a new token. */
export async function signIn(
  { console }: { readonly console: Pick<RunningConsole, "url" | "signInUrl"> },
): Promise<SignedIn> {
  const [, token] = /#token=(.*)$/.exec(console.signInUrl()) ?? [];
  const response = await fetch(`${console.url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { secret } = await response.json();
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    cookie,
    secret,
    ask: async (path, body, headers = {}) => {
      const answer = await fetch(console.url + path, {
        headers: { cookie, [SECRET_HEADER]: secret, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      return { status: answer.status, data: await answer.json() };
    },
  };
}
