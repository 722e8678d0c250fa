import "./world/realm.ts";
import { STORE_SCENARIOS } from "./scenarios.ts";
import { testSeeds } from "./test_seeds.ts";
import { longFile } from "../support/long.ts";

longFile();

testSeeds(STORE_SCENARIOS);
