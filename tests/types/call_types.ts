/**
 * Compile-only: `deno check` reads this file, nothing runs it. Each `@ts-expect-error` fails the check when the line
 * below it compiles after all.
 */
import type { CallArguments, OperationId } from "../../src/platform/catalog/mod.ts";

interface Caller {
  call<Id extends OperationId | (string & Record<never, never>)>(
    operation: Id,
    ...args: CallArguments<Id>
  ): Promise<unknown>;
}

declare const us: Caller;
declare const anyId: string;
declare const eitherId: "posts:ListPosts" | "posts:GetPost";

/** Lines that must compile. */
export function accepted(): void {
  us.call("sponsored-brands-v4:ListSponsoredBrandsCampaigns", { maxResults: 10 });
  us.call("sponsored-brands-v4:ListSponsoredBrandsCampaigns");
  us.call("sponsored-brands-v3:listKeywords", undefined, {
    query: { count: 500, stateFilter: ["enabled", "paused"] },
  });
  us.call("posts:GetPost", undefined, { pathParams: { postId: "1" } });
  us.call("posts:UpdatePost", { name: "x" }, { pathParams: { postId: 1n }, accept: "application/json" });
  us.call("sponsored-products:DisassociateAssociatedBudgetRuleForSPCampaigns", undefined, {
    pathParams: { campaignId: 1, budgetRuleId: "r" },
    signal: AbortSignal.timeout(1),
  });
  us.call("some-new-api:DoThing", { any: "body" }, {
    pathParams: { thingId: "1" },
    headers: { locale: "en_US" },
  });
  us.call("some-new-api:DoThing");
  us.call(anyId, {}, { pathParams: { whatever: "1" } });
  us.call(eitherId, undefined, { pathParams: { postId: "1" } });
}

/** Lines that must not compile. */
export function refused(): void {
  // @ts-expect-error the path has a placeholder, and no options are given
  us.call("posts:GetPost");
  // @ts-expect-error the path has a placeholder, and no pathParams are given
  us.call("posts:GetPost", undefined, {});
  // @ts-expect-error the placeholder is "postId"
  us.call("posts:GetPost", undefined, { pathParams: { id: "1" } });
  // @ts-expect-error there is no second placeholder
  us.call("posts:GetPost", undefined, { pathParams: { postId: "1", id: "2" } });
  us.call("sponsored-products:DisassociateAssociatedBudgetRuleForSPCampaigns", undefined, {
    // @ts-expect-error the second placeholder is missing
    pathParams: { campaignId: "1" },
  });
  // @ts-expect-error a boolean is no value for a path
  us.call("posts:GetPost", undefined, { pathParams: { postId: true } });
  // @ts-expect-error the path has no placeholders
  us.call("posts:ListPosts", {}, { pathParams: { postId: "1" } });
  // @ts-expect-error an object is no value of a query parameter
  us.call("posts:ListPosts", {}, { query: { filter: { a: 1 } } });
  // @ts-expect-error no such option
  us.call("posts:ListPosts", {}, { pathParam: {} });
  // @ts-expect-error an operation is named by text
  us.call(5);
}

/** The ids are a union of literals, which is what an editor completes. */
export const listed: OperationId = "advertising-billing:getInvoice";

// @ts-expect-error a misspelt id is no known id
export const misspelt: OperationId = "advertising-billing:getInvoices";
