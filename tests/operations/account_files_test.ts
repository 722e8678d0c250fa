import { rejects } from "../support/assert.ts";
import { planFrom } from "../../src/operations/plans/account_files.ts";
import { jsonInput } from "../../src/operations/model/field_schema.ts";

Deno.test("texts of account files have the paths of such files, and a lock file is read as one", async () => {
  const given = (path: string) => jsonInput(planFrom, { files: { [path]: "name: Spring" } });
  await given("sp/spring.yaml");
  for (const path of ["spring.yaml", "../sp/spring.yaml", "sp/../../etc/passwd", "/sp/spring.yaml"]) {
    await rejects(given(path), /as an account file: campaigns are sp\/NAME\.yaml/);
  }
  await rejects(given("account.lock.json"), /not a lock file/);
});

Deno.test("texts of some files archive nothing that they leave out", async () => {
  const files = { "sp/spring.yaml": "name: Spring" };
  await jsonInput(planFrom, { files, prune: false });
  await rejects(jsonInput(planFrom, { files, prune: true }), /they may be only some of the account's files/);
});
