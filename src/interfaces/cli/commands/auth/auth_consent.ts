import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import { dayOf } from "../../../../base/time/calendar.ts";
import { AuthError, ConfigurationError } from "../../../../errors.ts";
import { readTokenResponse, type TokenResponse } from "../../../../platform/connection/access_tokens.ts";
import { platformFromEnv, readVariables } from "../../../../platform/connection/connection_from_env.ts";
import type { Platform } from "../../../../platform/connection/platform.ts";
import { Transport } from "../../../../platform/transport/transport.ts";
import { command } from "../../shell/command.ts";
import { transportOptions } from "../../shell/connect/connect.ts";
import { askSecret } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, RefusedError, UsageError } from "../../shell/io/cli_error.ts";
import type { CliIo } from "../../shell/io/cli_io.ts";
import { setInDotenv } from "../../shell/io/dotenv_edit.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { existsSync, realpathSync } from "node:fs";

interface PendingConsent {
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
async function consentSettings({ io, globals }: CliContext): Promise<ConsentSettings> {
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

function required(variables: Readonly<Record<string, string>>, name: string): string {
  const value = variables[name]?.trim();
  if (value) return value;
  throw new ConfigurationError(
    `Cannot log in: ${name} is not set. Put it into the environment or the dotenv file`,
  );
}

/** Readable only by its owner. */
async function rememberConsent(consent: PendingConsent, io: CliIo): Promise<void> {
  await fileSystem().writeText(consentPath(io), JSON.stringify(consent) + "\n", { mode: 0o600 });
}

async function pendingConsent(io: CliIo): Promise<PendingConsent | undefined> {
  const text = await fileSystem().readText(consentPath(io)).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text) as PendingConsent;
}

async function forgetConsent(io: CliIo): Promise<void> {
  await fileSystem().remove(consentPath(io));
}

function consentPath(io: CliIo): string {
  return `${stateFolder(io.env, { of: "the consent under way" })}/pending-consent.json`;
}

export const authExchangeCommand = command(
  (kit) =>
    kit.leaf("exchange", {
      summary: "Exchange the consent page's code for a refresh token",
      details:
        "Paste the full address that the consent page redirected to, or its code; input is hidden. The refresh " +
        "token and the consent date are written to the dotenv file (--env-file, PLATFORM_ADS_ENV_FILE or ./.env), " +
        "which only you can read. Its other lines are kept.",
      examples: [
        ["adsctl auth exchange", "paste the address, and write ./.env"],
        ["adsctl auth exchange --env-file prod.env < address.txt", "from a file"],
      ],
    })
      .option("--redirect-uri <address>", "redirect URI (default: the one given to auth url)")
      .option("--print", "print the refresh token too"),
  async (options, context) => {
    const { io, globals, interruption } = context;
    const { platform, variables } = await consentSettings(context);
    const clientId = required(variables, "PLATFORM_ADS_CLIENT_ID");
    const clientSecret = required(variables, "PLATFORM_ADS_CLIENT_SECRET");
    const pending = await pendingConsent(io);
    const redirectUri = options.redirectUri ?? pending?.redirectUri ?? variables["PLATFORM_ADS_REDIRECT_URI"];
    if (!redirectUri) {
      throw new UsageError(
        'Cannot exchange the code: give --redirect-uri, the same as for "adsctl auth url"',
      );
    }
    const code = codeOf(await pasted(context), pending);

    const transport = new Transport(
      { platform, credentials: { clientId, clientSecret, refreshToken: "" } },
      transportOptions(context),
    );
    const path = globals.envFile ?? io.env["PLATFORM_ADS_ENV_FILE"] ?? ".env";
    // A code works once: whether its token can be written must be known before.
    await writeDotenv(path, {});
    const { refreshToken } = readResponse(
      await transport.postForm({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        client_id: clientId,
        client_secret: clientSecret,
      }, interruption.signal),
    );
    if (refreshToken === undefined) {
      throw new AuthError(
        "Cannot finish the consent: the identity provider gave no refresh token",
        "no_refresh_token",
      );
    }
    const consentDate = dayOf(io.now());
    await writeDotenv(path, {
      PLATFORM_ADS_REFRESH_TOKEN: refreshToken,
      PLATFORM_ADS_CONSENT_DATE: consentDate,
    });
    await forgetConsent(io);
    await io.stderr.write(`Wrote the refresh token and the consent date ${consentDate} to ${path}\n`);
    if (io.env["PLATFORM_ADS_REFRESH_TOKEN"]) {
      await io.stderr.write(
        "warning: PLATFORM_ADS_REFRESH_TOKEN is also set in the environment, and overrides the file\n",
      );
    }
    if (options.print) await io.stdout.write(`${refreshToken}\n`);
    return EXIT.done;
  },
);

function readResponse(response: TokenResponse): { refreshToken?: string } {
  try {
    return readTokenResponse(response);
  } catch (error) {
    if (!(error instanceof AuthError) || error.error !== "invalid_grant") throw error;
    throw new AuthError(
      'Cannot exchange the code: the identity provider responded with "invalid_grant". A code works once, for five minutes, and ' +
        'with the redirect address it was made for. Begin again with "adsctl auth url"',
      error.error,
      { cause: error },
    );
  }
}

async function pasted(context: CliContext): Promise<string> {
  const { stdin } = context.io;
  if (!stdin.isTerminal) return (await stdin.text()).trim();
  const question = "Paste the address (or the code), then press Return. It is not shown: ";
  return (await askSecret(question, context)).trim();
}

function codeOf(text: string, pending: PendingConsent | undefined): string {
  if (text === "") throw new UsageError("Cannot exchange the code: nothing was pasted");
  if (!/^https?:\/\//i.test(text)) return text;
  if (!URL.canParse(text)) throw new UsageError("Cannot read the address: it is malformed");
  const { searchParams } = new URL(text);
  const refusal = searchParams.get("error");
  if (refusal !== null) {
    throw new AuthError(`Cannot finish the consent: the consent page responded with "${refusal}"`, refusal);
  }
  if (pending !== undefined && searchParams.get("state") !== pending.state) {
    throw new RefusedError(
      "Cannot trust the address: its state does not match auth url, so it may belong to another person's " +
        "consent. Begin again with adsctl auth url",
    );
  }
  const code = searchParams.get("code");
  if (!code) throw new UsageError("Cannot find the code: the address has none");
  return code;
}

async function writeDotenv(path: string, values: Record<string, string>): Promise<void> {
  const target = existsSync(path) ? realpathSync(path) : path;
  const text = existsSync(target) ? await fileSystem().readText(target) : "";
  await fileSystem().writeText(target, setInDotenv(text, values), { mode: 0o600 });
}

const SCOPE = "advertising::campaign_management";

export const authUrlCommand = command(
  (kit) =>
    kit.leaf("url", {
      summary: "Print the link to the consent page",
      details:
        "Open the link, log in, and allow access. The browser then goes to your application's redirect URI with a " +
        "code that works once, for five minutes. Pass that address to adsctl auth exchange.",
      examples: [[
        "adsctl auth url --redirect-uri https://example.com/callback",
        "print a link",
      ]],
    })
      .option(
        "--redirect-uri <address>",
        "redirect URI registered with your application; otherwise PLATFORM_ADS_REDIRECT_URI",
      ),
  async (options, context) => {
    const { io, globals } = context;
    const { platform, variables } = await consentSettings(context);
    if (platform.authorizeUrl === undefined) {
      throw new ConfigurationError("Cannot make the link: PLATFORM_ADS_AUTHORIZE_URL is not set");
    }
    const redirectUri = options.redirectUri ?? required(variables, "PLATFORM_ADS_REDIRECT_URI");
    if (!URL.canParse(redirectUri)) {
      throw new ConfigurationError(
        `Cannot make the link: the redirect address "${redirectUri}" is not an address`,
      );
    }
    const state = crypto.randomUUID().replaceAll("-", "");
    const url = new URL(platform.authorizeUrl);
    url.search = new URLSearchParams({
      client_id: required(variables, "PLATFORM_ADS_CLIENT_ID"),
      scope: SCOPE,
      response_type: "code",
      redirect_uri: redirectUri,
      state,
    }).toString();
    await rememberConsent({ state, redirectUri }, io);
    if (wantsData(context)) await printJson({ url: url.href, state, redirect_uri: redirectUri }, context);
    else await io.stdout.write(`${url.href}\n`);
    if (!globals.quiet) {
      await io.stderr.write(
        'Open it in a browser, then give "adsctl auth exchange" the address that it redirects to\n',
      );
    }
    return EXIT.done;
  },
);
