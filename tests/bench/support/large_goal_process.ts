import { decideGoal } from "../../../src/account/goals/decide.ts";
import { largeGoal } from "../../goals/large_goal.ts";
import { peakMemory } from "./peak_memory.ts";

/** Decides a goal of 100,000 targets in a process of its own, and prints how many rows came out and the peak. */
const { rows } = decideGoal(largeGoal(100_000));
console.log(JSON.stringify({ rows: rows.length, peakMb: peakMemory() / 1e6 }));
