import type { Command, OptionValues } from "@commander-js/extra-typings";
import { storeOption } from "../store/store_option.ts";
import { accountNameOption, accountTypeOption, marketOption } from "./profile_options.ts";

/** A file that a group of commands reads: `a file of rules`, and its name where none is given. */
interface GroupFile {
  readonly what: string;
  readonly name: string;
}

/** Adds the file of the group as an argument that may be left out. */
export function withFile<Options extends OptionValues>(
  command: Command<[], Options>,
  { what, name }: GroupFile,
): Command<[string], Options> {
  return command.argument("[file]", what, name);
}

/** Adds the options that choose a profile and a store. */
export function withProfileAndStore<Args extends unknown[]>(command: Command<Args>) {
  return command
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .addOption(storeOption());
}
