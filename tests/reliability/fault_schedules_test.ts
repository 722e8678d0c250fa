import { testUnderFaults } from "./support/fault_promises.ts";
import { SEED } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

testUnderFaults({ wire: "legacy", seed: SEED });
