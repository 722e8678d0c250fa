import type { ProfileClient } from "../../client/profile_client.ts";
import { AccountComparison } from "./account_comparison.ts";
import { AccountDiff } from "./account_diff.ts";
import { type AccountFiles, ensureForProfile, PORTFOLIO_FILE } from "../files/account_files.ts";
import type { AccountLock } from "../files/account_lock.ts";
import {
  type AccountReading,
  campaignsOf,
  readAccount,
  type ReadAccountOptions,
} from "../files/account_reading.ts";
import type { AccountSettings } from "../files/account_settings.ts";
import { marketOf } from "../../base/markets/markets.ts";
import { AccountFilesError } from "../files/file_problem.ts";
import { FileRenderer } from "../files/render_files.ts";
import type { FileContents } from "../files/read_entities.ts";
import { wantedAccount } from "../files/wanted_entities.ts";

/** Settings for comparing files with the account. */
export interface DiffAccountOptions extends ReadAccountOptions {
  /** True to allow files whose lock file does not list the profile. @default false */
  readonly anyProfile?: boolean | undefined;
}

/**
 * Compares an account with its files. Nothing is sent.
 *
 * @throws {AccountFilesError} with every problem in the files by file, line and field; the account is not read.
 * @throws {ConfigurationError} when the files are for other markets, or the lock file belongs to another account.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { AccountFiles, diffAccount } from "@platform/ads/account";
 *
 * async function differences(ca: ProfileClient): Promise<void> {
 *   const diff = await diffAccount(ca, await AccountFiles.load("./account"));
 *   for (const { kind, label, after } of diff.updates) console.log(kind, label, after);
 *   console.log(diff.summary());
 * }
 * ```
 */
export async function diffAccount(
  profile: ProfileClient,
  files: AccountFiles,
  options: DiffAccountOptions = {},
): Promise<AccountDiff> {
  const { anyProfile = false, ...reading } = options;
  const { settings } = files;
  ensureForProfile(files, profile, { anyProfile });
  const lock = files.lock?.profiles[profile.profileId] === undefined && anyProfile ? undefined : files.lock;
  const unedited = new Set(
    [...files.texts.keys()].filter((path) => files.isAsPulled(path, profile.profileId)),
  );
  const edited = files.readSome(new Set([...files.texts.keys()].filter((path) => !unedited.has(path))));
  checkContents(edited, profile);
  const account = await readAccount(profile, settings, { ...reading, files });
  const { contents, same, samePortfolios } = remaining(files, { lock, settings, account, unedited });
  const wanted = checkContents(contents, profile);
  const comparison = new AccountComparison({ wanted, reading: account, settings, lock, same, samePortfolios })
    .run();
  return new AccountDiff(profile, comparison, account);
}

export function checkContents(
  contents: FileContents,
  profile: ProfileClient,
): ReturnType<typeof wantedAccount> {
  const { countryCode, profile: { currencyCode } } = profile;
  const wanted = wantedAccount(contents, placeOf(countryCode, currencyCode));
  const problems = [...contents.problems, ...wanted.problems];
  if (problems.length > 0) throw new AccountFilesError("use the account files", problems);
  return wanted;
}

/** Skips files whose text already equals the account's, because parsing dominates the run time of large accounts. */
function remaining(
  files: AccountFiles,
  { lock, settings, account, unedited }: {
    lock: AccountLock | undefined;
    settings: AccountSettings;
    account: AccountReading;
    unedited: ReadonlySet<string>;
  },
): { contents: FileContents; same: ReadonlySet<string>; samePortfolios: boolean } {
  const same = new Set<string>();
  const paths = new Set(files.texts.keys());
  let samePortfolios = false;
  if (settings.currency === undefined || settings.currency === account.currency) {
    const renderer = new FileRenderer(settings, account);
    const nodes = new Map(campaignsOf(account).map((node) => [node.id, node]));
    for (const [path, { campaign }] of Object.entries(lock?.profiles[account.profileId]?.files ?? {})) {
      const text = unedited.has(path) ? files.texts.get(path) : undefined;
      if (text === undefined) continue;
      if (path === PORTFOLIO_FILE) samePortfolios = renderer.portfolios(account.portfolios) === text;
      const node = nodes.get(campaign?.id ?? "");
      if (node === undefined || renderer.campaign(path.split("/")[0] ?? "", node) !== text) continue;
      same.add(node.id);
      paths.delete(path);
    }
    if (samePortfolios) paths.delete(PORTFOLIO_FILE);
  }
  return { contents: files.readSome(paths), same, samePortfolios };
}

function placeOf(
  countryCode: string,
  currencyCode: string | undefined,
): { countryCode: string; currency: string } {
  return { countryCode, currency: currencyCode ?? marketOf(countryCode)?.currency ?? "" };
}
