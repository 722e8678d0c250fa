import { join, relative } from "node:path";

/** What browsers and runtimes keep below a home for themselves. */
const OF_PROGRAMS = /^\.(?:cache|pki|npmrc)(?:\/|$)|^\.config\/(?:chromium|google-chrome)|^\.local\/share\//;

/** A home for the tests of a run, so that none of them reads or changes what belongs to the person who runs them. */
export interface EmptyHome extends AsyncDisposable {
  /** Variables for the tests, which must not see those of {@linkcode HIDDEN}. */
  readonly variables: Readonly<Record<string, string>>;
  /** Files that tests left in the home, by their paths below it. */
  written(): Promise<string[]>;
}

/** Variables by which a test would find folders and the store of the person in spite of the home. */
export const HIDDEN: readonly string[] = [
  "XDG_STATE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "PLATFORM_ADS_STORE",
];

/**
 * Makes the home. Packages that were downloaded are found as before.
 *
 * @param env Variables of the person.
 * @returns `undefined` where there is no `HOME`, as on Windows.
 */
export async function emptyHome(env: Readonly<Record<string, string>>): Promise<EmptyHome | undefined> {
  const own = env["HOME"];
  if (own === undefined || Deno.build.os === "windows") return undefined;
  const path = await Deno.makeTempDir({ prefix: "platform-ads-home-" });
  // Names the registry, where it is not the public one.
  await Deno.symlink(join(own, ".npmrc"), join(path, ".npmrc"));
  return {
    variables: {
      HOME: path,
      DENO_DIR: env["DENO_DIR"] ?? await denoFolder(),
      npm_config_cache: env["npm_config_cache"] ?? join(own, ".npm"),
      PYTHONUSERBASE: env["PYTHONUSERBASE"] ?? join(own, ".local"),
    },
    written: async () =>
      (await filesIn(path)).map((file) => relative(path, file)).filter((file) => !OF_PROGRAMS.test(file)),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

async function denoFolder(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stderr: "null" })
    .output();
  return (JSON.parse(new TextDecoder().decode(stdout)) as { denoDir: string }).denoDir;
}

async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) files.push(...await filesIn(path));
    else files.push(path);
  }
  return files.sort();
}
