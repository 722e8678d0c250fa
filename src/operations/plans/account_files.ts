import type { AccountFiles } from "../../account/files/account_files.ts";
import type { AccountDiff } from "../../account/diff/account_diff.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Fields, FileTexts } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";
import { type AllowedPlan, allowedPlan, DENIED_FIELD, NOTE_FIELD } from "./write_operation.ts";

/** A profile that is compared with account files. */
export interface FilesContext {
  readonly profile: ProfileClient;
  readonly signal: AbortSignal;
  /** True to allow files whose lock file does not list the profile. @default false */
  readonly anyProfile?: boolean;
  readonly onRead?: (entities: number) => void;
}

/** A plan, and the differences that it is made of. */
export interface PlannedFiles extends AllowedPlan {
  readonly diff: AccountDiff;
}

const FILES = {
  type: "files",
  required: true,
  help: "folder of the account files",
  brief: "YAML by path: sp/, sb/ or sd/NAME.yaml (a campaign each), portfolios.yaml, account.yaml",
} as const satisfies Fields[string];

const SPRING = `name: Spring
state: PAUSED
targetingType: MANUAL
startDate: 2099-03-01
budget: 20
ad_groups:
  - name: Woks
    state: ENABLED
    defaultBid: 0.5
    keywords:
      - { keywordText: carbon steel wok, matchType: EXACT, state: ENABLED, bid: 0.75 }
`;

/** Compares account files with the account. */
export const accountDiff = defineOperation<FilesContext, AccountDiff>()({
  name: "account diff",
  effect: "read",
  tool: "compare_account_files",
  title: "Compare account files",
  summary: "Compare account files with the account",
  details:
    "Lists entities to create or change, those only in the account, and changes the platform cannot make, " +
    "with reasons. Fields missing from a file are not compared. Exit code 0 without differences, 6 with; 2 if " +
    "the files have problems, which are listed by file, line and field.",
  brief:
    "Compares account files with the account: what to create or change, what only the account has, and what the " +
    "platform cannot change. Fields that a file leaves out are not compared.",
  examples: [{ input: { files: { "sp/spring.yaml": SPRING } }, about: "show the differences" }],
  library: 'await diffAccount(profile, await AccountFiles.load("./account"))',
  input: { files: FILES },
  check: async ({ files }) => (await accountFiles(files)).checkEdited(),
  async run({ profile, ...options }, { files }) {
    const { diffAccount } = await import("../../account/diff/diff_account.ts");
    return await diffAccount(profile, await accountFiles(files), options);
  },
});

/** Plans what account files change. */
export const planFrom = defineOperation<FilesContext, PlannedFiles>()({
  name: "plan from",
  effect: "plan",
  tool: "plan_account_files",
  title: "Plan account files",
  summary: "Plan the changes from account files or a draft, without sending them",
  details:
    "Creates what the files add, parents first, and updates what they change. Entities found only in the " +
    "account are left unchanged, or archived with --prune. A new name for an entity in the lock file is a " +
    "rename. If the files have problems, each is listed by file, line and field, and nothing is planned. To plan " +
    "edits of the console's grid, give the path that the draft list shows.",
  brief:
    "Plans what account files create and change, such as a whole campaign in one YAML file; sends nothing. Leaves " +
    "everything else in the account as it is. compare_account_files shows the differences.",
  examples: [{
    input: { files: { "sp/spring.yaml": SPRING }, note: "Spring" },
    about: "plan creates and changes",
  }],
  library: 'await (await diffAccount(profile, await AccountFiles.load("./account"))).plan({ prune: true })',
  input: {
    files: { ...FILES, value: "path", help: "folder of the account files, or the file of a draft" },
    prune: {
      type: "switch",
      isRare: true,
      // Texts may be a few of many files, and archiving is permanent.
      isOfCommands: true,
      help: "archive entities missing from the files; archiving is permanent",
    },
    ...NOTE_FIELD,
    ...DENIED_FIELD,
  },
  check: async ({ files }) => (await accountFiles(files)).checkEdited(),
  async run(context, { files, prune, note, ...others }) {
    const diff = await accountDiff.run(context, { files });
    const plan = await diff.plan({ prune, note, signal: context.signal });
    return { diff, ...await allowedPlan(plan, context, others) };
  },
});

/**
 * Loads the reader of YAML only now.
 *
 * @throws {RangeError} for a path that account files do not have, and without any campaign or portfolio.
 */
async function accountFiles(given: FileTexts): Promise<AccountFiles> {
  const [{ AccountFiles, isAccountPath }, { LOCK_FILE, parseLock }, { SETTINGS_FILE }] = await Promise.all([
    import("../../account/files/account_files.ts"),
    import("../../account/files/account_lock.ts"),
    import("../../account/files/account_settings.ts"),
  ]);
  if (given instanceof AccountFiles) return given;
  const { [LOCK_FILE]: lock, ...texts } = given;
  const ids = lock === undefined ? {} : { lock: parseLock(lock) };
  const other = Object.keys(texts).find((path) => !isAccountPath(path));
  if (other !== undefined) {
    throw new RangeError(
      `Cannot use ${
        JSON.stringify(other)
      } as an account file: campaigns are sp/NAME.yaml, sb/NAME.yaml or sd/NAME.yaml`,
    );
  }
  if (!Object.keys(texts).some((path) => path !== SETTINGS_FILE)) {
    throw new RangeError("Cannot use these account files: none is of a campaign or of portfolios.yaml");
  }
  return AccountFiles.fromTexts(texts, ids);
}
