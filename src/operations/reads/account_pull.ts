import type { AccountFiles, SavedFiles } from "../../account/files/account_files.ts";
import { defineOperation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

interface PullContext extends ReadContext {
  /** Files that are in the folder. */
  readonly files: AccountFiles | undefined;
  readonly onRead?: (entities: number) => void;
  readonly onWarning?: (text: string) => void;
}

export interface PulledAccount extends SavedFiles {
  readonly folder: string;
  /** Number of files in the folder. */
  readonly files: number;
}

export const accountPull = defineOperation<PullContext, PulledAccount>()({
  name: "account pull",
  effect: "read",
  isForPeople: true,
  title: "Pull an account",
  summary: "Save an account as files, one per campaign",
  details:
    "Files use names; account.lock.json keeps the ids. Leaves out computed fields and archived entities. " +
    "account.yaml sets managed and ignored entities and defaults. Edited files are kept if the account now " +
    "matches them; otherwise nothing is written without --force.",
  brief: "Saves an account as files",
  examples: [
    { input: { folder: "./account" }, about: "save the account, or update its files" },
    { input: { folder: "./account", force: true }, about: "overwrite edited files" },
  ],
  library: 'await (await pullAccount(profile)).save("./account")',
  input: {
    folder: {
      type: "text",
      required: true,
      value: "folder",
      help: "folder for the account files, created if missing",
    },
    force: { type: "switch", help: "overwrite edits that are not in the account" },
  },
  async run({ profile, ...context }, { folder, force }) {
    const { pullAccount } = await import("../../account/diff/pull_account.ts");
    const pulled = await pullAccount(profile, { ...context, force });
    return { folder, files: pulled.texts.size, ...await pulled.save(folder) };
  },
});
