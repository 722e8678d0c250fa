import { platformFromEnv, readVariables } from "../../../../platform/connection/connection_from_env.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import type { Platform } from "../../../../platform/connection/platform.ts";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import { ConfigurationError } from "../../../../errors.ts";
import { UsageError } from "../../shell/errors/cli_error.ts";
import type { CliContext } from "../../shell/context/context.ts";
import type { CliIo } from "../../shell/io/cli_io.ts";

export interface PendingConsent {
  readonly state: string;
  readonly redirectUri: string;
}

interface ConsentSettings {
  readonly platform: Platform;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Works without a refresh token.
 *
 * @throws {UsageError} with `--demo`, whose account needs no consent.
 */
export async function consentSettings({ io, globals }: CliContext): Promise<ConsentSettings> {
  if (globals.demo) {
    throw new UsageError(
      "Cannot consent with --demo: the demo account needs no login. To try it, run " +
        '"adsctl demo start --write-env demo.env" and use --env-file demo.env',
    );
  }
  const sources = {
    env: io.env,
    ...(globals.envFile === undefined ? {} : { envFile: globals.envFile }),
    ...(globals.platform === undefined ? {} : { platformFile: globals.platform }),
  };
  const variables = await readVariables(sources);
  return { variables, platform: await platformFromEnv(variables, globals.platform) };
}

export function required(variables: Readonly<Record<string, string>>, name: string): string {
  const value = variables[name]?.trim();
  if (value) return value;
  throw new ConfigurationError(
    `Cannot log in: ${name} is not set. Put it into the environment or the dotenv file`,
  );
}

/** Readable only by its owner. */
export async function rememberConsent(consent: PendingConsent, io: CliIo): Promise<void> {
  await fileSystem().writeText(consentPath(io), JSON.stringify(consent) + "\n", { mode: 0o600 });
}

export async function pendingConsent(io: CliIo): Promise<PendingConsent | undefined> {
  const text = await fileSystem().readText(consentPath(io)).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text) as PendingConsent;
}

export async function forgetConsent(io: CliIo): Promise<void> {
  await fileSystem().remove(consentPath(io));
}

function consentPath(io: CliIo): string {
  return `${stateFolder(io.env, { of: "the consent under way" })}/pending-consent.json`;
}
