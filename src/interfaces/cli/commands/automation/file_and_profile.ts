import type { Command, OptionValues } from "@commander-js/extra-typings";
import { storeOption } from "../../shell/options/store_option.ts";
import { accountNameOption, accountTypeOption, marketOption } from "../../shell/options/market_options.ts";

interface GroupFile {
  readonly what: string;
  readonly name: string;
}

export function withFile<Options extends OptionValues>(
  command: Command<[], Options>,
  { what, name }: GroupFile,
): Command<[string], Options> {
  return command.argument("[file]", what, name);
}

export function withProfileAndStore<Args extends unknown[]>(command: Command<Args>) {
  return command
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .addOption(storeOption());
}
