import process from "node:process";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { canOpenBrowser } from "../../../console/open_browser.ts";
import { command } from "../../shell/command.ts";
import { askText } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import {
  readSavedSettings,
  type SavedSettings,
  settingsFile,
  writeSavedSettings,
} from "../../shell/context/saved_settings.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { setInDotenv } from "../../shell/io/dotenv_edit.ts";
import { marketOption } from "../../shell/options/market_options.ts";
import { repeated } from "../../shell/options/parse_values.ts";
import { DEFAULT_STORE } from "../../shell/options/store_option.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { CommandSteps } from "./command_steps.ts";
import { fillDemo } from "./fill_demo.ts";
import { type InitAnswers, initAnswers, type Login, POLICY_FILE, SOURCES } from "./init_answers.ts";
import { Option } from "@commander-js/extra-typings";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Writes the instructions for agents without secrets, which stay in the dotenv file that `env` points to. */
function agentsBlock(env: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ mcpServers: { "platform-ads": { ...serverCommand(), env } } }, null, 2)}\n`;
}

function serverCommand(): { readonly command: string; readonly args?: readonly string[] } {
  const [runtime = "", script = ""] = process.argv;
  if (basename(script) !== "cli.ts" || !("Deno" in globalThis)) return { command: "platform-ads-mcp" };
  return { command: runtime, args: ["run", "-A", "-q", resolve(join(dirname(script), "mcp.ts"))] };
}

const SHOWN_DAYS = "30";

export const initCommand = command(
  (kit) =>
    kit.leaf("init", {
      summary: "Set up the demo, downloaded files or your account, then open the console",
      details:
        "Asks for missing answers, then writes to the folder: settings, the login in .env (readable only by you), " +
        "a policy with limits from the account, a report store, and mcp.json for agents. Each command is printed " +
        "before it runs. Existing files and saved settings are kept, so you can run it again. An existing " +
        "policy.yaml that init did not write is used only with --policy. Secrets come from " +
        "PLATFORM_ADS_CLIENT_SECRET and PLATFORM_ADS_REFRESH_TOKEN, or init asks for them. At the end it opens " +
        "the console, or prints the command if there is no display.",
      examples: [
        ["adsctl init", "answer questions one at a time"],
        ["adsctl init --from demo", "set up the demo account without questions"],
        ["adsctl init downloads/*.csv bulk.xlsx", "use downloaded reports and a bulk sheet"],
        [
          "adsctl init --from account --platform platform.json --client-id app.1 -m CA",
          "connect your own account",
        ],
      ],
    })
      .argument("[files...]", "downloaded reports and bulk sheets, for --from files")
      .addOption(new Option("--from <source>", "data source; otherwise init asks").choices(SOURCES))
      .addOption(marketOption())
      .option("--folder <path>", "folder for the files, created if missing", ".")
      .option("--store <place>", "report store (default: ads.sqlite in the folder, or the demo's own)")
      .option(
        "--api <region=address>",
        "API address of a region, unless --platform names a settings file; repeatable",
        repeated,
      )
      .option("--token-url <address>", "token URL, with --api")
      .option("--client-id <id>", "client id of your application")
      .option("--no-open", "print the console's command instead of opening it"),
  async (given, options, context) => {
    const answers = await initAnswers(given, options, context);
    await mkdir(options.folder, { recursive: true });
    const setup = new Setup(options.folder, context);
    const run = { demo: setUpDemo, files: setUpFiles, account: setUpAccount }[answers.source];
    const console = await run(setup, answers, options);
    if (wantsData(context)) {
      await printJson({ source: answers.source, files: setup.files, console }, context);
      return EXIT.done;
    }
    if (console === undefined) return EXIT.done;
    return await openConsole(console, options, context);
  },
);

/** Existing files are reported and never overwritten. */
class Setup {
  readonly files: { path: string; state: "written" | "left" }[] = [];

  constructor(readonly folder: string, readonly context: CliContext) {}

  path(name: string): string {
    return fileSystem().join(this.folder, name);
  }

  async write(name: string, text: string, mode = 0o644): Promise<void> {
    const path = this.path(name);
    await this.note(path, await fileSystem().createText(path, text, { mode }) ? "written" : "left");
  }

  async note(path: string, state: "written" | "left"): Promise<void> {
    this.files.push({ path, state });
    await say(state === "written" ? `Wrote ${path}` : `Left ${path} as it is`, this.context);
  }

  /** Writes variables to the dotenv file; existing variables keep their values. */
  async writeEnv(variables: Readonly<Record<string, string>>): Promise<void> {
    const path = this.path(".env");
    const before = await fileSystem().readText(path).catch(() => "");
    const missing = Object.entries(variables).filter(([name]) =>
      !new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=`, "m").test(before)
    );
    if (missing.length === 0) return await this.note(path, "left");
    await fileSystem().writeText(path, setInDotenv(before, Object.fromEntries(missing)), { mode: 0o600 });
    await this.note(path, "written");
  }

  /** Creates a policy only if none was named or written before. */
  async writePolicy(steps: CommandSteps, words: readonly string[]): Promise<string> {
    const { policy: named } = this.context.globals;
    const path = named ?? this.path(POLICY_FILE);
    if (named !== undefined || await fileSystem().exists(path)) await this.note(path, "left");
    else {
      await steps.run(["policy", "init", ...words, "--out", path, "--quiet"]);
      await this.note(path, "written");
    }
    return path;
  }

  async save(wanted: SavedSettings, words: readonly string[]): Promise<void> {
    const { env } = this.context.io;
    const saved = await readSavedSettings(env);
    const path = settingsFile(env);
    if (Object.keys(saved).length === 0) {
      await writeSavedSettings(wanted, env);
      return await this.note(path, "written");
    }
    await this.note(path, "left");
    if (JSON.stringify({ ...saved, ...wanted }) === JSON.stringify(saved)) return;
    const line = nextCommand(["use", ...words], this.context.globals);
    await say(
      `  Your saved settings differ. To work here without options, run adsctl use --clear, then\n  ${line}`,
      this.context,
    );
  }
}

type Answered = InitAnswers;
interface Options {
  readonly store?: string;
  readonly open: boolean;
}

async function setUpDemo(
  setup: Setup,
  { market = "CA" }: Answered,
  { store }: Options,
): Promise<readonly string[]> {
  const { context, folder } = setup;
  const steps = await CommandSteps.start(context);
  await setup.writeEnv({ PLATFORM_ADS_DEMO: "1" });
  const policy = await setup.writePolicy(steps, ["-m", market, "--demo"]);
  await fillDemo(steps, { market, folder, store, policy }, context);
  await setup.save(
    {
      market,
      demo: true,
      policy: resolve(policy),
      ...(store === undefined ? {} : { store: resolve(store) }),
    },
    [market, "--demo", "--policy", policy],
  );
  await setup.write(
    "mcp.json",
    agentsBlock({ PLATFORM_ADS_DEMO: "1", PLATFORM_ADS_POLICY: resolve(policy) }),
  );
  const place = store === undefined ? [] : ["--store", store];
  await showFigures(steps, ["-m", market, "--days", SHOWN_DAYS, "--demo", ...place]);
  return ["console", "--demo", "--policy", policy, ...inFolder(folder), ...place];
}

async function setUpFiles(
  setup: Setup,
  { market, files }: Answered,
  options: Options,
): Promise<readonly string[]> {
  const { context, folder } = setup;
  const { store = setup.path(DEFAULT_STORE) } = options;
  const place = ["--store", store];
  const steps = await CommandSteps.start(context);
  const text = await steps.run([
    "import",
    ...files,
    ...(market === undefined ? [] : ["-m", market]),
    ...place,
    "--json",
  ]);
  const read = JSON.parse(text) as {
    readonly country_code: string;
    readonly entities: Readonly<Record<string, number>>;
    readonly files: readonly {
      readonly file: string;
      readonly report: string;
      readonly count: number;
      readonly first_day: string | null;
      readonly last_day: string | null;
    }[];
  };
  const country = read.country_code;
  await setup.note(store, "written");
  for (const { file, report, count } of read.files) await say(`  ${file}: ${report}, ${count} rows`, context);
  const isAccount = Object.keys(read.entities).length > 0;
  const saved = { market: country, store: resolve(store) };
  if (isAccount) {
    const policy = await setup.writePolicy(steps, ["-m", country, "--from-files", ...place]);
    await setup.save({ ...saved, policy: resolve(policy) }, [country, ...place, "--policy", policy]);
  } else {
    await say("No policy written: the files include no bulk sheet, so bids are unknown", context);
    await setup.save(saved, [country, ...place]);
  }
  const days = read.files.flatMap((one) => [one.first_day, one.last_day]).filter((day) => day !== null)
    .sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first !== undefined && last !== undefined) {
    await showFigures(steps, ["-m", country, "--start", first, "--end", last, ...place]);
  }
  await say("No mcp.json written: agents need an API login or the demo", context);
  return ["console", "--from-files", "-m", country, ...inFolder(folder), ...place];
}

async function setUpAccount(
  setup: Setup,
  { market: named, login }: Answered,
  options: Options,
): Promise<readonly string[] | undefined> {
  const { context, folder } = setup;
  if (login === undefined) return undefined;
  const { store = setup.path(DEFAULT_STORE) } = options;
  if (login.settings !== undefined) await setup.write("platform.json", login.settings);
  const platform = platformOf(login, setup);
  await setup.writeEnv({ ...platform, ...login.variables });
  const env = resolve(setup.path(".env"));
  const isHere = resolve(folder) === resolve(".");
  const named_env = isHere ? [] : ["--env-file", setup.path(".env")];
  if (login.isUnfinished) {
    await say(
      "No refresh token yet. Get one from the consent page, then run adsctl init again:\n  " +
        nextCommand(["auth", "url", ...named_env], context.globals),
      context,
    );
    return undefined;
  }
  const steps = await CommandSteps.start(context, { PLATFORM_ADS_ENV_FILE: env });
  const market = named ?? await askMarket(steps, context);
  const where = ["-m", market];
  const policy = await setup.writePolicy(steps, where);
  await steps.run(["sync", ...where, "--store", store], { accepted: [EXIT.done, EXIT.someFailed] });
  await setup.note(store, "written");
  const place = ["--store", store];
  await setup.save(
    { market, store: resolve(store), policy: resolve(policy) },
    [market, ...place, "--policy", policy],
  );
  await setup.write(
    "mcp.json",
    agentsBlock({
      PLATFORM_ADS_ENV_FILE: env,
      ...platform,
      PLATFORM_ADS_POLICY: resolve(policy),
      PLATFORM_ADS_MCP_STORE: resolve(store),
    }),
  );
  await showFigures(steps, [...where, "--days", SHOWN_DAYS, ...place]);
  return ["console", ...named_env, "--policy", policy, ...inFolder(folder), ...place];
}

function platformOf(login: Login, setup: Setup): Record<string, string> {
  const path = login.settings === undefined ? login.platformFile : setup.path("platform.json");
  return path === undefined ? {} : { PLATFORM_ADS_PLATFORM_FILE: resolve(path) };
}

async function askMarket(steps: CommandSteps, context: CliContext): Promise<string> {
  const profiles = JSON.parse(await steps.run(["auth", "profiles", "--json"])) as readonly {
    readonly countryCode: string;
    readonly profileId: string;
    readonly accountInfo?: { readonly name?: string };
  }[];
  const [only] = profiles;
  if (only !== undefined && profiles.length === 1) return only.profileId;
  const lines = profiles.map(({ countryCode, profileId, accountInfo }) =>
    `  ${countryCode}  ${profileId}  ${accountInfo?.name ?? ""}`
  );
  if (!context.io.stdin.isTerminal) {
    throw new UsageError(
      `Cannot choose a profile: add -m with one of these and run adsctl init again\n${lines.join("\n")}`,
    );
  }
  await context.io.stderr.write(`${lines.join("\n")}\n`);
  return (await askText("Country code or profile id: ", context)).trim();
}

async function showFigures(steps: CommandSteps, words: readonly string[]): Promise<void> {
  await steps.run(["figures", "--by", "campaign", ...words], { isShown: true });
}

function inFolder(folder: string): readonly string[] {
  return folder === "." ? [] : ["--folder", folder];
}

export async function openConsole(
  words: readonly string[],
  { open }: { readonly open: boolean },
  context: CliContext,
): Promise<number> {
  const { io, globals, runLine } = context;
  const line = nextCommand(words, { ...globals, demo: false });
  if (open && io.stdout.isTerminal && canOpenBrowser(io.env)) {
    await say(`$ ${line}`, context);
    return await runLine(words, io);
  }
  await say(`\nTo open the console:\n  ${line}`, context);
  return EXIT.done;
}
