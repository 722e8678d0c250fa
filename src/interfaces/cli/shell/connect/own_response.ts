import { type BidMove, bidMovesIn } from "../../../../plans/store/bid_moves.ts";
import type { BidResponseSource } from "../../../../plans/review/bid_response.ts";
import {
  type BidResponseRequest,
  FEWEST_CHANGES,
  type MeasuredResponse,
} from "../../../../store/figures/bid_response.ts";
import type { CliContext } from "../context/context.ts";
import { knownStores } from "./plan_folders.ts";

/** Unknown for demo accounts and copies, whose behavior is no evidence. */
export async function ownResponse(
  request: Parameters<BidResponseSource>[0],
  { context, measure, folders = [] }: {
    readonly context: Pick<CliContext, "io" | "globals">;
    readonly measure: (request: BidResponseRequest) => Promise<MeasuredResponse>;
    readonly folders?: readonly string[];
  },
): Promise<MeasuredResponse> {
  const { demo, rehearse } = context.globals;
  if (demo || rehearse !== undefined) {
    const unknown = "the response of a demo account or a copy of an account is no evidence";
    return { changes: 0, needed: FEWEST_CHANGES, spend: null, elasticity: null, unknown };
  }
  const paths = new Set([...(await knownStores(context)).map(({ path }) => path), ...folders]);
  const found = (await Promise.all([...paths].map((path) => bidMovesIn(path, request)))).flat();
  // One folder may be known by two names.
  const moves = new Map<string, BidMove>(
    found.map((move) => [`${move.kind} ${move.id} ${move.appliedAt}`, move]),
  );
  return await measure({
    ...request,
    moves: [...moves.values()].sort((a, b) => a.appliedAt < b.appliedAt ? -1 : 1),
  });
}
