import { Argument, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../core/command.ts";
import { SCRIPTS, type Shell } from "../text/completion/scripts.ts";
import type { CliContext } from "../core/context.ts";
import { EXIT } from "../core/errors/exit_codes.ts";

/** `adsctl completions`. */
export function completionsCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("completions", {
    summary: "Print the script that completes adsctl in your shell",
    examples: [
      ["adsctl completions bash > ~/.local/share/bash-completion/completions/adsctl", "bash"],
      ["adsctl completions zsh > ~/.zfunc/_adsctl", "zsh, with ~/.zfunc in fpath before compinit"],
      ["adsctl completions fish > ~/.config/fish/completions/adsctl.fish", "fish"],
    ],
  })
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .action((shell, _, self) => kit.run((context) => runCompletions(shell as Shell, context), self));
}

/** Prints a completion script. */
export async function runCompletions(shell: Shell, { io }: CliContext): Promise<number> {
  await io.stdout.write(SCRIPTS[shell]);
  return EXIT.done;
}
