import { equal } from "../support/assert.ts";
import { DEFAULT_QUIRKS } from "../../src/emulator/mod.ts";
import { FileStore } from "../../src/emulator/state/file_store.ts";

Deno.test("a file whose account changed while its rows were read is not shared", async () => {
  const account = {};
  let isChanged = false;
  const text = async (value: number, changes: boolean): Promise<string> => {
    isChanged = false;
    const { bytes } = await new FileStore({ key: "key", url: "", quirks: DEFAULT_QUIRKS }).file("1", {
      format: "CSV",
      basis: () => isChanged ? undefined : { account, terms: "August" },
      *rows() {
        isChanged = changes;
        yield JSON.stringify({ clicks: value });
      },
    });
    return new TextDecoder().decode(bytes);
  };
  equal(await text(1, true), "clicks\r\n1\r\n");
  equal(await text(2, false), "clicks\r\n2\r\n");
  equal(await text(3, false), "clicks\r\n2\r\n");
});
