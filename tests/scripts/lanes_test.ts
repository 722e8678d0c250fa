import { existsSync } from "node:fs";
import { countWork, declareTests, type IsolateOptions } from "../../scripts/run_tests/harness.ts";
import { lanesOf, LONG_MARK, NO_POLICY_MARK } from "../../scripts/run_tests/lanes.ts";
import {
  checkWork,
  readCosts,
  readStarted,
  tellCostly,
  tellUnjudged,
  type TestCost,
} from "../../scripts/run_tests/test_cost.ts";
import { marks } from "../../scripts/run_tests/marks.ts";
import { NOT_AGAIN, writesUnderPolicy } from "../../scripts/run_tests/under_policy.ts";
import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { after, before } from "../support/hooks.ts";
import { withAndWithoutPolicy } from "../support/judging.ts";
import { long, longFile } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { withoutPolicy } from "../support/without_policy.ts";

const CONTEXT = {} as Deno.TestContext;
const COST: TestCost = {
  file: "tests/a_test.ts",
  name: "a bid",
  milliseconds: 10,
  processes: 0,
  requests: 0,
  reportDays: 0,
};

const FILES: Readonly<Record<string, () => void>> = {
  "tests/mixed_test.ts": () => {
    Deno.test("short", () => {});
    long();
    Deno.test("a year", () => {});
    long();
    Deno.test({ name: "a month", fn: () => {} });
    Deno.test("short again", { sanitizeOps: false }, () => {});
  },
  "tests/kills_test.ts": () => {
    longFile();
    Deno.test("a kill", () => {});
  },
  "tests/after_kills_test.ts": () => {
    Deno.test(function named() {});
  },
};

/** Text of a file whose long tests the long lane finds. */
const TAGGED = 'import { long } from "../support/long.ts";';

/** What a lane declares, without Deno. */
interface Declared {
  readonly tests: readonly Deno.TestDefinition[];
  /** What is done after the last test. */
  readonly end: (() => void | Promise<void>) | undefined;
}

/** The tests that a lane declares. */
async function declared(
  lane: IsolateOptions["lane"],
  costs: string,
  { files = FILES, counted }: Partial<Pick<IsolateOptions, "counted">> & { files?: typeof FILES } = {},
): Promise<readonly Deno.TestDefinition[]> {
  return (await declaredWithEnd(lane, costs, files, { counted })).tests;
}

async function declaredWithEnd(
  lane: IsolateOptions["lane"],
  costs: string,
  files: typeof FILES,
  { counted = { processes: 0, requests: 0, reportDays: 0 }, text = TAGGED }: {
    counted?: IsolateOptions["counted"] | undefined;
    text?: string;
  } = {},
): Promise<Declared> {
  const tests: Deno.TestDefinition[] = [];
  let end: Declared["end"];
  const real = Object.getOwnPropertyDescriptor(Deno, "test")!;
  Object.defineProperty(Deno, "test", {
    ...real,
    value: Object.assign((definition: Deno.TestDefinition) => tests.push(definition), {
      afterAll: (hook: Declared["end"]) => end = hook,
    }),
  });
  const loads = Object.entries(files).map(([path, load]) => [path, () => Promise.resolve(load())] as const);
  try {
    await declareTests({
      lane,
      costs,
      started: `${costs}_started`,
      counted,
      files: Object.fromEntries(loads),
      textOf: () => Promise.resolve(text),
    });
  } finally {
    Object.defineProperty(Deno, "test", real);
  }
  return { tests, end };
}

Deno.test("the everyday lane runs what has no tag and names what it leaves, and the long one runs the others", async () => {
  await using folder = await temporaryFolder();
  const costs = folder.file("costs");
  const everyday = await declared("everyday", costs);
  deepEqual(everyday.map(({ name, ignore, sanitizeOps }) => [name, ignore, sanitizeOps]), [
    ["short", undefined, undefined],
    [`${LONG_MARK}a year`, true, undefined],
    [`${LONG_MARK}a month`, true, undefined],
    ["short again", undefined, false],
    [`${LONG_MARK}a kill`, true, undefined],
    ["named", undefined, undefined],
  ]);
  deepEqual((await declared("long", costs)).map(({ name }) => name), ["a year", "a month", "a kill"]);
});

Deno.test("under a policy run the everyday tests of what applies plans, but those that say why not", async () => {
  await using folder = await temporaryFolder();
  const tests = await declared("policy", folder.file("costs"), {
    files: {
      "tests/mixed_test.ts": () => {
        withoutPolicy("it has none");
        Deno.test("default warnings", () => {});
        Deno.test("short", () => {});
        long();
        Deno.test("a year", () => {});
      },
    },
  });
  deepEqual(tests.map(({ name, ignore }) => [name, ignore]), [
    [`${NO_POLICY_MARK}it has none] default warnings`, true],
    ["short", undefined],
  ]);
  const applying = 'import { emulated } from "../support/emulated.ts";\nDeno.test("a", async () => {});';
  const chosen: readonly (readonly [file: string, text: string])[] = [
    ["tests/worker/a_test.ts", applying],
    ["tests/worker/b_test.ts", "a test without an account"],
    ["tests/bids/a_test.ts", applying],
    ["tests/bids/b_test.ts", "await resumePlan(plan, us);"],
    ["tests/cli/a_test.ts", 'await run(["plan", "undo", path]);'],
    ["tests/policy/a_test.ts", "await resumePlan(plan, us);"],
    ["tests/plans/settle_test.ts", "await resumePlan(plan, us);"],
  ];
  deepEqual(chosen.filter((one) => writesUnderPolicy(...one)).map(([file]) => file), [
    "tests/worker/a_test.ts",
    "tests/bids/b_test.ts",
    "tests/cli/a_test.ts",
  ]);
  for (const path of NOT_AGAIN) ok(existsSync(path), path);
});

Deno.test("a run names the files that asked their policy nothing", () => {
  const costs = [
    { ...COST, file: "tests/a_test.ts", judged: 0 },
    { ...COST, file: "tests/a_test.ts", judged: 2 },
    { ...COST, file: "tests/b_test.ts", judged: 0 },
    { ...COST, file: "tests/c_test.ts" },
  ];
  deepEqual(tellUnjudged(costs), [
    "Asked its policy nothing (name it in scripts/run_tests/under_policy.ts): tests/b_test.ts",
  ]);
});

Deno.test("a test in two forms, without a policy and under one, is left to its second form", async () => {
  await using folder = await temporaryFolder();
  const files = {
    "tests/twice_test.ts": () => {
      withoutPolicy("it is no reason for the next");
      withAndWithoutPolicy("a plan", () => Promise.resolve());
      Deno.test("after it", () => {});
    },
  };
  const names = async (lane: IsolateOptions["lane"]): Promise<readonly string[]> =>
    (await declared(lane, folder.file("costs"), { files })).map(({ name }) => name);
  const { isUnderPolicy } = marks;
  try {
    marks.isUnderPolicy = true;
    deepEqual(await names("policy"), ["after it"]);
    marks.isUnderPolicy = false;
    deepEqual(await names("long"), ["a plan (under a policy)"]);
    deepEqual(await names("everyday"), ["a plan", `${LONG_MARK}a plan (under a policy)`, "after it"]);
  } finally {
    marks.isUnderPolicy = isUnderPolicy;
  }
});

Deno.test("files that share an isolate have hooks of their own, which run before and after the tests of their file", async () => {
  await using folder = await temporaryFolder();
  const did: string[] = [];
  const hooksOf = (name: string) => {
    before(() => void did.push(`before ${name}`));
    after(() => Promise.resolve(void did.push(`after ${name}`)));
  };
  const fails = (what: string) => () => Promise.reject(new Error(what));
  const { tests, end } = await declaredWithEnd("everyday", folder.file("costs"), {
    "tests/a_test.ts": () => {
      hooksOf("a");
      Deno.test("a1", () => void did.push("a1"));
      Deno.test("a2", () => void did.push("a2"));
    },
    "tests/plain_test.ts": () => Deno.test("plain", () => void did.push("plain")),
    "tests/left_out_test.ts": () => {
      hooksOf("a file of which no test is chosen");
      Deno.test("left out", () => {});
    },
    "tests/broken_test.ts": () => {
      before(fails("no server"));
      after(fails("no server to stop"));
      Deno.test("b1", () => void did.push("b1"));
      Deno.test("b2", () => void did.push("b2"));
    },
    "tests/last_test.ts": () => {
      hooksOf("last");
      Deno.test("last", () => void did.push("last"));
    },
  });
  const run = (name: string) => Promise.resolve(tests.find((test) => test.name === name)!.fn(CONTEXT));
  for (const name of ["a1", "a2", "plain"]) await run(name);
  await rejects(run("b1"), /no server/);
  await rejects(run("b2"), /no server/);
  await rejects(run("last"), /Cannot clean up after tests\/broken_test\.ts: no server to stop/);
  await run("last");
  await end!();
  deepEqual(did, ["before a", "a1", "a2", "after a", "plain", "before last", "last", "after last"]);
});

Deno.test("the tag of a file is read from its text", () => {
  const tag = 'import { long, longFile } from "../../support/long.ts";\n';
  deepEqual(lanesOf('Deno.test("a", () => {});\n'), ["everyday"]);
  deepEqual(lanesOf(`${tag}\nlongFile();\n`), ["long"]);
  deepEqual(lanesOf(`${tag}\nlong();\nDeno.test("a", () => {});\n`), ["everyday", "long"]);
  deepEqual(lanesOf("longFile();\n"), ["everyday"], "it is another function");
});

Deno.test("a run writes down which test file started a process, by either way", async () => {
  await using folder = await temporaryFolder();
  const costs = folder.file("costs");
  const { Command } = Deno;
  const { fetch } = globalThis;
  let pid = 0;
  try {
    const counted = countWork();
    const [spawns, asks] = await declared("long", costs, {
      counted,
      files: {
        "tests/a_test.ts": () => {
          long();
          Deno.test("spawns", async () => {
            const child = new Deno.Command(Deno.execPath(), { args: ["-V"], stdout: "null" }).spawn();
            pid = child.pid;
            equal((await child.status).code, 0);
          });
        },
        "tests/b_test.ts": () => {
          long();
          Deno.test("asks", async () => {
            const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["-V"] }).output();
            match(new TextDecoder().decode(stdout), /^deno /);
          });
        },
      },
    });
    await spawns!.fn(CONTEXT);
    await asks!.fn(CONTEXT);
  } finally {
    Object.defineProperty(Deno, "Command", { value: Command, configurable: true });
    globalThis.fetch = fetch;
  }
  const started = readStarted(`${costs}_started`);
  equal(started.get(pid), "tests/a_test.ts");
  deepEqual([...started.values()], ["tests/a_test.ts", "tests/b_test.ts"]);
});

Deno.test("a run writes down what each test did, and an untagged one that starts many processes fails", async () => {
  await using folder = await temporaryFolder();
  const costs = folder.file("costs");
  const { Command } = Deno;
  const { fetch } = globalThis;
  let bodies: readonly Deno.TestDefinition[];
  const starts = (count: number) => () => {
    for (let at = 0; at < count; at++) new Deno.Command(Deno.execPath());
  };
  try {
    // In a run of the lane, those in place count already.
    globalThis.fetch = () => Promise.resolve(new Response());
    Object.defineProperty(Deno, "Command", { value: class {}, configurable: true });
    const counted = countWork();
    bodies = await declared("everyday", costs, {
      counted,
      files: {
        "tests/a_test.ts": () => {
          Deno.test("one", async () => {
            starts(1)();
            await fetchTwice();
          });
          Deno.test("many", starts(5));
        },
      },
    });
    const tagged = await declared("long", costs, {
      counted,
      files: {
        "tests/b_test.ts": () => {
          long();
          Deno.test("all", starts(9));
        },
      },
    });
    await bodies[0]!.fn(CONTEXT);
    await rejects(Promise.resolve(bodies[1]!.fn(CONTEXT)), /\d+ processes \(at most 4\).*long\(\)/);
    await tagged[0]!.fn(CONTEXT);
  } finally {
    Object.defineProperty(Deno, "Command", { value: Command, configurable: true });
    globalThis.fetch = fetch;
  }
  deepEqual(
    (await readCosts(costs)).map((cost) => [cost.name, cost.processes, cost.requests, cost.reportDays]),
    [
      ["one", 1, 2, 30],
      ["many", 5, 0, 0],
      ["all", 9, 0, 0],
    ],
  );
});

async function fetchTwice(): Promise<void> {
  await fetch("http://127.0.0.1:1/");
  const body = JSON.stringify({ startDate: "2026-09-01", endDate: "2026-09-30" });
  await fetch("http://127.0.0.1:1/", { method: "POST", body });
}

Deno.test("work decides whether a run fails, and the clock only prints", () => {
  checkWork({ ...COST, milliseconds: 60_000, processes: 4, requests: 1500, reportDays: 2000 });
  throws(() => checkWork({ ...COST, requests: 1501 }), /1501 requests \(at most 1500\)/);
  throws(() => checkWork({ ...COST, reportDays: 2001 }), /2001 days of reports/);
  const lines = tellCostly([{ ...COST, milliseconds: 3100 }, COST, {
    ...COST,
    name: "b",
    milliseconds: 5000,
  }]);
  equal(lines.length, 2);
  match(lines[0]!, /5\.0 s .*tests\/a_test\.ts => b$/);
});

Deno.test("a long test in a file that the long lane would not find fails the run", async () => {
  await using folder = await temporaryFolder();
  await rejects(
    declaredWithEnd("everyday", folder.file("costs"), FILES, { text: "" }),
    /Cannot leave tests of tests\/mixed_test\.ts to the long lane, which would not find them/,
  );
});
