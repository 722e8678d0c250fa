import { ENVIRONMENT as CLI_ENVIRONMENT } from "../../src/interfaces/cli/shell/io/environment.ts";

/** A program that is compiled. */
export interface Program {
  /** Name of the executable. */
  readonly name: string;
  /** Address of its first module. */
  readonly entry: URL;
  /** What it may do, as flags of Deno; everything else is refused without a question. */
  readonly permissions: readonly string[];
}

const ROOT = new URL("../../", import.meta.url);
/** Where the runtime itself looks for a folder for temporary files. */
const TEMPORARY = ["TMPDIR", "TEMP", "TMP"];
/** Hosts are settings, and files are wherever a person puts them; the environment is what the help topic lists. */
const COMMON = [
  "--no-prompt",
  "--deny-import",
  "--allow-net",
  "--allow-read",
  "--allow-write",
  "--ignore-env",
];

/** The programs, and what each of them may do. */
export function programs(): Program[] {
  const variables = [...CLI_ENVIRONMENT.map(({ name }) => name), ...TEMPORARY];
  return [
    {
      name: "adsctl",
      entry: new URL("cli.ts", ROOT),
      // A worker puts the name of its machine on the list; the queue looks where the home folder is.
      permissions: [...COMMON, `--allow-env=${variables.join(",")}`, "--allow-sys=homedir,hostname"],
    },
    {
      name: "platform-ads-mcp",
      entry: new URL("mcp.ts", ROOT),
      // Queries of the store run in a second process of the same program, which can be ended when they take too long.
      permissions: [...COMMON, `--allow-env=PLATFORM_ADS_*,${variables.join(",")}`, "--allow-run"],
    },
  ];
}
