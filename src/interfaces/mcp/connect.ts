import { isPostgres } from "../../base/text/is_postgres.ts";
import type { Connection } from "../../platform/connection/connection_from_env.ts";
import type { PlatformAds } from "../../client/platform_ads.ts";
import type { McpContext } from "./context/mcp_context.ts";
import type { McpSettings } from "./context/settings.ts";
import type { BidResponseSource } from "../../plans/review/bid_response.ts";
import type { FiguresSource } from "../../plans/review/figures_source.ts";
import type { ScheduledSource } from "../../plans/review/read_last_changes.ts";
import type { Policy } from "../../plans/policy/policy.ts";
import {
  foldersBeside,
  type FolderWorld,
  knownFolders,
  rememberFolder,
} from "../../account/rollout/known_folders.ts";
import type { PlanStoreOptions } from "../../plans/store/plan_store.ts";
import type { HeldSource } from "../../plans/model/experiment.ts";
import { changedIn } from "../../plans/store/applied_changes.ts";
import type { ChangesSource } from "../../plans/model/amount_changes.ts";
import { heldIn } from "../../plans/store/running_experiments.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { hasStateFolder, stateFolder } from "../../base/runtime/user_folders.ts";
import type { SharedPacer } from "../../store/queue/shared_pacer.ts";
import { VERSION } from "./context/environment.ts";
import { wireFromVariables } from "../../client/entities/wire/wire_setting.ts";

export interface Connected {
  readonly ads: PlatformAds;
  close(): Promise<void>;
}

/** Folders whose plans count for calls that were put back. */
export function besideServer(
  { tenant, planFolder, variables, demo, rehearsal }: McpSettings,
  env: FolderWorld["env"],
): PlanStoreOptions["beside"] {
  // A tenant sees nothing of the others, and nothing of adsctl.
  if (tenant !== undefined) return undefined;
  const world = { env: { ...env, ...variables }, demo, isRehearsal: rehearsal !== undefined };
  return foldersBeside([planFolder], world);
}

export async function connect(
  settings: McpSettings,
  context: McpContext,
  io: { env: Readonly<Record<string, string | undefined>>; log: (line: string) => void },
): Promise<Connected> {
  const { PlatformAds } = await import("../../client/platform_ads.ts");
  const userAgent = `platform-ads-mcp/${VERSION}`;
  const figures: FiguresSource = (request) => context.figures.figures(request);
  const scheduled: ScheduledSource = async (profileId) => {
    const { scheduledIn } = await import("../../automation/schedules/scheduled_ids.ts");
    return await scheduledIn(context.figures.place)(profileId);
  };
  const policy = await openPolicy(settings, figures);
  context.policy = policy;
  if (settings.policy !== undefined) {
    context.policyDigest = sha256(await fileSystem().readText(settings.policy));
  }
  const own = context.plans.path;
  const plansOf = (world: FolderWorld): { experiments: HeldSource; changes: ChangesSource } => {
    // A tenant sees nothing of the others, and nothing of adsctl.
    const isAlone = settings.tenant !== undefined;
    if (!isAlone) context.rememberPlans = () => rememberFolder(own, world);
    const folders = isAlone ? [own] : () => knownFolders([own], world);
    return { experiments: heldIn(folders, context.now), changes: changedIn(folders) };
  };
  if (settings.demo) {
    const [{ openDemoAccount }, { rehearsalEnvironment }] = await Promise.all([
      import("../demo/demo_account.ts"),
      import("../demo/rehearsal.ts"),
    ]);
    const env = { ...io.env, ...settings.variables };
    const used = settings.rehearsal === undefined ? env : await rehearsalEnvironment(env, settings.rehearsal);
    const account = await openDemoAccount({
      env: used,
      signal: new AbortController().signal,
      share: true,
      onNotice: io.log,
    });
    const { platform, fetch, now, maxPoll } = account;
    const wires = wireFromVariables(settings.variables);
    const plans = plansOf({ env: used, demo: true });
    const { onEvent } = context;
    const { profiles } = settings;
    const options = {
      platform,
      fetch,
      now,
      maxPoll,
      userAgent,
      profiles,
      policy,
      figures,
      scheduled,
      ...plans,
      jobs: `${settings.planFolder}/jobs`,
      onEvent,
      ...wires,
    };
    const ads = new PlatformAds(account.credentials, options);
    return { ads, close: () => account.close() };
  }
  if (settings.loginFile === "./.env") io.log("Login of ./.env, a file that nobody named");
  const { platform, credentials } = await readConnection(settings);
  context.secrets.add(credentials.clientSecret);
  context.secrets.add(credentials.refreshToken);
  const shared = await sharedPacer(credentials.clientId, { settings, env: io.env });
  const wires = wireFromVariables(settings.variables);
  const { onEvent } = context;
  const responses: BidResponseSource = (request) => context.figures.response(request, context.plans.path);
  const options = {
    platform,
    userAgent,
    profiles: settings.profiles,
    policy,
    figures,
    scheduled,
    responses,
    ...plansOf({ env: { ...io.env, ...settings.variables }, demo: false }),
    jobs: `${settings.planFolder}/jobs`,
    onEvent,
    ...wires,
    pacer: shared?.pacer,
  };
  return {
    ads: new PlatformAds(credentials, options),
    close: async () => await shared?.close(),
  };
}

async function sharedPacer(
  clientId: string,
  { settings, env }: { settings: McpSettings; env: Readonly<Record<string, string | undefined>> },
): Promise<SharedPacer | undefined> {
  if (!hasStateFolder(env)) return undefined;
  const { openSharedPacer } = await import("../../store/queue/shared_pacer.ts");
  return await openSharedPacer({ clientId, folder: stateFolder(env), store: settings.store });
}

/** A tenant never receives the server's own login. */
async function readConnection(
  { tenant, variables, envFile, platformFile }: McpSettings,
): Promise<Connection> {
  const { connectionFromEnv, connectionFromVariables } = await import(
    "../../platform/connection/connection_from_env.ts"
  );
  const sources = platformFile === undefined ? {} : { platformFile };
  if (tenant !== undefined) return await connectionFromVariables(variables, sources);
  return await connectionFromEnv({
    env: variables,
    ...sources,
    ...(envFile === undefined ? {} : { envFile }),
  });
}

/** An unreadable policy stops the server, because without it every write would pass. */
async function openPolicy(
  { policy, policyFolder, store }: McpSettings,
  figures: FiguresSource,
): Promise<Policy | undefined> {
  if (policy === undefined) return undefined;
  const { loadPolicy } = await import("../../plans/policy/load_policy.ts");
  if (store === undefined || !isPostgres(store)) {
    return await loadPolicy(policy, { ledger: policyFolder, figures });
  }
  const { PostgresLedger } = await import("../../store/postgres/postgres_ledger.ts");
  return await loadPolicy(policy, { ledger: new PostgresLedger(store), figures });
}
