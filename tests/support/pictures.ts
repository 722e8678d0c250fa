import { crc32, deflateSync } from "node:zlib";

/** A PNG image of one color, of any size in pixels; `shade` makes its bytes differ. */
export function pngOf(width: number, height: number, shade = 0): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  const line = new Uint8Array(1 + width).fill(shade, 1);
  const pixels = new Uint8Array(line.length * height);
  for (let row = 0; row < height; row++) pixels.set(line, row * line.length);
  return joined([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** The frame of a JPEG image after a segment of the application; its pixels are left out. */
export function jpegOf(width: number, height: number): Uint8Array {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Uint8Array.of(
    ...[0xff, 0xd8, 0xff, 0xe1, 0, 4, 0xff, 0xc0],
    ...[0xff, 0xc0, 0, 11, 8, ...size, 1, 1, 0x11, 0],
    ...[0xff, 0xda, 0, 2, 7, 7, 0xff, 0xd9],
  );
}

/** The boxes of an MP4 or MOV video, without tracks. */
export function videoOf(brand = "isom"): Uint8Array {
  return joined([
    box("ftyp", text(`${brand}\0\0\0\0`)),
    box("moov", new Uint8Array(8)),
    box("mdat", text("frames")),
  ]);
}

function box(name: string, content: Uint8Array): Uint8Array {
  return joined([number(content.length + 8), text(name), content]);
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const named = joined([text(name), content]);
  return joined([number(content.length), named, number(crc32(named))]);
}

function number(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
