import type { Command } from "@commander-js/extra-typings";
import type { CommandDoc, CommandKit } from "../core/command.ts";
import { storeOption } from "./store_option.ts";
import { accountNameOption, accountTypeOption, marketOption } from "./profile_options.ts";

/** A file that a group of commands reads: `a file of rules`, and its name where none is given. */
interface GroupFile {
  readonly what: string;
  readonly name: string;
}

/** A command that reads the file of its group as an optional argument. */
export function withFile(
  kit: CommandKit,
  { what, name }: GroupFile,
  leaf: { readonly name: string; readonly doc: CommandDoc },
): Command<[string]> {
  return kit.leaf(leaf.name, leaf.doc).argument("[file]", what, name) as unknown as Command<[string]>;
}

/** Adds the options that choose a profile and a store. */
export function withProfileAndStore<Args extends unknown[]>(command: Command<Args>) {
  return command
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .addOption(storeOption());
}
