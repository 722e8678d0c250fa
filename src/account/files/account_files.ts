import { fileSystem } from "../../base/runtime/file_system.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { type AccountLock, LOCK_FILE, lockText, parseLock } from "./account_lock.ts";
import { type AccountSettings, NO_SETTINGS, readSettings, SETTINGS_FILE } from "./account_settings.ts";
import { CAMPAIGN_KINDS } from "./file_kinds.ts";
import { AccountFilesError, type FileProblem } from "./file_problem.ts";
import { fileSchemas } from "./file_schemas.ts";
import {
  type FileCampaign,
  type FileContents,
  type FileEntity,
  readCampaignFile,
  readPortfolioFile,
} from "./read_entities.ts";
import { SCHEMA_FOLDER } from "./render_files.ts";
import { wantedAccount } from "./wanted_entities.ts";

export function ensureForProfile(
  { lock, settings: { markets } }: AccountFiles,
  { profileId, countryCode }: Pick<ProfileClient, "profileId" | "countryCode">,
  { anyProfile = false }: { anyProfile?: boolean } = {},
): void {
  const shown = `profile ${profileId} (${countryCode})`;
  if (markets !== undefined && !markets.includes(countryCode)) {
    throw new ConfigurationError(
      `Cannot use the account files for ${shown}: ${SETTINGS_FILE} says that they are for ${
        markets.join(", ")
      }. ` +
        `Add ${countryCode} to markets there to use them anyway`,
    );
  }
  const known = Object.entries(lock?.profiles ?? {});
  if (anyProfile || known.length === 0 || known.some(([id]) => id === profileId)) return;
  const others = known.map(([id, { country_code: country }]) => `${id} (${country})`).join(", ");
  // A market that is named, and of which no other profile is known, is one more market for the same files.
  if (markets !== undefined && known.every(([, other]) => other.country_code !== countryCode)) return;
  throw new ConfigurationError(
    `Cannot use the account files for ${shown}: ${LOCK_FILE} belongs to profile ${others}. Use another folder, or ` +
      "copyCampaigns()",
  );
}

export const PORTFOLIO_FILE = "portfolios.yaml";

/**
 * An account as files: the desired state of campaigns, ad groups, targeting, ads and portfolios, and the ids of
 * existing entities. `sp/`, `sp_global/`, `sb/` and `sd/` hold one file per campaign, `portfolios.yaml` the portfolios,
 * `account.yaml` shared settings, `account.lock.json` the ids.
 *
 * @example
 * ```ts
 * import { AccountFiles, diffAccount, pullAccount } from "@platform/ads/account";
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function raise(ca: ProfileClient): Promise<void> {
 *   await (await pullAccount(ca)).save("./account");
 *   // ... edit the files ...
 *   const diff = await diffAccount(ca, await AccountFiles.load("./account"));
 *   const plan = await diff.plan({ note: "From the files" }); // nothing is sent
 *   await plan.save("plans/");
 * }
 * ```
 */
export class AccountFiles {
  /** Texts by path relative to the folder, with forward slashes; without the lock file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Ids of the entities in the files; `undefined` without a lock file. */
  readonly lock: AccountLock | undefined;
  #settings: ReturnType<typeof readSettings> | undefined;

  private constructor(texts: ReadonlyMap<string, string>, lock: AccountLock | undefined) {
    this.texts = texts;
    this.lock = lock;
  }

  /** Makes account files from texts already in memory. Ignores paths that are not account files. */
  static fromTexts(
    texts: Readonly<Record<string, string>> | ReadonlyMap<string, string>,
    options: { /** Ids of what the files name. */ readonly lock?: AccountLock | undefined } = {},
  ): AccountFiles {
    const entries = texts instanceof Map ? [...texts] : Object.entries(texts);
    const own = entries.filter(([path]) => isAccountPath(path)).sort(([a], [b]) => a < b ? -1 : 1);
    return new AccountFiles(new Map(own), options.lock);
  }

  /**
   * Reads the files of a folder. Ignores everything that is not an account file.
   *
   * @throws {ConfigurationError} when the folder does not exist or has no account files, or the lock file is damaged.
   */
  static async load(folder: string): Promise<AccountFiles> {
    const found = await AccountFiles.loadIfThere(folder);
    if (found !== undefined) return found;
    throw new ConfigurationError(
      `Cannot read account files in "${folder}": there are none. pullAccount() writes them`,
    );
  }

  /** Like {@linkcode AccountFiles.load}, but returns `undefined` if there are no account files yet. */
  static async loadIfThere(folder: string): Promise<AccountFiles | undefined> {
    const files = fileSystem();
    const names = await files.list(folder);
    const paths = names.filter(isAccountPath);
    for (const product of Object.keys(CAMPAIGN_KINDS)) {
      if (!names.includes(product)) continue;
      for (const name of await files.list(files.join(folder, product))) {
        if (isAccountPath(`${product}/${name}`)) paths.push(`${product}/${name}`);
      }
    }
    if (paths.length === 0) return undefined;
    const texts = new Map<string, string>();
    for (const path of paths.sort()) {
      texts.set(path, await readNamedFile(files.join(folder, ...path.split("/")), "the account file"));
    }
    const lock = names.includes(LOCK_FILE)
      ? parseLock(await readNamedFile(files.join(folder, LOCK_FILE), "the lock file"))
      : undefined;
    return new AccountFiles(texts, lock);
  }

  /**
   * Throws if files are invalid.
   *
   * @throws {AccountFilesError} with every problem in them, except those that depend on the profile.
   */
  check(): void {
    this.#check(() => true);
  }

  /**
   * Throws if files edited since the last pull are invalid, before the account is read.
   *
   * @throws {AccountFilesError} with every problem in them, except those that depend on the profile.
   */
  checkEdited(): void {
    this.#check((path) => !this.isAsPulled(path));
  }

  #check(isWanted: (path: string) => boolean): void {
    const contents = this.#readFiles(isWanted);
    const problems = [...contents.problems, ...wantedAccount(contents, undefined).problems];
    if (problems.length > 0) throw new AccountFilesError("use the account files", problems);
  }

  /**
   * True if the text of a file is unchanged since the last pull.
   *
   * @param profileId The profile that was pulled. @default any
   */
  isAsPulled(path: string, profileId?: string): boolean {
    const text = this.texts.get(path);
    if (text === undefined || path === SETTINGS_FILE) return false;
    const known = Object.entries(this.lock?.profiles ?? {}).flatMap(([id, { files }]) =>
      (profileId === undefined || id === profileId) && Object.hasOwn(files, path)
        ? files[path]?.sha256 ?? []
        : []
    );
    return known.length > 0 && known.includes(sha256(text));
  }

  /**
   * Reads the given files and the problems found in them.
   *
   * @internal
   */
  readSome(paths: ReadonlySet<string>): FileContents {
    return this.#readFiles((path) => paths.has(path));
  }

  #readFiles(isWanted: (path: string) => boolean): FileContents {
    const { settings, problems: found } = this.#settingsRead;
    const problems = [...found];
    const campaigns: FileCampaign[] = [];
    const portfolios: FileEntity[] = [];
    for (const [path, text] of this.texts) {
      if (path === SETTINGS_FILE || !isWanted(path)) continue;
      if (path === PORTFOLIO_FILE) {
        const read = readPortfolioFile(path, text, settings);
        portfolios.push(...read.entities);
        problems.push(...read.problems);
      } else {
        const read = readCampaignFile(path, text, settings);
        if (read.campaign !== undefined) campaigns.push(read.campaign);
        problems.push(...read.problems);
      }
    }
    const known = new Set(Object.values(this.lock?.profiles ?? {}).flatMap((one) => Object.keys(one.files)));
    return { settings, campaigns, portfolios, problems, isNew: (path) => !known.has(path) };
  }

  /** The valid settings; invalid ones are left out. */
  get settings(): AccountSettings {
    return this.#settingsRead.settings;
  }

  /** Problems in the settings, with file, line and field. */
  get settingsProblems(): readonly FileProblem[] {
    return this.#settingsRead.problems;
  }

  get #settingsRead(): ReturnType<typeof readSettings> {
    const text = this.texts.get(SETTINGS_FILE);
    return this.#settings ??= text === undefined
      ? { settings: NO_SETTINGS, problems: [] }
      : readSettings(text);
  }

  /**
   * Writes the files into a folder with JSON Schemas for editors, and removes other account files there. Writes only
   * files that changed.
   */
  async save(folder: string): Promise<SavedFiles> {
    const files = fileSystem();
    const place = (path: string): string => files.join(folder, ...path.split("/"));
    const there = (await AccountFiles.loadIfThere(folder))?.texts ?? new Map<string, string>();
    const written: string[] = [];
    const removed: string[] = [];
    for (const [path, text] of this.texts) {
      if (there.get(path) === text) continue;
      await files.writeText(place(path), text, { durable: false });
      written.push(path);
    }
    for (const path of there.keys()) {
      if (this.texts.has(path)) continue;
      await files.remove(place(path));
      removed.push(path);
    }
    for (const [name, schema] of Object.entries(fileSchemas())) {
      const text = JSON.stringify(schema, null, 2) + "\n";
      await files.writeText(place(`${SCHEMA_FOLDER}/${name}.json`), text, { durable: false });
    }
    // Last, so that a lock file never knows of what was not written.
    if (this.lock !== undefined) await files.writeText(place(LOCK_FILE), lockText(this.lock));
    return { written, removed };
  }
}

/** Result of {@linkcode AccountFiles.save}. */
export interface SavedFiles {
  /** Paths of the files that were made or changed. */
  readonly written: readonly string[];
  /** Paths of the files that were removed. */
  readonly removed: readonly string[];
}

/** Returns true for paths of account files. Files with other paths are never read, written or removed. */
export function isAccountPath(path: string): boolean {
  if (path === SETTINGS_FILE || path === PORTFOLIO_FILE) return true;
  const [folder = "", name = "", ...deeper] = path.split("/");
  return deeper.length === 0 && Object.hasOwn(CAMPAIGN_KINDS, folder) &&
    /^[^.\\/:][^\\/:]*\.ya?ml$/.test(name);
}
