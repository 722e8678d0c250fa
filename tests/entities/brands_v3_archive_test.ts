import { deepEqual, rejects } from "../support/assert.ts";
import { BadRequestError, ForbiddenError, NotFoundError, SponsoredBrands } from "../../mod.ts";
import { fakeScope } from "../support/fake_scope.ts";

const WHERE = { method: "DELETE", url: "http://127.0.0.1/sb/keywords/2" };

Deno.test("each Brands keyword has its own verdict, whatever code the platform gives a refusal", async () => {
  const scope = fakeScope(({ path }) => {
    if (path.endsWith("/2")) throw new NotFoundError("No", { statusCode: 404, code: "404", ...WHERE });
    if (path.endsWith("/3")) throw new BadRequestError("No", { statusCode: 400, ...WHERE });
    return path.endsWith("/4") ? undefined : { code: "SUCCESS", keywordId: 1 };
  });
  const result = await new SponsoredBrands(scope).keywords.delete(["1", "2", "3", "4"]);
  deepEqual([...result].map((one) => one.ok ? one.id : [one.code, one.errorType]), [
    "1",
    ["NOT_FOUND", "entityNotFoundError"],
    ["HTTP_400", "otherError"],
    "4",
  ]);
});

Deno.test("what refuses the caller, and not the keyword, ends the run", async () => {
  const scope = fakeScope(() => {
    throw new ForbiddenError("No access", { statusCode: 403, ...WHERE });
  });
  await rejects(new SponsoredBrands(scope).keywords.delete(["1", "2"]), ForbiddenError);
  deepEqual(scope.requests.length, 1);
});
