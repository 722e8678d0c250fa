import { ENVIRONMENT } from "../../src/interfaces/cli/shell/io/environment.ts";
import { CONNECTION_VARIABLES } from "../../src/platform/connection/connection_from_env.ts";
import { ENVIRONMENT as SERVER_ENVIRONMENT } from "../../src/interfaces/mcp/context/environment.ts";
import { type Declaration, declarationsOf } from "./declarations.ts";
import { table } from "./table.ts";

const ROOT = new URL("../../", import.meta.url);

/** `docs/settings.md`: variables, the settings file, and the options of a client. */
export async function settingsPage(): Promise<string> {
  const meaningOf = new Map(ENVIRONMENT.map(({ name, meaning }) => [name, meaning]));
  const connection = CONNECTION_VARIABLES.map((name) => {
    const meaning = meaningOf.get(name);
    if (meaning === undefined) {
      throw new Error(`src/interfaces/cli/shell/io/environment.ts does not say what ${name} is`);
    }
    return [code(name), meaning];
  });
  const own = ENVIRONMENT.filter(({ name }) => !CONNECTION_VARIABLES.includes(name));
  const platform = await interfaces("src/platform/connection/platform.ts");
  const client = await interfaces("src/client/platform_ads_options.ts");
  const transport = await interfaces("src/platform/transport/transport_options.ts");
  const retry = await interfaces("src/platform/transport/retry.ts");
  const sources = await interfaces("src/platform/connection/connection_from_env.ts");
  const credentials = await interfaces("src/platform/connection/credentials.ts");
  return [
    "<!-- Made by scripts/generate_reference.ts from the sources. Change those, not this page. -->",
    "",
    "# Settings",
    "",
    "[Connecting a real account](connecting.md) explains which of these you need. They are read when a client is made,",
    "not when a module is imported.",
    "",
    "Environment variables override the dotenv file, and single settings override the settings file. `--env-file` and",
    "`--platform` override the variables that name these files.",
    "",
    "## Connection",
    "",
    "For all three interfaces: `PlatformAds.fromEnv()`, `adsctl` and `platform-ads-mcp`.",
    "",
    ...table(["Variable", "Meaning"], connection),
    "",
    "## adsctl",
    "",
    ...table(["Variable", "Meaning"], own.map(({ name, meaning }) => [code(name), meaning])),
    "",
    "## platform-ads-mcp",
    "",
    ...table(
      ["Variable", "Option", "Meaning"],
      SERVER_ENVIRONMENT.map(({ name, option, meaning }) => [
        code(name),
        option === undefined ? "" : code(option),
        meaning,
      ]),
    ),
    "",
    "## The settings file",
    "",
    "One JSON object, in the file that `PLATFORM_ADS_PLATFORM_FILE` or `--platform` names. It can also have",
    "`credentials`.",
    "",
    ...memberTable([platform("Platform")]),
    "",
    "`headers`:",
    "",
    ...memberTable([platform("PlatformHeaders")]),
    "",
    "`credentials`:",
    "",
    ...memberTable([credentials("Credentials")]),
    "",
    "## Client options",
    "",
    "`new PlatformAds(credentials, options)`:",
    "",
    ...memberTable([client("PlatformAdsOptions"), transport("TransportOptions")]),
    "",
    "`PlatformAds.fromEnv(options)` takes the same options, and:",
    "",
    ...memberTable([client("FromEnvOptions"), sources("ConnectionSources")]),
    "",
    "`retry` (times are in seconds):",
    "",
    ...memberTable([retry("RetryPolicy")]),
    "",
  ].join("\n");
}

async function interfaces(path: string): Promise<(name: string) => Declaration> {
  const found = await declarationsOf(new URL(path, ROOT));
  return (name) => {
    const declaration = found.find((one) => one.name === name);
    if (declaration === undefined) throw new Error(`There is no "${name}" in ${path}`);
    return declaration;
  };
}

function memberTable(declarations: readonly Declaration[]): string[] {
  return table(
    ["Field", "Type", "Meaning"],
    declarations.flatMap(({ members }) => members).map((
      { name, type, doc },
    ) => [code(name), code(type), doc]),
  );
}

function code(text: string): string {
  return `\`${text}\``;
}
