import "./world/realm.ts";
import { FILE_SCENARIOS } from "./scenarios.ts";
import { testSeeds } from "./test_seeds.ts";
import { longFile } from "../support/long.ts";

longFile();

// A file of its own for each half: test files run beside each other, the tests of one file do not.
testSeeds(FILE_SCENARIOS);
