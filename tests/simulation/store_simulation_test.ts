import "./world/realm.ts";
import { STORE_SCENARIOS } from "./scenarios.ts";
import { testSeeds } from "./test_seeds.ts";

testSeeds(STORE_SCENARIOS);
