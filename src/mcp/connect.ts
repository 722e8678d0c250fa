import type { PlatformAds } from "../client/platform_ads.ts";
import type { McpContext } from "./mcp_context.ts";
import type { McpSettings } from "./settings.ts";
import type { Policy } from "../policy/policy.ts";
import { VERSION } from "./version.ts";

/** What a connection leaves behind for the end of the process. */
export interface Connected {
  /** The client. */
  readonly ads: PlatformAds;
  /** Ends what was started for it. */
  close(): Promise<void>;
}

/** Connects to the account of the settings, or starts the embedded emulator for a demo. */
export async function connect(settings: McpSettings, context: McpContext): Promise<Connected> {
  const { PlatformAds } = await import("../client/platform_ads.ts");
  const userAgent = `platform-ads-mcp/${VERSION}`;
  const policy = await openPolicy(settings);
  if (settings.demo) {
    const { Emulator } = await import("../emulator/mod.ts");
    const emulator = await Emulator.start();
    const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform, userAgent, policy });
    return { ads, close: () => emulator.stop() };
  }
  const { connectionFromEnv } = await import("../connection/connection_from_env.ts");
  const { platform, credentials } = await connectionFromEnv({
    env: settings.variables,
    ...(settings.envFile === undefined ? {} : { envFile: settings.envFile }),
    ...(settings.platformFile === undefined ? {} : { platformFile: settings.platformFile }),
  });
  context.secrets.add(credentials.clientSecret);
  context.secrets.add(credentials.refreshToken);
  return {
    ads: new PlatformAds(credentials, { platform, userAgent, policy }),
    close: () => Promise.resolve(),
  };
}

/** A policy that cannot be read ends the server: without it every write would pass. */
async function openPolicy({ policy, policyFolder, store }: McpSettings): Promise<Policy | undefined> {
  if (policy === undefined) return undefined;
  const { loadPolicy } = await import("../policy/load_policy.ts");
  return await loadPolicy(policy, {
    ledger: policyFolder,
    figures: async (request) => {
      if (store === undefined) return new Map();
      const { figuresFromStore } = await import("../store/figures_from_store.ts");
      return await figuresFromStore(store)(request);
    },
  });
}
