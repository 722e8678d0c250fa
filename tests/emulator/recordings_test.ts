/**
 * The exchanges in `tests/fixtures/recorded` are what the emulator and the client say to each other today. Record them
 * anew with `UPDATE_RECORDINGS=1 deno test -A tests/emulator/recordings_test.ts`.
 *
 * @module
 */
import { deepEqual, ok } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";
import { type Fixture, fixtureNames, readFixture } from "../support/fixture.ts";
import { RECORDED_SCENES, type RecordedScene } from "../support/recorded_scenes.ts";
import { replay } from "../support/replay.ts";

const FOLDER = new URL("../fixtures/recorded/", import.meta.url);
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/g;

/** Plays a scene against an emulator that records it; what is made anew each time has fixed values. */
async function record(
  { name, run }: RecordedScene,
): Promise<{ files: Map<string, string>; result: unknown }> {
  const folder = await Deno.makeTempDir();
  try {
    await using at = await emulated();
    at.emulator.record(folder);
    const result = await run(at.us, (seconds) => at.emulator.advance(seconds));
    at.emulator.record(undefined);
    const files = new Map<string, string>();
    for (const entry of Deno.readDirSync(folder)) {
      const exchange: Fixture = JSON.parse(
        Deno.readTextFileSync(`${folder}/${entry.name}`).replace(ADDRESS, "http://127.0.0.1:8480"),
      );
      const headers = { ...exchange.response.headers, "x-platform-request-id": "0".repeat(20) };
      const fixed = { request: exchange.request, response: { ...exchange.response, headers } };
      files.set(`${name}/${entry.name}`, `${JSON.stringify(fixed, null, 2)}\n`);
    }
    return { files, result };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const scene of RECORDED_SCENES) {
  Deno.test(`the recording of ${scene.name} is what the emulator says, and replays to the same result`, async () => {
    const { files, result } = await record(scene);
    if (Deno.env.get("UPDATE_RECORDINGS") !== undefined) {
      await Deno.mkdir(new URL(`${scene.name}/`, FOLDER), { recursive: true });
      for (const [name, text] of files) await Deno.writeTextFile(new URL(name, FOLDER), text);
    }
    const names = fixtureNames(`recorded/${scene.name}`);
    ok(names.length > 0);
    deepEqual(
      names.map((name) => `${name}.json`),
      [...files.keys()].map((name) => `recorded/${name}`).sort(),
    );
    for (const [name, text] of files) {
      deepEqual(readFixture(`recorded/${name.replace(/\.json$/, "")}`), JSON.parse(text), name);
    }
    deepEqual(await replay(names, (us) => scene.run(us, () => {})), result);
  });
}
