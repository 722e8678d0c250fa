import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import { onlyFields, withoutFields } from "../../base/json/fields_of.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { mergeFields } from "../../plans/state/merge_fields.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { AccountComparison } from "./account_comparison.ts";
import { AccountFiles, ensureForProfile, isAccountPath, PORTFOLIO_FILE } from "../files/account_files.ts";
import { type AccountLock, lockedEntity, type LockedFile } from "../files/account_lock.ts";
import {
  type AccountNode,
  type AccountReading,
  campaignsOf,
  readAccount,
  type ReadAccountOptions,
} from "../files/account_reading.ts";
import { SETTINGS_FILE } from "../files/account_settings.ts";
import { entityInFile } from "../files/file_kinds.ts";
import { fileNames } from "../files/file_paths.ts";
import { AccountFilesError, type FileProblem } from "../files/file_problem.ts";
import { FileRenderer, SCHEMA_FOLDER } from "../files/render_files.ts";
import { wantedAccount, type WantedEntity } from "../files/wanted_entities.ts";

/** Existing files and filters for {@linkcode pullAccount}. */
export interface PullAccountOptions extends ReadAccountOptions {
  /** Existing files: their settings apply, their names are kept, and their edits are not lost. @default none */
  readonly files?: AccountFiles | undefined;
  /** Overwrite edits that the account does not have yet. @default false */
  readonly force?: boolean | undefined;
}

/**
 * Reads the account as files: one per campaign, one for the portfolios, and a lock file with all ids. References use
 * names instead of ids, and fields that the platform computes are left out. Nothing is written until you call `save`.
 *
 * @throws {AccountFilesError} when files were edited since the last pull and the account does not match the edits.
 * @throws {ConfigurationError} when the lock file is of another account.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { AccountFiles, pullAccount } from "@platform/ads/account";
 *
 * async function pull(ca: ProfileClient, folder: string): Promise<void> {
 *   const files = await AccountFiles.loadIfThere(folder);
 *   const pulled = await pullAccount(ca, { files });
 *   const { written, removed } = await pulled.save(folder);
 *   console.log(written.length, "written,", removed.length, "removed");
 * }
 * ```
 */
export async function pullAccount(
  profile: ProfileClient,
  { files = AccountFiles.fromTexts({}), force = false, ...options }: PullAccountOptions = {},
): Promise<AccountFiles> {
  if (files.settingsProblems.length > 0) {
    throw new AccountFilesError("pull", files.settingsProblems, { effect: "nothing was written" });
  }
  ensureForProfile(files, profile);
  const reading = await readAccount(profile, files.settings, { ...options, files });
  return new Pull(files, reading, new Date(profile.transport.now()).toISOString()).run(force);
}

class Pull {
  readonly #files: AccountFiles;
  readonly #reading: AccountReading;
  readonly #pulledAt: string;
  readonly #locked: Readonly<Record<string, LockedFile>>;
  readonly #texts = new Map<string, string>();
  readonly #lock: Record<string, LockedFile> = {};

  constructor(files: AccountFiles, reading: AccountReading, pulledAt: string) {
    this.#files = files;
    this.#reading = reading;
    this.#pulledAt = pulledAt;
    this.#locked = files.lock?.profiles[reading.profileId]?.files ?? {};
  }

  run(force: boolean): AccountFiles {
    const { settings, texts } = this.#files;
    const { currency } = this.#reading;
    if (settings.currency !== undefined && settings.currency !== currency) {
      throw new ConfigurationError(
        `Cannot pull into these files: ${SETTINGS_FILE} says that their amounts are in ${settings.currency}, and those of ` +
          `this profile are in ${currency}. Pull into a folder of its own`,
      );
    }
    const renderer = new FileRenderer(settings, this.#reading);
    const paths = this.#paths();
    const changed = new Map<string, AccountNode>();
    for (const [folder, nodes] of Object.entries(this.#reading.campaigns)) {
      for (const node of nodes) {
        const path = paths.get(node.id);
        if (path === undefined) continue;
        const text = renderer.campaign(folder, node);
        if (texts.has(path) && texts.get(path) !== text) changed.set(path, node);
        this.#put(path, text, { campaign: lockedEntity(node) });
      }
    }
    this.#keepUnread(changed);
    if (!settings.ignore.kinds.includes("portfolios")) {
      const ids = this.#reading.portfolios.map(({ id, entity }) => [String(entity["name"]), id] as const);
      const text = renderer.portfolios(this.#reading.portfolios);
      this.#put(PORTFOLIO_FILE, text, { portfolios: Object.fromEntries(ids) });
    }
    this.#keepEdits(force);
    this.#texts.set(SETTINGS_FILE, texts.get(SETTINGS_FILE) ?? this.#newSettings());
    return AccountFiles.fromTexts(this.#texts, { lock: this.#newLock() });
  }

  #put(path: string, text: string, ids: Pick<LockedFile, "campaign" | "portfolios">): void {
    this.#texts.set(path, text);
    this.#lock[path] = { sha256: sha256(text), ...ids };
  }

  #keepUnread(changed: ReadonlyMap<string, AccountNode>): void {
    if (changed.size === 0) return;
    const contents = this.#files.readSome(new Set(changed.keys()));
    const ids = new Set([...changed.values()].map(({ id }) => id));
    const kept = new Map<AccountNode, Fields>();
    new AccountComparison({
      wanted: wantedAccount(contents, this.#reading),
      reading: this.#reading,
      settings: contents.settings,
      lock: this.#newLock(),
      same: new Set(campaignsOf(this.#reading).flatMap(({ id }) => ids.has(id) ? [] : [id])),
      samePortfolios: true,
      onPair: (wanted, node) => void kept.set(node, keptFields(wanted, node, this.#reading)),
    }).run();
    const renderer = new FileRenderer(this.#files.settings, this.#reading, kept);
    for (const [path, node] of changed) {
      const [folder = ""] = path.split("/");
      this.#put(path, renderer.campaign(folder, node), { campaign: lockedEntity(node) });
    }
  }

  #paths(): Map<string, string> {
    const { texts } = this.#files;
    const paths = new Map<string, string>();
    for (const [path, { campaign }] of Object.entries(this.#locked)) {
      if (campaign !== undefined && isAccountPath(path)) paths.set(campaign.id, path);
    }
    const taken = new Set(paths.values());
    for (const [folder, nodes] of Object.entries(this.#reading.campaigns)) {
      const open = nodes.filter(({ id }) => !paths.has(id));
      // A file that a person made for a campaign that is there by now.
      const own = open.length === 0 ? new Map<string, string>() : this.#ownFiles(folder, open, taken);
      for (const [id, path] of own) paths.set(id, path);
      const used = [...taken, ...texts.keys(), ...own.values()].flatMap((path) =>
        path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).replace(/\.ya?ml$/, "")] : []
      );
      for (const [id, name] of fileNames(open.filter(({ id }) => !own.has(id)), used)) {
        paths.set(id, `${folder}/${name}.yaml`);
      }
    }
    return paths;
  }

  #ownFiles(folder: string, nodes: readonly AccountNode[], taken: ReadonlySet<string>): Map<string, string> {
    const open = [...this.#files.texts.keys()].filter((path) =>
      path.startsWith(`${folder}/`) && !taken.has(path)
    );
    if (open.length === 0) return new Map();
    const { campaigns } = wantedAccount(this.#files.readSome(new Set(open)), this.#reading);
    return new Map(campaigns.flatMap(({ source, fields }) => {
      const name = String(fields["name"]).trim().toLowerCase();
      const node = nodes.find(({ entity }) => String(entity["name"]).trim().toLowerCase() === name);
      return node === undefined ? [] : [[node.id, source.yaml.file] as const];
    }));
  }

  /** Keeps edits that already match the account. Other edits are refused, or overwritten with `force`. */
  #keepEdits(force: boolean): void {
    const edited = [...this.#files.texts].filter(([path, text]) =>
      path !== SETTINGS_FILE && this.#texts.get(path) !== text &&
      !this.#files.isAsPulled(path, this.#reading.profileId)
    );
    const lost: FileProblem[] = [];
    for (const [path, text] of edited) {
      const isNew = !this.#texts.has(path) && this.#locked[path] === undefined;
      if (isNew || this.#saysTheSame(path)) {
        this.#texts.set(path, text);
        const found = this.#lock[path];
        // Not a pull's own text: a later pull must not take it for one.
        if (found !== undefined) this.#lock[path] = { ...found, sha256: null };
      } else if (!force) {
        lost.push({
          file: path,
          message: "was edited since the last pull, and differs from the account",
        });
      }
    }
    for (const path of Object.keys(this.#locked)) {
      if (force || this.#files.texts.has(path) || !this.#texts.has(path)) continue;
      lost.push({ file: path, message: "was removed since the last pull, but its campaign still exists" });
    }
    if (lost.length === 0) return;
    throw new AccountFilesError("pull over local edits", lost, {
      effect: "nothing was written",
      hint: "Plan the edits first (diffAccount()), or overwrite them with the option force",
    });
  }

  #saysTheSame(path: string): boolean {
    const contents = this.#files.readSome(new Set([path]));
    const wanted = wantedAccount(contents, this.#reading);
    if (contents.problems.length > 0 || wanted.problems.length > 0) return false;
    const id = this.#lock[path]?.campaign?.id;
    const isPortfolios = path === PORTFOLIO_FILE;
    const others = campaignsOf(this.#reading).filter((node) => node.id !== id).map((node) => node.id);
    const { added, changed, extra, refusals } = new AccountComparison({
      wanted,
      reading: this.#reading,
      settings: contents.settings,
      lock: this.#newLock(),
      same: new Set(others),
      samePortfolios: !isPortfolios,
    }).run();
    const leftOut = isPortfolios ? [] : extra;
    return added.length + changed.length + leftOut.length + refusals.length === 0;
  }

  #newLock(): AccountLock {
    const { profileId, countryCode } = this.#reading;
    const profile = { country_code: countryCode, pulled_at: this.#pulledAt, files: this.#lock };
    return { version: 1, profiles: { ...this.#files.lock?.profiles, [profileId]: profile } };
  }

  #newSettings(): string {
    const { countryCode, currency } = this.#reading;
    return [
      `# yaml-language-server: $schema=${SCHEMA_FOLDER}/account.json`,
      "version: 1",
      `markets: [${countryCode}]`,
      ...(currency === "" ? [] : [`currency: ${currency}`]),
      "",
    ].join("\n");
  }
}

function keptFields(
  { kind, fields }: WantedEntity,
  { entity }: AccountNode,
  reading: AccountReading,
): Fields {
  const lost = reading.lost(kind, entity);
  const now = withoutFields(entityInFile(kind, entity), lost);
  const own = withoutFields(fields, lost);
  const unread = onlyFields(fields, lost);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === null) return [];
      if (sameValue(own[name], now[name])) return [[name, value]];
      return unread[name] === undefined || now[name] === undefined
        ? []
        : [[name, mergeFields(now[name], unread[name])]];
    }),
  );
}
