import type { BrokenSeed } from "./report.ts";

/** Seeds that once broke a promise, and how. They are played at every run of the tests. */
export const KEPT_SEEDS: readonly (BrokenSeed & { readonly found: string })[] = [
  {
    scenario: "pace",
    seed: 38,
    found: "A full disk kept a program from giving its place back, and it waited for that place for ever",
  },
  { scenario: "pace", seed: 21, found: "The same, with a lock file that could not be written" },
  {
    scenario: "plans",
    seed: 5022,
    found:
      "A program that woke after another had finished its plan wrote its own, shorter result over the other's",
  },
  {
    scenario: "plans",
    seed: 5290,
    found: "Two programs killed at the same line left a journal that counted as damaged",
  },
  {
    scenario: "sync",
    seed: 20011,
    found:
      "A sync the day after a killed one stored the reports of the day before, and asked for no newer ones",
  },
  {
    scenario: "rollouts",
    seed: 101,
    found:
      "An undo that was cut off while it archived could not find out whether it had, and left the entity live",
  },
  {
    scenario: "rollouts",
    seed: 120,
    found: "A line cut by a full disk took the first line of whoever went on with it",
  },
  {
    scenario: "rollouts",
    seed: 162,
    found: "What an undo did not know to be done was in none of the plans that went on with it",
  },
  {
    scenario: "watch",
    seed: 7,
    found: "An alert was lost in a file of alerts, behind the line that a killed program had cut short",
  },
  {
    scenario: "entities",
    seed: 30,
    found: "A sync of entities that stood still stored a list over the newer one of another",
  },
  {
    scenario: "pace",
    seed: 7285662,
    found:
      "What a full disk kept out of the shared file was never written, and lone refused requests halved the pace",
  },
  {
    scenario: "pace",
    seed: 7285933,
    found:
      "Each refusal of a lone request halved the pace, down to one request a minute that took ten minutes to grow",
  },
  {
    scenario: "queue_rollouts",
    seed: 400174,
    found:
      "A worker that stood still between the answer whose journal it is and its request sent what another had sent meanwhile",
  },
  {
    scenario: "queue_rollouts",
    seed: 13,
    found:
      "A worker that was killed between the ledger of the day and its journal left a share behind, and its plan was denied",
  },
  {
    scenario: "queue_rollouts",
    seed: 900627,
    found:
      "A worker that stood still while it discarded its journal removed that of whoever had done the plan by then",
  },
  {
    scenario: "plans",
    seed: 179,
    found:
      "A program that stood still while it discarded its journal removed that of whoever had resumed the plan by then",
  },
  {
    scenario: "queue_rollouts",
    seed: 5276,
    found:
      "A worker whose clock was ahead took a create that was still on its way for old, read too early, and called it refused",
  },
];
