import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError } from "../../src/errors.ts";
import { installCommand, QUEUE_PACKAGES, withPackages } from "../../src/store/model/optional_packages.ts";

test("a package that is not installed is named, with the command that installs it", async () => {
  for (const name of QUEUE_PACKAGES.split(" ")) {
    const load = (): Promise<never> =>
      Promise.reject(new Error(`Cannot find package \'${name}\' imported from /home/a/node_modules/b.js`));
    await assert.rejects(withPackages("a queue", QUEUE_PACKAGES, load), (error: Error) => {
      assert(error instanceof ConfigurationError);
      assert.match(error.message, new RegExp(`Cannot use a queue: the package "${name}" is not installed`));
      assert.match(error.message, /npm install pg pg-copy-streams graphile-worker$/);
      return true;
    });
  }
});

test("any other failure of loading is told as it is", async () => {
  const broken = new Error("Cannot find package 'pg-boss' imported from x");
  await assert.rejects(withPackages("a queue", QUEUE_PACKAGES, () => Promise.reject(broken)), broken);
});

test("what is missing from a global installation is installed globally", () => {
  const command = (module: string, folder: string) => installCommand("hucre", { module, folder });
  const inside = "node_modules/@platform/ads/esm/src/store/optional_packages.js";
  assert.equal(command(`/usr/lib/${inside}`, "/home/ann/shop"), "npm install -g hucre");
  assert.equal(command(`/home/ann/shop/${inside}`, "/home/ann/shop/reports"), "npm install hucre");
  assert.equal(command(`/home/ann/shop/${inside}`, "/home/ann/shop"), "npm install hucre");
  assert.equal(command(`/home/ann/shop/${inside}`, "/home/ann/shopping"), "npm install -g hucre");
  assert.equal(command("/home/ann/clone/src/store/optional_packages.ts", "/tmp"), "npm install hucre");
  assert.equal(command(`/C:/shop/${inside}`, "C:\\shop"), "npm install hucre");
});
