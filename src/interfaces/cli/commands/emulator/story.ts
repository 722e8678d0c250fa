export interface Stage {
  say(text: string): void | Promise<void>;
  /** Runs a visible command and returns its exit code. */
  show(line: string): Promise<number>;
  /** Runs a hidden command and returns its stdout. */
  read(line: string): Promise<string>;
  write(name: string, text: string): Promise<void>;
}

interface Keyword {
  keywordId: string;
  campaignId: string;
  bid?: number;
  state: string;
}

/** @throws when a step does not have the described effect. */
export async function tellStory(stage: Stage): Promise<void> {
  await stage.say("Which accounts does the login reach?");
  await show(stage, "auth profiles --demo");

  await stage.say("What runs in Canada?");
  await show(stage, "list campaigns -m CA --demo --state enabled --limit 6");
  const before = await fourKeywords(stage);
  const ids = before.map(({ keywordId }) => keywordId);
  const listing = `list keywords -m CA --demo --id ${ids.join(",")}`;
  await show(stage, listing);

  await stage.say("A spreadsheet says what to change. One of its bids is a slip: 0.01 instead of 1.00.");
  const [raised, scaled, slipped, paused] = before as [Keyword, Keyword, Keyword, Keyword];
  await stage.write(
    "bids.csv",
    `keywordId,bid,state\n${raised.keywordId},+10%,\n${scaled.keywordId},*1.2,\n${slipped.keywordId},0.01,\n` +
      `${paused.keywordId},,paused\n`,
  );

  await stage.say("Plan it. Nothing is sent.");
  await show(stage, 'plan update keywords bids.csv -m CA --demo --note "Raise the winners" --out raise.json');
  expectSame(await keywords(stage, listing), before, "A plan changes nothing");

  await stage.say("Review it as a table, for a reviewer.");
  await show(stage, "plan show raise.json --format table");

  await stage.say("Apply it. The platform refuses the slip, and the rest goes through.");
  await show(stage, "plan apply raise.json --demo --yes", 3);
  const changed = [
    { ...raised, bid: cents(raised.bid! * 1.1) },
    { ...scaled, bid: cents(scaled.bid! * 1.2) },
    slipped,
    { ...paused, state: "PAUSED" },
  ];
  expectSame(
    await keywords(stage, listing),
    changed,
    "Two bids are raised, one keyword is paused, one is as before",
  );
  await show(stage, listing);

  await stage.say("It cannot be applied twice by accident.");
  await show(stage, "plan apply raise.json --demo --yes", 4);

  await stage.say("Undo what was accepted, and only that.");
  await show(stage, "plan undo raise.json --demo --yes");
  await show(stage, listing);
  expectSame(await keywords(stage, listing), before, "Every keyword is as it was at first");
  await stage.say(
    "Every step did what it says: read, planned, applied, one item refused and reported, undone. " +
      'The same in the browser: "adsctl console --demo".',
  );
}

async function show(stage: Stage, line: string, expected = 0): Promise<void> {
  const code = await stage.show(line);
  if (code !== expected) throw new Error(`"adsctl ${line}" ended with ${code} and not with ${expected}`);
  if (code !== 0) await stage.say(`That ended with exit code ${code}, as it should.`);
}

async function fourKeywords(stage: Stage): Promise<Keyword[]> {
  const all = await keywords(stage, "list keywords -m CA --demo --state enabled");
  const paid = all.filter(({ bid }) => bid !== undefined);
  const four = paid.filter(({ campaignId }) => campaignId === paid[0]?.campaignId).slice(0, 4);
  if (four.length < 4) throw new Error("The demo account has no campaign with four keywords that have bids");
  return four;
}

async function keywords(stage: Stage, line: string): Promise<Keyword[]> {
  return JSON.parse(await stage.read(`${line} --json`)) as Keyword[];
}

function expectSame(actual: readonly Keyword[], expected: readonly Keyword[], what: string): void {
  const text = (list: readonly Keyword[]): string =>
    list.map(({ keywordId, bid, state }) => `${keywordId} ${bid} ${state}`).sort().join("\n");
  if (text(actual) !== text(expected)) {
    throw new Error(`${what}: that is not so.\nThere is\n${text(actual)}\nExpected\n${text(expected)}`);
  }
}

function cents(amount: number): number {
  return Math.round(Number((amount * 100).toPrecision(12))) / 100;
}
