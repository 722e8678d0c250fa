import { AuthError, ChangePlan, ConfigurationError, PlatformAdsError, resumePlan } from "../../mod.ts";
import { blobHash } from "../../src/base/runtime/blob_hash.ts";
import { assetFormat } from "../../src/client/calls/plan_assets.ts";
import { AssetLibrary, listAssets } from "../../src/client/calls/asset_library.ts";
import { sendAsset } from "../../src/client/calls/send_asset.ts";
import { plannedCall } from "../../src/plans/model/planned_call.ts";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { emulated, type EmulatedOptions } from "../support/emulated.ts";
import { jpegOf, pngOf, videoOf } from "../support/pictures.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { withoutPolicy } from "../support/without_policy.ts";

const REGISTER = "creative-assets:registerAsset";
const LOCATION = "creative-assets:getUploadLocation";
const PUT = "files:putFile";
const BRAND = { associatedSubEntityList: [{ brandEntityId: "ENTITY1BRAND" }] };

async function world(options: EmulatedOptions = {}) {
  const [at, folder] = [await emulated(options), await temporaryFolder()];
  const requests = (operation: string) => at.emulator.requests().filter((one) => one.operation === operation);
  return {
    ...at,
    folder: folder.path,
    requests,
    write: async (name: string, content: Uint8Array | string): Promise<string> => {
      const path = `${folder.path}/${name}`;
      await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
      if (typeof content === "string") await Deno.writeTextFile(path, content);
      else await Deno.writeFile(path, content);
      return path;
    },
    bodies: () => requests(REGISTER).map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>),
    asset: (assetId: string | null | undefined) =>
      at.us.call("creative-assets:getAsset", undefined, { query: { assetId: String(assetId) } }) as Promise<
        { assetVersionList: Record<string, unknown>[] }
      >,
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

withoutPolicy("its plans are applied without an approval");
Deno.test("files of a manifest are put and registered one by one, with a verdict for each", async () => {
  await using at = await world();
  await at.write("pictures/hero shot.png", pngOf(1200, 628));
  await at.write("pictures/logo.jpeg", jpegOf(400, 400));
  await at.write("pictures/clip.mp4", videoOf());
  const manifest = await at.write(
    "assets.csv",
    "file,name,brand_entity_id,sub_types,asins,tags,programs\n" +
      'pictures/hero shot.png,Hero,ENTITY1BRAND,LIFESTYLE_IMAGE,B000000001 B000000002,"autumn, wide",SB\n' +
      "pictures/logo.jpeg,,ENTITY1BRAND,LOGO,,,\n" +
      "pictures/clip.mp4,Clip,ENTITY1BRAND,,,,\n",
  );
  const plan = await at.us.planUpload(REGISTER, manifest, { note: "autumn" });
  deepEqual(plan.changes.map(({ label }) => label), [
    "hero shot.png (1200 x 628)",
    "logo.jpeg (400 x 400)",
    "clip.mp4",
  ]);
  match(plan.warnings.join(), /no operation archives or deletes an asset\. Use the platform's console/);
  deepEqual([at.requests(PUT).length, at.requests(REGISTER).length], [0, 0]);
  const reread = await ChangePlan.load(await plan.save(`${at.folder}/plan.json`));
  const result = await reread.apply(at.us, { journal: `${at.folder}/plan.journal` });
  const verdicts = await result.rowVerdicts();
  deepEqual(verdicts.map(({ row, verdict, code, file }) => [row, verdict, code, file?.split("/").at(-1)]), [
    [2, "accepted", null, "hero shot.png"],
    [3, "accepted", null, "logo.jpeg"],
    [4, "accepted", null, "clip.mp4"],
  ]);
  const [{ url, ...hero } = {}, logo] = at.bodies();
  match(String(url), /\/files\/.*\.png\?/);
  deepEqual(hero, {
    assetType: "IMAGE",
    name: "Hero",
    assetSubTypeList: ["LIFESTYLE_IMAGE"],
    asinList: ["B000000001", "B000000002"],
    tags: ["autumn", "wide"],
    ...BRAND,
    registrationContext: { associatedPrograms: [{ programName: "SB" }] },
  });
  equal(logo?.["name"], "logo.jpeg");
  deepEqual(
    at.requests("creative-assets:getUploadLocation").map(({ body }) => JSON.parse(String(body)).fileName),
    [
      "hero_shot.png",
      "logo.jpg",
      "clip.mp4",
    ],
  );
  ok(at.requests(PUT).every(({ status }) => status === 200), "addresses get none of our headers");
  const kept = JSON.stringify(result) + await Deno.readTextFile(`${at.folder}/plan.journal`);
  ok(!kept.includes("signature="), "neither the result nor the journal has an address");

  const before = await at.asset(verdicts[0]?.assetId);
  equal(before.assetVersionList[0]?.["assetStatus"], "PROCESSING");
  at.emulator.advance(100);
  const { assetVersionList: [hero2] } = await at.asset(verdicts[0]?.assetId);
  deepEqual([hero2?.["assetStatus"], (hero2?.["fileMetadata"] as { width: number }).width], ["ACTIVE", 1200]);
  match(JSON.stringify(hero2?.["moderationContentList"]), /"COMPLETED".*"APPROVED"/);

  const undo = result.rollbackPlan();
  deepEqual([undo.changes.length, undo.warnings.length], [0, 3]);
  match(undo.warnings[0]!, /cannot be undone, because no operation takes back an upload/);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("files of a folder that the library has already, by name and size, are left out", async () => {
  await using at = await world();
  for (const name of ["a.png", "b.png"]) await at.write(`pictures/${name}`, pngOf(10, 10));
  await at.write("pictures/.hidden", "");
  const folder = `${at.folder}/pictures`;
  const first = await at.us.planUpload(REGISTER, folder, { body: BRAND });
  deepEqual((await (await first.apply(at.us)).rowVerdicts()).map(({ row, verdict }) => [row, verdict]), [
    [1, "accepted"],
    [2, "accepted"],
  ]);
  await at.write("pictures/b.png", pngOf(20, 20));
  await at.write("pictures/c.png", pngOf(10, 10));
  const second = await at.us.planUpload(REGISTER, folder, { body: BRAND });
  deepEqual(second.changes.map(({ label }) => label), ["b.png (20 x 20)", "c.png (10 x 10)"]);
  match(
    second.warnings.join("\n"),
    /Row 1: the library has a\.png already, as library\.asset\.\w+; left out/,
  );
  equal((await second.apply(at.us)).ok, true);
  const third = await at.us.planUpload(REGISTER, folder, { body: BRAND });
  equal(third.changes.length, 0);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("of two plans of one folder, the second sends nothing that the first has registered", async () => {
  await using at = await world();
  for (const name of ["a.png", "b.png", "c.png"]) await at.write(`pictures/${name}`, pngOf(10, 10));
  const plan = () => at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  const [first, second, third] = [await plan(), await plan(), await plan()];
  const done = await first.apply(at.us);
  const again = await second.apply(at.us);
  deepEqual(again.changes.map(({ outcome }) => outcome), ["already", "already", "already"]);
  deepEqual(await again.rowVerdicts(), await done.rowVerdicts());
  deepEqual([at.requests(PUT).length, at.bodies().length], [3, 3]);

  // An application that ends before the last two files is resumed, and another plan has registered one of them.
  await at.write("pictures/d.png", pngOf(10, 10));
  await at.write("pictures/e.png", pngOf(10, 10));
  const [own, other] = [await plan(), await plan()];
  const journal = `${at.folder}/plan.journal`;
  at.emulator.setFaults([{ match: { operation: REGISTER }, effects: { drop: "before" }, times: 1 }]);
  await own.apply(at.us, { journal });
  at.emulator.setFaults([]);
  const registered = await (await other.apply(at.us)).rowVerdicts();
  const resumed = await resumePlan(own, at.us, { journal });
  deepEqual(
    (await resumed.rowVerdicts()).map(({ assetId }) => assetId),
    registered.map(({ assetId }) => assetId),
  );
  equal((await third.apply(at.us)).ok, true);
  const { totalRecords } = await at.us.call("creative-assets:searchAssets", {}) as { totalRecords: number };
  equal(totalRecords, 5);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a file whose processing failed is planned and registered again, with a warning", async () => {
  await using at = await world();
  await at.write("pictures/a.png", pngOf(10, 10));
  const plan = () => at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  at.emulator.setFaults([{ match: { operation: REGISTER }, effects: { reportOutcome: "FAILED" }, times: 1 }]);
  await (await plan()).apply(at.us);
  equal((await plan()).changes.length, 0, "it is being processed");
  at.emulator.advance(100);
  const second = await plan();
  match(
    second.warnings.join("\n"),
    /Row 1: the library has a\.png as library\.asset\.\w+, whose status is INACTIVE/,
  );
  deepEqual((await second.apply(at.us)).changes.map(({ outcome }) => outcome), ["done"]);
  at.emulator.advance(100);
  equal((await plan()).changes.length, 0, "one of the two is usable");
});

Deno.test("all problems of files are told at once, before anything is sent", async () => {
  await using at = await world();
  const png = pngOf(30, 30);
  await at.write("cut.png", png.slice(0, -20));
  await at.write("wrong.mp4", png);
  await at.write("notes.png", "not a picture");
  await at.write("empty.jpg", "");
  await at.write("good.png", png);
  await at.write("deep/good.png", png);
  const files = ["cut.png", "wrong.mp4", "notes.png", "empty.jpg", "none.png", "good.png", "deep/good.png"];
  const manifest = await at.write("assets.csv", `file\n${files.join("\n")}\n`);
  at.asked();
  const error = await at.us.planUpload(REGISTER, manifest).catch((reason: Error) => reason);
  ok(error instanceof ConfigurationError);
  const lines = error.message.replaceAll(`${at.folder}/`, "").split("\n").slice(1)
    .filter((line) => !line.includes("brand_entity_id"));
  deepEqual(lines, [
    "Row 2: cut.png: it is cut short or damaged",
    'Row 3: wrong.mp4: its name ends in "mp4", but its bytes are png',
    "Row 4: notes.png: it is not a JPEG or PNG image, nor an MP4, MOV, AVI or WMV video",
    "Row 5: empty.jpg: it is empty",
    "Row 6: none.png: the file cannot be opened",
    "Row 8: deep/good.png: row 7 has the same name: add the column name",
  ]);
  equal(error.message.split("brand_entity_id").length - 1, 7, "a seller names the brand of each file");
  const wrong = await at.write("wrong.csv", "file,sub_types,asins,tag\na.png,LOGO BANNER,b1,x\n");
  await rejects(at.us.planUpload(REGISTER, wrong), /column 4 is not known: did you mean "tags"\?/);
  const values = await at.write("values.csv", "file,sub_types,asins\na.png,LOGO BANNER,b1\n");
  await rejects(
    at.us.planUpload(REGISTER, values),
    /Row 2: sub_types is not at most 10 of AUTHOR_IMAGE, .*\nRow 2: asins is not at most 100 ASINs/,
  );
  await rejects(at.us.planUpload(REGISTER, manifest, { hash: true }), /Cannot hash images/);
  await rejects(at.us.planUpload(REGISTER, manifest, { atOnce: 5 }), /registered one by one/);
  await rejects(at.us.planUpload(REGISTER, manifest, { pathParams: { id: "1" } }), /path parameter "id"/);
  const one = await at.write("one.csv", "file,brand_entity_id\ngood.png,ENTITY1\n");
  await rejects(
    at.us.planUpload(REGISTER, one, { body: { assetType: "VIDEO" } }),
    /Row 2: .*good\.png: it is of the type IMAGE, but assetType in the body is "VIDEO"/,
  );
  await rejects(
    at.us.planUpload(REGISTER, manifest, { signal: AbortSignal.abort(new Error("enough")) }),
    /^Error: enough/,
  );
  deepEqual(at.asked(), []);
  const odd = await at.us.planUpload(REGISTER, one, { body: { assetType: "IMAGE", tags: "autumn" } });
  match(odd.warnings.join("\n"), /Row 2: .*tags/);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a refused file keeps its verdict, and the others are sent", async () => {
  await using at = await world();
  for (const name of ["a.png", "b.png", "c.png", "d.png"]) await at.write(`pictures/${name}`, pngOf(10, 10));
  const plan = await at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  const message = "Brand is not yours";
  at.emulator.setFaults([
    { match: { operation: PUT }, effects: { response: { status: 403 } }, skip: 1, times: 3 },
    {
      match: { operation: REGISTER },
      effects: { response: { status: 400, body: { message } } },
      skip: 1,
      times: 1,
    },
  ]);
  const result = await plan.apply(at.us);
  deepEqual(
    (await result.rowVerdicts()).map(({ verdict, code, assetId }) => [verdict, code, assetId === null]),
    [
      ["accepted", null, false],
      ["refused", "UPLOAD_REFUSED", true],
      ["refused", "HTTP_400", true],
      ["accepted", null, false],
    ],
  );
  match(result.changes[1]?.error?.message ?? "", /b\.png: its host responds with 403/);
  match(result.changes[2]?.error?.message ?? "", /Brand is not yours/);
  equal(at.bodies().length, 3);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a file without an address was not sent, and a name that is refused does not stop the others", async () => {
  await using at = await world();
  for (const name of ["a.png", "b.png", "c.png"]) await at.write(`pictures/${name}`, pngOf(10, 10));
  const plan = await at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  const journal = `${at.folder}/plan.journal`;
  const failing = [
    { response: { status: 503 } },
    { response: { status: 200, body: { url: "http://files.example/a.png" } } },
    { response: { status: 200, body: "no JSON" } },
  ];
  for (const effects of failing) {
    at.emulator.setFaults([{ match: { operation: LOCATION }, effects }]);
    await rejects(plan.apply(at.us, { journal }), /a\.png: .*It was not registered/);
  }
  const message = "fileName is not valid";
  at.emulator.setFaults([
    { match: { operation: LOCATION }, effects: { response: { status: 400, body: { message } } }, times: 1 },
    { match: { operation: LOCATION }, effects: { response: { status: 503 } }, skip: 2 },
  ]);
  const result = await plan.apply(at.us, { journal });
  deepEqual((await result.rowVerdicts()).map(({ verdict, code }) => [verdict, code]), [
    ["refused", "UPLOAD_REFUSED"],
    ["accepted", null],
    ["not_sent", null],
  ]);
  match(result.changes[0]?.error?.message ?? "", /gives no address for it\. .*fileName is not valid/);
  equal(at.bodies().length, 1);
});

Deno.test("an error that says itself that nothing was sent keeps its class", async () => {
  await using at = await world();
  await at.write("pictures/a.png", pngOf(10, 10));
  const plan = await at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  const call = plannedCall(plan.changes[0]!)!;
  const sentWith = (error: Error) =>
    sendAsset({ ...call, file: call.file! }, {
      target: {
        transport: Object.create(at.us.transport, { send: { value: () => Promise.reject(error) } }),
        baseUrl: "https://platform.example",
      },
      library: new AssetLibrary(),
      watch: {},
    }).catch((reason: unknown) => reason);
  const refused = new AuthError("no token", "invalid_grant");
  equal(await sentWith(refused), refused);
  const wrapped = await sentWith(new TypeError("odd"));
  ok(wrapped instanceof PlatformAdsError && /odd\. It was not registered/.test(wrapped.message));
});

withoutPolicy("its plans are applied without an approval");
Deno.test("without a timeout, files are put without one", async () => {
  await using at = await world({ client: { timeout: Infinity } });
  await at.write("pictures/a.png", pngOf(10, 10));
  const plan = await at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  equal((await plan.apply(at.us)).ok, true);
});

Deno.test("a file is hashed until the signal is aborted", async () => {
  const stop = new AbortController();
  let read = 0;
  const blob = {
    stream: async function* () {
      while (read < 3) {
        if (++read === 2) stop.abort(new Error("enough"));
        yield new Uint8Array(10);
      }
    },
  } as unknown as Blob;
  await rejects(blobHash(blob, stop.signal), /enough/);
  equal(read, 2);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("an address that has expired or a busy host costs another address, not the file", async () => {
  await using at = await world();
  await at.write("pictures/a.png", pngOf(10, 10));
  const plan = await at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  at.emulator.setFaults([
    { match: { operation: PUT }, effects: { response: { status: 403 } }, times: 1 },
    { match: { operation: PUT }, effects: { response: { status: 503 } }, skip: 1, times: 1 },
  ]);
  equal((await plan.apply(at.us)).ok, true);
  deepEqual(
    [at.requests("creative-assets:getUploadLocation").length, at.requests(PUT).length, at.bodies().length],
    [3, 3, 1],
  );
});

withoutPolicy("its plans are applied without an approval");
Deno.test("nothing of a changed file is sent, and a host that does not respond leaves the plan open", async () => {
  await using at = await world();
  const file = await at.write("pictures/a.png", pngOf(10, 10));
  await at.write("pictures/b.png", pngOf(10, 10));
  const plan = await at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  at.emulator.setFaults([{ match: { operation: PUT }, effects: { drop: "before" }, times: 3 }]);
  const journal = `${at.folder}/plan.journal`;
  await rejects(plan.apply(at.us, { journal }), /a\.png: its host does not respond .*It was not registered/);
  at.emulator.setFaults([]);
  equal((await plan.apply(at.us, { journal })).ok, true, "nothing was done before");
  const other = await at.us.planUpload(REGISTER, file.replace("a.png", ""), {
    body: { ...BRAND, tags: ["x"] },
  });
  equal(other.changes.length, 0);
  await at.write("pictures/c.png", pngOf(10, 10));
  const third = await at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
  // As many bytes as before.
  await at.write("pictures/c.png", pngOf(10, 10).with(45, 1));
  const before = at.requests(PUT).length;
  await rejects(third.apply(at.us), /c\.png: it was changed since it was planned\. Make a new plan/);
  equal(at.requests(PUT).length, before);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a registration whose response is lost is found in the library, and not repeated", async () => {
  for (const drop of ["before", "after"] as const) {
    await using at = await world();
    for (const name of ["a.png", "b.png"]) await at.write(`pictures/${name}`, pngOf(10, 10));
    const plan = await at.us.planUpload(REGISTER, `${at.folder}/pictures`, { body: BRAND });
    const journal = `${at.folder}/plan.journal`;
    at.emulator.setFaults([{ match: { operation: REGISTER }, effects: { drop }, times: 1 }]);
    const first = await plan.apply(at.us, { journal });
    deepEqual((await first.rowVerdicts()).map(({ verdict }) => verdict), ["unknown", "not_sent"]);
    at.emulator.setFaults([]);
    const result = await resumePlan(plan, at.us, { journal });
    const verdicts = await result.rowVerdicts();
    deepEqual(verdicts.map(({ verdict }) => verdict), ["accepted", "accepted"], drop);
    match(String(verdicts[0]?.assetId), /^library\.asset\./);
    const { totalRecords } = await at.us.call("creative-assets:searchAssets", {}) as { totalRecords: number };
    equal(totalRecords, 2, drop);
  }
});

Deno.test("a file whose processing fails, or that moderation rejects, says so in the library", async () => {
  await using at = await world();
  const register = async (name: string, bytes: Uint8Array, type: string) => {
    const { url } = await at.us.call("creative-assets:getUploadLocation", { fileName: name }) as {
      url: string;
    };
    const put = (headers: Record<string, string>) =>
      fetch(url, { method: "PUT", body: new Uint8Array(bytes), headers }).then(async (response) => {
        await response.body?.cancel();
        return response.status;
      });
    equal(await put({ "content-type": type, authorization: "Bearer x" }), 400);
    equal(await put({ "content-type": "text/plain" }), 403);
    equal(await put({ "content-type": type }), 200);
    const body = { url, name, assetType: "IMAGE", ...BRAND };
    return (await at.us.call(REGISTER, body) as { assetId: string }).assetId;
  };
  const rejected = await register("forbidden.png", pngOf(10, 10), "image/png");
  const unusable = await register("b.png", jpegOf(10, 10), "image/png");
  at.emulator.advance(100);
  match(JSON.stringify(await at.asset(rejected)), /"ACTIVE".*"REJECTED"/);
  equal((await at.asset(unusable)).assetVersionList[0]?.["assetStatus"], "INACTIVE");
  const { url } = await at.us.call("creative-assets:getUploadLocation", { fileName: "a.png" }) as {
    url: string;
  };
  await rejects(
    at.us.call(REGISTER, { url, name: "a", assetType: "IMAGE", ...BRAND }) as Promise<unknown>,
    /There is no file at the url/,
  );
  at.emulator.advance(901);
  const late = await fetch(url, { method: "PUT", body: "x", headers: { "content-type": "image/png" } });
  await late.body?.cancel();
  equal(late.status, 403);
});

Deno.test("the library is read page by page, without archived assets", async () => {
  const asset = (name: string, status = "ACTIVE") => ({
    ...{ assetId: `id-${name}`, name, assetType: "IMAGE", status, fileMetadata: { fileSize: 7 } },
  });
  const pages = [
    { assetList: [asset("a"), asset("b", "ARCHIVED")], token: "2" },
    { assetList: [asset("c", "PROCESSING")] },
  ];
  const asked: unknown[] = [];
  const listed = await Array.fromAsync(listAssets((body) => {
    asked.push((body as { pageCriteria: unknown }).pageCriteria);
    return Promise.resolve(pages.shift());
  }));
  deepEqual(listed.map(({ assetId, size }) => [assetId, size]), [["id-a", 7], ["id-c", 7]]);
  deepEqual(asked, [{ size: 500 }, { size: 500, identifier: { token: "2" } }]);
  let page = 0;
  const circle = () => Promise.resolve({ assetList: [asset(`x${page++ % 2}`)], token: "again" });
  await rejects(
    Array.fromAsync(listAssets(circle)),
    /Cannot list the asset library: .*repeats the same page/,
  );
});

Deno.test("the format of a file is read from its bytes", async () => {
  const formatOf = async (bytes: Uint8Array) => await assetFormat(new Blob([new Uint8Array(bytes)]));
  deepEqual(await formatOf(jpegOf(640, 480)), {
    ...{ assetType: "IMAGE", ending: "jpg", contentType: "image/jpeg", width: 640, height: 480 },
  });
  deepEqual(await formatOf(videoOf("qt  ")), {
    ...{ assetType: "VIDEO", ending: "mov", contentType: "video/quicktime" },
  });
  const avi = new TextEncoder().encode("RIFF\x08\0\0\0AVI LIST");
  deepEqual(await formatOf(avi), { assetType: "VIDEO", ending: "avi", contentType: "video/x-msvideo" });
  const wmv = Uint8Array.of(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, ...new Uint8Array(20));
  deepEqual(await formatOf(wmv), { assetType: "VIDEO", ending: "wmv", contentType: "video/x-ms-wmv" });
  for (const brand of ["avif", "avis", "heic", "mif1"]) {
    match(String(await formatOf(videoOf(brand))), /^it is an AVIF or HEIC image, which is not supported/);
  }
  const cut = "it is cut short or damaged";
  equal(await formatOf(jpegOf(640, 480).slice(0, -1)), cut);
  equal(await formatOf(videoOf().slice(0, -1)), cut);
  equal(await formatOf(videoOf().slice(0, 16)), cut, "no box describes the tracks");
  equal(await formatOf(avi.slice(0, -1)), cut);
});
