import { testUnderFaults } from "./support/fault_promises.ts";
import { SEED } from "./support/size.ts";

testUnderFaults({ wire: "unified", seed: SEED });
