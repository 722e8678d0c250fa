import { deepEqual } from "../support/assert.ts";

/** The attempts of the table in the guide, each with the test that makes it. */
const TESTS: ReadonlyMap<string, string> = new Map([
  ["a plan in many small plans", "limits of counts hold for the day, not for each plan"],
  ["1 -> 1.3 -> 1.7 -> 2.2", "many small steps of a day count as one"],
  ["a single update, a call, a bare request", "a policy stops a bid of 99 that goes by ${way}"],
  ["an update without an id", "an update of an item without an id"],
  ["an update with state `archived`", "an archive by update and an archive by delete are judged alike"],
  ['`"1e3"`, `"999"`, `"0x10"`', "a bid in hexadecimal"],
  ["a body with more than is understood", "a body that says more than is understood"],
  ["an unknown path", "a path that is none of the catalog"],
  ["`..%2f` and other escapes in a path", "a path that leads elsewhere once ${slash} is decoded"],
  ["a method in a header or parameter", "a method in a header"],
  ["a name in other letters", "a name is protected however it is written"],
  [
    "a plan file that names another campaign",
    "what a plan says of its campaign cannot lead a rule away from the campaign that it is in",
  ],
  [
    "a plan file that claims a bid or state",
    "what a plan says of an entity as it was counts for nothing where the account was read",
  ],
  [
    "a plan file that calls it otherwise",
    "what a plan file calls an entity is neither judged nor shown",
  ],
  [
    "a low bid beside the default bid",
    "the default bid of an ad group, behind a low bid that means nothing there",
  ],
  ["enabling what is paused with a high bid", "enabling a paused keyword is judged by the bid that it has"],
  [
    "a plan file that claims to undo another",
    "a plan file that claims to undo another is judged like any other, unless it does",
  ],
  [
    "a program that is killed and started anew",
    "resuming a plan takes over what the process that died had reserved",
  ],
  [
    "a journal that calls something done",
    "earlier values of what a journal calls done are not believed: the open rest is judged by the account",
  ],
  ["two programs at once", "of many that decide at once each sees what the ones before it took"],
  [
    "a global campaign, from one profile and the next",
    "a copy has one day, whichever profile of the account raises it",
  ],
  ["a damaged ledger", "a damaged ledger refuses, and says which line of which file"],
  ["a missing or malformed policy", "a policy that cannot be read lets nothing through"],
  [
    "a bid that is cleared and then set",
    "a bid that is cleared and then set is compared with what it was when the day began",
  ],
  ["a first bid far above the default bid", "a first bid is compared with the default bid that held before"],
  ["a removed cap of a portfolio", "a removed cap of a portfolio is a rise without end"],
  [
    "an update that leaves a part of an object out",
    "placements are not lost by an update of the strategy alone",
  ],
  ["a campaign that leaves its capped portfolio", "a cap that is no cap any more, or that a campaign leaves"],
  [
    "a bid beside what is not understood",
    "what stands beside a bid does not hide it where every operation is allowed",
  ],
  [
    "what is below ad groups of Brands or Display",
    "protect holds below ad groups of Brands and Display, whose entities name no campaign",
  ],
  [
    "a new keyword below what is not an id",
    "a create whose parents are no ids is denied where ids are protected",
  ],
  ["an entity that cannot be read", "protect denies an entity that could not be read"],
  ["a reference to a campaign that is updated", "what refers to a campaign that the plan updates is not new"],
  [
    "one placement, given twice",
    "of a placement that is given twice the highest adjustment counts, and others stay as they are",
  ],
  ["placements and strategies", "placement adjustments raise what a click may cost"],
  [
    "enabling or extending what is expensive inside",
    "a limit holds for what an ad group or campaign brings to life",
  ],
  ["a keyword without a bid", "a keyword without a bid is judged by the default bid of its ad group"],
  [
    "a rule about a bid that is inherited",
    "rules compare the bid that holds, also where a keyword inherits it",
  ],
  ["archive and create of one keyword", "archive and create of one keyword in a plan is a move of its bid"],
  [
    "a campaign archived and created anew",
    "a campaign or ad group that is created anew is compared with the one that was archived",
  ],
  [
    "archive in one plan, create in the next",
    "a keyword that is created anew is compared with the one that was archived in another plan",
  ],
  [
    "a rise beside what would make up for it",
    "what lowers a bid beside its start counts only where the start waits for it",
  ],
  [
    "many portfolios, each with a higher cap",
    "a campaign that moves from portfolio to portfolio is compared with the cap that it had in the morning",
  ],
  [
    "a bid raised here, its placement there",
    "moves of a bid and of its campaign's placements count together, in one plan or in two",
  ],
  [
    "a bid cleared, then the default bid raised",
    "a default bid that is raised is compared with the bids that were cleared for it",
  ],
  [
    "the default bid raised, then a bid of its own",
    "a first bid of its own is compared with the default bid that the ad group had in the morning",
  ],
  [
    "archiving negatives",
    "archived negatives may raise spend, which a limit of spend cannot take for nothing",
  ],
  [
    "an id under another name in an archive",
    "an archive of a negative keyword is judged as an archive, whatever its verdict calls the id",
  ],
  ['`allow_operations: ["*"]`', "a policy that allows every operation still judges what it can read"],
  [
    "a request that mixes kinds",
    "a request that mixes kinds is judged for each, even where every operation is allowed",
  ],
  [
    "a profile that nobody opened, or none",
    "a write for a profile that nobody opened is judged, and one without a profile is denied",
  ],
  [
    "a process frozen while it held the ledger",
    "a process that lost the lock while it was frozen takes its entry back",
  ],
  ["an id that the file's reader rounds", "protect: { ids: [9223406226462071360] }"],
  ["a scope header of another profile", "a request in the name of another profile is refused"],
  [
    "a body that changes after it was judged",
    "a body that changes between judging and sending goes out as it was judged",
  ],
  ["a field that is not known", "an item with a field that is not known is denied"],
  [
    "an undo with made-up earlier values",
    "an undo passes limits of moves only where the tool recorded what was there",
  ],
  ["undoing what was protected or frozen since", "an undo of what was frozen since asks a person"],
  [
    "undoing placements under a bid raised since",
    "an undo of placements asks a person where a bid below them was raised meanwhile, and the reverse",
  ],
  [
    "figures that are not there",
    "a figure that is unknown denies, and the message names the figure and the way out",
  ],
]);

const FOLDER = new URL("./", import.meta.url);

Deno.test("every attempt that the guide names is made by a test, and no other is promised", async () => {
  const guide = await Deno.readTextFile(new URL("../../docs/guides/policy.md", import.meta.url));
  const [, table = ""] = /\| Attempt .*\n\|.*\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const attempts = table.trim().split("\n").map((row) => row.split("|")[1]?.trim());
  deepEqual(attempts, [...TESTS.keys()]);
  let sources = await Deno.readTextFile(new URL("../cli/policy_test.ts", import.meta.url));
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (name !== "attack_table_test.ts") sources += await Deno.readTextFile(new URL(name, FOLDER));
  }
  deepEqual([...TESTS.values()].filter((test) => !sources.includes(test)), []);
});
