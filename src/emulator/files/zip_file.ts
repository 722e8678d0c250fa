import { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const DEFLATED = 8;
/** 1 January 1980, the first day that an archive knows. */
const DAY = 0x21;

/** An archive of texts by their paths. */
export async function zipFile(texts: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(texts)) {
    const name = Buffer.from(path);
    const plain = Buffer.from(text);
    const packed = await promisify(deflateRaw)(plain);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(DEFLATED, 4);
    about.writeUInt16LE(DAY, 8);
    about.writeUInt32LE(crc32(plain), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(plain.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([word(LOCAL), about, name, packed]);
    parts.push(local);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([word(CENTRAL), Buffer.from([20, 0]), about, tail, name]));
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, word(END), end]);
}

function word(number: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number, 0);
  return bytes;
}
