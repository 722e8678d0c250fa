import { Argument } from "@commander-js/extra-typings";
import { command } from "../shell/command.ts";
import type { CliContext } from "../shell/context/context.ts";
import { EXIT } from "../shell/io/cli_error.ts";

export const completionsCommand = command(
  (kit) =>
    kit.leaf("completions", {
      summary: "Print a shell completion script",
      examples: [
        ["adsctl completions bash > ~/.local/share/bash-completion/completions/adsctl", "bash"],
        ["adsctl completions zsh > ~/.zfunc/_adsctl", "zsh, with ~/.zfunc in fpath before compinit"],
        ["adsctl completions fish > ~/.config/fish/completions/adsctl.fish", "fish"],
      ],
    })
      .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"])),
  (shell, _, context) => runCompletions(shell as Shell, context),
);

async function runCompletions(shell: Shell, { io }: CliContext): Promise<number> {
  await io.stdout.write(SCRIPTS[shell]);
  return EXIT.done;
}

type Shell = "bash" | "zsh" | "fish";

/**
 * Each script calls `adsctl __complete` with the words typed so far, the last one incomplete. It prints one candidate
 * per line, followed by a tab and a description.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of adsctl
_adsctl() {
  local line word words=() last=-1 typed kept
  # bash takes words apart at ":" and "="; adsctl does not.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if (( last >= 0 )) && [[ $word == [:=]* || \${words[last]} == *[:=] ]]; then
      words[last]+=$word
    else
      words[++last]=$word
    fi
  done
  typed=\${words[last]}
  kept=\${typed%"\${typed##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    [[ -n $line ]] && COMPREPLY+=("\${line#"$kept"}")
  done < <(adsctl __complete "\${words[@]}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 0 ]] && compopt -o default
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[,:=] ]] && compopt -o nospace
}
complete -F _adsctl adsctl
`,
  zsh: `#compdef adsctl
# zsh completion of adsctl
_adsctl() {
  local line candidate
  local -a candidates open
  while IFS= read -r line; do
    candidate=\${line%%$'\\t'*}
    if [[ $candidate == *[,:] ]]; then
      open+=("\${candidate//:/\\\\:}:\${line#*$'\\t'}")
    else
      candidates+=("\${candidate//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(adsctl __complete "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)
  if (( \${#candidates} + \${#open} )); then
    _describe 'adsctl' candidates
    _describe 'adsctl' open -S ''
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _adsctl ]]; then
  _adsctl "$@"
else
  compdef _adsctl adsctl
fi
`,
  fish: `# fish completion of adsctl
function __adsctl_complete
  set -l words (commandline -opc) (commandline -ct)
  adsctl __complete $words[2..-1] 2>/dev/null
end
complete -c adsctl -f -n 'test (count (__adsctl_complete)) -gt 0' -a '(__adsctl_complete)'
`,
};
