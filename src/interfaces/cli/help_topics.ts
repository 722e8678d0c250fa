interface HelpTopic {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<string>;
}

export const HELP_TOPICS: readonly HelpTopic[] = [
  {
    name: "week",
    summary: "Weekly tasks, two commands each",
    load: topic("weekTopic"),
  },
  {
    name: "kinds",
    summary: "Kinds of entities (adsctl help keywords shows one)",
    load: topic("kindsTopic"),
  },
  {
    name: "options",
    summary: "Options of every command",
    load: topic("optionsTopic"),
  },
  {
    name: "exit-codes",
    summary: "Exit codes and what they mean",
    load: topic("exitCodesTopic"),
  },
  {
    name: "environment",
    summary: "Environment variables that adsctl reads",
    load: topic("environmentTopic"),
  },
  {
    name: "formats",
    summary: "Tables, JSON, JSON lines, CSV, and files of changes",
    load: topic("formatsTopic"),
  },
  {
    name: "markets",
    summary: "Country codes, profile ids, and choosing a profile",
    load: topic("marketsTopic"),
  },
];

function topic(name: keyof typeof import("./help_texts.ts")): () => Promise<string> {
  return async () => (await import("./help_texts.ts"))[name]();
}
