import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { ConfigurationError } from "../../../src/errors.ts";
import { connect, storeLocation, tlsSettings } from "../../../src/store/postgres/connection.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const HOST = "postgres://user:secret@db.test:5433/ads";

test("a store is named by the host, the port and the database of its address, without user and password", () => {
  assert.equal(storeLocation(`${HOST}?sslmode=require`), "postgres://db.test:5433/ads");
  assert.equal(storeLocation("postgresql://db.test/ads"), "postgres://db.test/ads");
  for (
    const address of [
      "postgres://",
      "postgres:///ads",
      "mysql://db.test/ads",
      "postgresx://db/ads",
      "ads.sqlite",
    ]
  ) {
    assert.throws(() => storeLocation(address), (error: Error) => {
      assert(error instanceof ConfigurationError);
      assert.match(error.message, /its address is not postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE$/);
      return true;
    }, address);
    assert.throws(() => connect(address), ConfigurationError);
  }
});

test("connections are kept alive, see the store's schema in UTC, and wait two minutes for a lock", async () => {
  const database = connect(HOST);
  const { max, application_name, keepAlive, ssl, options } = database.pool.options;
  assert.deepEqual({ max, application_name, keepAlive, ssl, options }, {
    max: 4,
    application_name: "platform-ads",
    keepAlive: true,
    ssl: false,
    options: "-c search_path=platform_ads -c TimeZone=UTC -c lock_timeout=120000",
  });
  await database.close();
  const other = connect(`${HOST}?sslmode=require`, { max: 9, applicationName: "worker" });
  assert.deepEqual([other.pool.options.max, other.pool.options.application_name], [9, "worker"]);
  assert.deepEqual(other.pool.options.ssl, { rejectUnauthorized: false });
  await other.close();
});

test("how connections are encrypted is read from the address, which loses those words alone", async () => {
  await using folder = await temporaryFolder();
  const paths = { ca: folder.file("ca.pem"), cert: folder.file("cert.pem"), key: folder.file("key.pem") };
  for (const [name, path] of Object.entries(paths)) await writeFile(path, `the ${name}`);
  const tls = (words: string): unknown => {
    const { tls, address } = tlsSettings(`${HOST}?connect_timeout=3${words}`);
    assert.equal(address, `${HOST}?connect_timeout=3`);
    return tls;
  };
  const own = `&sslcert=${paths.cert}&sslkey=${paths.key}`;
  const { cert, key } = { cert: "the cert", key: "the key" };
  assert.equal(tls(""), undefined);
  assert.equal(tls(`&sslmode=disable&sslrootcert=${paths.ca}`), undefined);
  assert.deepEqual(tls("&sslmode=require"), { rejectUnauthorized: false });
  assert.deepEqual(tls(`&sslmode=require${own}`), { cert, key, rejectUnauthorized: false });
  assert.deepEqual(tls("&sslmode=verify-full"), {});
  assert.deepEqual(tls("&sslrootcert=system"), {}, "the authorities that the runtime trusts");
  assert.deepEqual(tls(`&sslmode=verify-full&sslrootcert=${paths.ca}`), { ca: "the ca" });
  // The authority signed it, whatever name it is for.
  for (const words of ["", "&sslmode=verify-ca", "&sslmode=require"]) {
    const { checkServerIdentity, ...others } = tls(`${words}&sslrootcert=${paths.ca}`) as {
      checkServerIdentity: () => unknown;
    };
    assert.deepEqual(others, { ca: "the ca" });
    assert.equal(checkServerIdentity(), undefined);
  }
});

test("a mode that is not known, a missing authority and a file that cannot be read are refused", () => {
  const refused: [words: string, why: RegExp][] = [
    [
      "sslmode=prefer",
      /sslmode "prefer" is unknown, expected one of disable, require, verify-ca, verify-full$/,
    ],
    ["sslmode=verify-ca", /sslmode verify-ca needs sslrootcert=FILE/],
    [
      "sslmode=verify-ca&sslrootcert=system",
      /sslmode verify-ca would not verify the server.*Leave sslmode out$/,
    ],
    ["sslmode=require&sslrootcert=system", /sslmode require would not verify the server/],
    ["sslrootcert=/no/such.pem", /sslrootcert "\/no\/such\.pem" cannot be read \(/],
    ["sslmode=require&sslkey=/no/such.pem", /sslkey "\/no\/such\.pem" cannot be read \(/],
  ];
  for (const [words, why] of refused) {
    assert.throws(() => tlsSettings(`${HOST}?${words}`), (error: Error) => {
      assert(error instanceof ConfigurationError);
      assert.match(error.message, /^Cannot encrypt the connection to the store: /);
      assert.match(error.message, why);
      return true;
    });
  }
});
