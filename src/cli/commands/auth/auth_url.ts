import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { ConfigurationError } from "../../../errors.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { consentSettings, rememberConsent, required } from "./consent.ts";

const SCOPE = "advertising::campaign_management";

/** Options of {@linkcode runAuthUrl}. */
interface AuthUrlOptions {
  /** Address to which the consent page sends the code. */
  readonly redirectUri?: string;
}

/** `adsctl auth url`. */
export function authUrlCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("url", {
    summary: "Print the link to the consent page",
    details:
      "Open it, log in, and allow the access. The page then goes to the redirect address of your application, with a " +
      "code that works once and for five minutes: give that address to adsctl auth exchange.",
    examples: [["adsctl auth url --redirect-uri https://example.com/callback", "a link with a fresh state"]],
  })
    .option(
      "--redirect-uri <address>",
      "as registered with your application; otherwise PLATFORM_ADS_REDIRECT_URI",
    )
    .action((options, self) => kit.run((context) => runAuthUrl(options, context), self));
}

/** Prints the link to the consent page. */
async function runAuthUrl(options: AuthUrlOptions, context: CliContext): Promise<number> {
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
      'Open it in a browser, then give the address that it leads to, to "adsctl auth exchange"\n',
    );
  }
  return EXIT.done;
}
