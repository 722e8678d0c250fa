import { COMMANDS } from "../core/command_index.ts";
import { HELP_TOPICS } from "./help_topics.ts";

/** What `adsctl --help` prints; made from the index alone, so that no command has to be loaded. */
export function frontPage(): string {
  const lines = [
    "Run advertising accounts from the terminal: read, plan a change, review it, apply it, undo it.",
    "",
    "Usage: adsctl [global options] <command> [arguments] [options]",
  ];
  for (const [heading, entries] of Map.groupBy(COMMANDS, (entry) => entry.heading)) {
    lines.push("", `${heading}:`, ...entries.map(row));
  }
  lines.push("", "Help topics:", ...HELP_TOPICS.map(row));
  lines.push(
    "",
    "Options:",
    row({ name: "--demo", summary: "Use the embedded demo account; needs no login" }),
    row({ name: "--version", summary: "Print the version" }),
    row({ name: "-h, --help", summary: "Show this help; after a command, the help of that command" }),
    "",
    "Begin with:",
    "  adsctl demo                         the whole job on a demo account",
    "  adsctl list campaigns -m CA --demo  see what is in that account",
    "  adsctl help plan update             how to change something",
    "  adsctl auth doctor                  what your own login still needs",
  );
  return lines.join("\n") + "\n";
}

function row({ name, summary }: { name: string; summary: string }): string {
  return `  ${name.padEnd(12)}  ${summary}`;
}
