import type { Credentials } from "../../platform/connection/credentials.ts";
import type { Platform } from "../../platform/connection/platform.ts";
import { WireNames } from "../routing/wire_names.ts";

interface ClientSettings {
  readonly platform: Platform;
  readonly credentials: Credentials;
}

const FORMS: Readonly<
  Record<string, { readonly type: string; readonly write: (settings: ClientSettings) => string }>
> = {
  json: { type: "application/json", write: (settings) => `${JSON.stringify(settings, null, 2)}\n` },
  env: { type: "text/plain; charset=utf-8", write: dotenv },
  py: { type: "text/x-python; charset=utf-8", write: python },
  ts: { type: "text/plain; charset=utf-8", write: typescript },
};

/**
 * Supports `settings.env`, `settings.py`, `settings.ts` and `settings.json`.
 *
 * @returns `undefined` for any other name.
 */
export function settingsFile(
  name: string,
  settings: ClientSettings,
): { readonly type: string; readonly text: string } | undefined {
  const ending = /^settings\.(\w+)$/.exec(name)?.[1] ?? "";
  const form = Object.hasOwn(FORMS, ending) ? FORMS[ending]! : undefined;
  return form === undefined ? undefined : { type: form.type, text: form.write(settings) };
}

function dotenv(settings: ClientSettings): string {
  return Object.entries(variables(settings)).map(([name, value]) => `${name}="${value}"\n`).join("");
}

function python(settings: ClientSettings): string {
  const lines = Object.entries(variables(settings)).map(([name, value]) =>
    `${name.replace(/^PLATFORM_ADS_/, "")} = ${JSON.stringify(value)}\n`
  );
  return `"""Settings of a platform emulator."""\n\n${lines.join("")}`;
}

function typescript({ platform, credentials }: ClientSettings): string {
  const text = (value: unknown) => JSON.stringify(value, null, 2);
  return `// Settings of a platform emulator.\n` +
    `export const platform = ${text(platform)} as const;\n\n` +
    `export const credentials = ${text(credentials)} as const;\n`;
}

function variables({ platform, credentials }: ClientSettings): Record<string, string> {
  const hosts = Object.entries(platform.regions).map(([region, { baseUrl }]) => [
    `PLATFORM_ADS_BASE_URL_${region}`,
    baseUrl,
  ]);
  const wire = new WireNames(platform.wireWord);
  return {
    ...Object.fromEntries(hosts),
    PLATFORM_ADS_TOKEN_URL: platform.tokenUrl,
    PLATFORM_ADS_AUTHORIZE_URL: platform.authorizeUrl ?? "",
    PLATFORM_ADS_SANDBOX_URL: platform.sandboxUrl ?? "",
    PLATFORM_ADS_MCP_URL: platform.mcpUrl ?? "",
    PLATFORM_ADS_WIRE_WORD: platform.wireWord,
    PLATFORM_ADS_CLIENT_ID_HEADER: wire.spell(platform.headers.clientId),
    PLATFORM_ADS_SCOPE_HEADER: wire.spell(platform.headers.scope),
    PLATFORM_ADS_CLIENT_ID: credentials.clientId,
    PLATFORM_ADS_CLIENT_SECRET: credentials.clientSecret,
    PLATFORM_ADS_REFRESH_TOKEN: credentials.refreshToken,
  };
}
