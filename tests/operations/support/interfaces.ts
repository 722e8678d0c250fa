import { dirname } from "node:path";
import { fieldWords } from "../../../src/interfaces/cli/shell/options/field_options.ts";
import { serveConsole } from "../../../src/interfaces/console/serve_console.ts";
import { approvalKeyFiles } from "../../../src/plans/review/approval_key.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { StoreAccess } from "../../../src/interfaces/mcp/context/store_access.ts";
import { type AnyOperation, toolName } from "../../../src/operations/model/operation.ts";
import { settingsOf } from "../../cli/support/emulated.ts";
import { configFolder } from "../../../src/base/runtime/user_folders.ts";
import { type CliWorld, runCli } from "../../cli/support/run_cli.ts";
import { signIn } from "../../console/support/console_world.ts";
import { Agent } from "../../mcp/support/agent.ts";
import { World } from "../../mcp/support/world.ts";

/** Values of an operation's fields. */
export type Input = Readonly<Record<string, unknown>>;

/** Operations that need no store. */
const OF_THE_ACCOUNT = [
  "list",
  "report",
  ...["create", "status", "download", "delete"].map((name) => `report ${name}`),
  "account history",
  "account drift",
  "account product-problems",
  "account labels",
  "account pull",
  "sheet pull",
  "sheet plan",
  "account recommendations",
  "account bids keywords",
  "account bids targets",
  "account bids new",
  "plan update",
  "plan create",
  "plan archive",
  "plan call",
  "account diff",
  "account copy",
  "plan from",
  "plan from-history",
  "plan held-back",
  "plan part",
  "plan experiments",
  "plan list",
  "ops job run",
  "ops call",
];

/** Operations on what the whole login reaches. */
const OF_A_LOGIN = [
  "report clean-room instances",
  "report clean-room workflows",
  "report clean-room drift",
  "report clean-room run",
];

/** Operations on what the platform publishes. */
const OF_THE_CATALOG = ["ops search", "ops show"];

/** Operations on a file and a plan of it. */
const OF_A_FILE = ["sheet result"];

/** Operations on a plan, which is of one profile. */
const OF_A_PLAN = [
  "plan outcome",
  "plan power",
  "plan held-back",
  "plan part",
  "plan approve",
  "plan apply",
  "plan resume",
  "plan undo",
];

/** Operations on what a store holds of all profiles. */
const OF_A_STORE = ["auto mark", "auto status", "store coverage", "query"];

/** Operations on what folders hold of all profiles. */
const OF_FOLDERS = ["plan list"];

/** Operations that no market is chosen for. */
const WITHOUT_MARKET = [
  ...OF_A_PLAN,
  ...OF_A_LOGIN,
  ...OF_A_STORE,
  ...OF_FOLDERS,
  ...OF_THE_CATALOG,
  ...OF_A_FILE,
];

/** Addresses of operations that are not about one profile. */
const PATHS: Readonly<Record<string, string>> = {
  "auto mark": "/api/alerts/mark",
  "account copy": "/api/profiles/:profile/copy",
  "plan part": "/api/plans/:id/part",
  "plan held-back": "/api/experiments/:id/held-back",
  "sync": "/api/sync",
};

/** A server and adsctl on one emulator with one store. */
export async function interfaces({ policy }: { readonly policy?: string } = {}) {
  const world = await World.start({ quirks: { reportSeconds: 0 } });
  const place = `${world.folder}/ads.sqlite`;
  const now = (): number => world.emulator.clock.now();
  const policyFile = policy === undefined ? undefined : `${world.folder}/policy.yaml`;
  if (policy !== undefined && policyFile !== undefined) await Deno.writeTextFile(policyFile, policy);
  const context = world.context({ policy: policyFile }, { now, store: new StoreAccess(place, { now }) });
  const agent = await Agent.connect(context);
  const env = {
    ...settingsOf(world.emulator, world.folder),
    XDG_CONFIG_HOME: `${world.folder}/config`,
    ...(policyFile === undefined ? {} : { PLATFORM_ADS_POLICY: policyFile }),
  };
  const stopping = new AbortController();
  const consolePlans = PlanStore.open(`${world.folder}/console-plans`, { now });
  const console = await serveConsole({
    ads: await context.ads(),
    folders: [{ maker: "person", store: consolePlans }],
    key: approvalKeyFiles(configFolder(env, { of: "the key for approvals" })),
    storePlace: place,
    serviceStore: () => place,
    files: {
      schedules: `${world.folder}/schedules.yaml`,
      pacing: `${world.folder}/pacing.yaml`,
      service: `${world.folder}/service.yaml`,
    },
    readOnly: false,
    now,
    stop: stopping.signal,
  });
  const page = await signIn({ console });
  const stopConsole = async (): Promise<void> => {
    stopping.abort();
    await console.close();
  };
  return {
    world,
    context,
    stopConsole,
    agent,
    adsctl: async (
      operation: AnyOperation,
      input: Input,
      more: readonly string[] = [],
      typed: Partial<CliWorld> = {},
    ) =>
      await runCli([
        ...operation.name.split(" "),
        ...await argumentsOf(operation, input, world.folder),
        ...(WITHOUT_MARKET.includes(operation.name) ? [] : ["-m", "CA"]),
        ...([...OF_THE_ACCOUNT, ...OF_A_LOGIN, ...OF_THE_CATALOG, ...OF_A_FILE].includes(
            operation.name,
          ) ||
            operation.effect === "send"
          ? []
          : ["--store", place]),
        ...(OF_FOLDERS.includes(operation.name) ? ["--folder", world.planFolder] : []),
        ...fieldWords(operation.input, input),
        ...more,
      ], { env, now, ...typed }),
    tool: (operation: AnyOperation, input: Input) =>
      agent.call(toolName(operation), {
        ...(operation.effect === "store"
          ? { markets: ["CA"] }
          : WITHOUT_MARKET.includes(operation.name)
          ? {}
          : { market: "CA" }),
        ...input,
      }),
    consolePlans,
    page,
    route: (operation: AnyOperation, input: Input) =>
      page.ask(routePath(operation).replace(":profile", "CA"), input),
    /** Syncs the profile CA in the console, and waits for the end. */
    routeOfSync: async (input: Input): Promise<Readonly<Record<string, unknown>>> => {
      const { profileId } = await (await context.ads()).profile("CA");
      const { status, data } = await page.ask("/api/sync", { profiles: [profileId], ...input });
      let view = data;
      while (status === 200 && view.state === "running") {
        await new Promise((done) => setTimeout(done, 20));
        view = (await page.ask("/api/sync")).data;
      }
      return view;
    },
    [Symbol.asyncDispose]: async () => {
      await stopConsole();
      await agent.client.close();
      await context.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The console has a route for each operation that makes or sends a plan, and for reads that take the text of a file. */
export function routePath({ name, effect }: AnyOperation): string {
  return PATHS[name] ??
    (effect === "send"
      ? `/api/plans/:id/${name.split(" ")[1]}`
      : `/api/profiles/:profile/${name.replaceAll(" ", "/")}`);
}

/** The required fields of an input as arguments of a command; entities are a file. */
async function argumentsOf({ input: fields }: AnyOperation, input: Input, folder: string): Promise<string[]> {
  const words: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const { required, type } = field;
    const value = input[name];
    const isArgument = required === true || "isArgument" in field;
    if (!isArgument || value === undefined) continue;
    if (type === "items") {
      words.push(`${folder}/items.json`);
      await Deno.writeTextFile(`${folder}/items.json`, JSON.stringify(value));
    } else if (type === "report" && typeof value !== "string") {
      words.push(`@${folder}/report.json`);
      await Deno.writeTextFile(`${folder}/report.json`, JSON.stringify(value));
    } else if (type === "table") {
      for (const { name: file, text } of value as { name: string; text: string }[]) {
        words.push(`${folder}/${file}`);
        await Deno.writeTextFile(`${folder}/${file}`, text);
      }
    } else if (type === "files") {
      words.push(`${folder}/account-files`);
      for (const [path, text] of Object.entries(value as Input)) {
        const file = `${folder}/account-files/${path}`;
        await Deno.mkdir(dirname(file), { recursive: true });
        await Deno.writeTextFile(file, String(text));
      }
    } else if (type === "sheet" || type === "sheets") {
      for (const [index, text] of [value].flat().entries()) {
        words.push(`${folder}/${name}-${index}.csv`);
        await Deno.writeTextFile(`${folder}/${name}-${index}.csv`, String(text));
      }
    } else if (type === "document") {
      words.push(`${folder}/${name}.yaml`);
      await Deno.writeTextFile(`${folder}/${name}.yaml`, String(value));
    } else if (name === "plan_id") words.push(`${folder}/plans/plan-${value}.json`);
    else words.push(...[value].flat().map(String));
  }
  return words;
}
