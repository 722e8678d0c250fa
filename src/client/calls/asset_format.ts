/** Format of an image or a video, as its bytes show it. */
export interface AssetFormat {
  readonly assetType: "IMAGE" | "VIDEO";
  /** Ending that the platform expects in its name. */
  readonly ending: string;
  readonly contentType: string;
  /** Pixels; absent for videos. */
  readonly width?: number;
  readonly height?: number;
}

/** Bytes at the beginning of a file that contain the size of an image, past its color profile and thumbnails. */
const HEAD = 1024 * 1024;
const TAIL = 64 * 1024;

/**
 * Reads the format of a file from its bytes, not from its name.
 *
 * @returns what is wrong with it, as a text: it is neither, or it is cut short.
 */
export async function assetFormat(file: Blob): Promise<AssetFormat | string> {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const view = new DataView(head.buffer);
  const text = (from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));
  if (file.size === 0) return "it is empty";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") {
    const end = new Uint8Array(await file.slice(-TAIL).arrayBuffer());
    if (head.length < 33 || text(12, 16) !== "IHDR" || !hasText(end, "IEND")) return CUT;
    const size = { width: view.getUint32(16), height: view.getUint32(20) };
    return { assetType: "IMAGE", ending: "png", contentType: "image/png", ...size };
  }
  if (head[0] === 0xff && head[1] === 0xd8) {
    const size = jpegSize(view);
    const end = new Uint8Array(await file.slice(-TAIL).arrayBuffer());
    const isWhole = end.some((byte, at) => byte === 0xff && end[at + 1] === 0xd9);
    if (size === undefined || !isWhole) return CUT;
    return { assetType: "IMAGE", ending: "jpg", contentType: "image/jpeg", ...size };
  }
  if (text(4, 8) === "ftyp") {
    if (PICTURE_BRAND.test(text(8, 12))) return NOT_SUPPORTED;
    if (!await hasWholeBoxes(file)) return CUT;
    return text(8, 10) === "qt"
      ? { assetType: "VIDEO", ending: "mov", contentType: "video/quicktime" }
      : { assetType: "VIDEO", ending: "mp4", contentType: "video/mp4" };
  }
  if (text(0, 4) === "RIFF" && text(8, 12) === "AVI ") {
    if (view.getUint32(4, true) + 8 > file.size) return CUT;
    return { assetType: "VIDEO", ending: "avi", contentType: "video/x-msvideo" };
  }
  if (head.length >= 16 && [...head.subarray(0, 8)].join() === ASF) {
    return { assetType: "VIDEO", ending: "wmv", contentType: "video/x-ms-wmv" };
  }
  return "it is not a JPEG or PNG image, nor an MP4, MOV, AVI or WMV video";
}

/** Brands of images in the container of MP4 videos. */
const PICTURE_BRAND = /^(?:avi[fs]|he[iv][cmsx]|m[is]f1)$/;
const NOT_SUPPORTED = "it is an AVIF or HEIC image, which is not supported: convert it to JPEG or PNG";
const CUT = "it is cut short or damaged";
/** First bytes of a WMV file. */
const ASF = "48,38,178,117,142,102,207,17";

function hasText(bytes: Uint8Array, text: string): boolean {
  const codes = [...text].map((letter) => letter.charCodeAt(0));
  return bytes.some((_, at) => codes.every((code, offset) => bytes[at + offset] === code));
}

/** Size in the first frame header; `undefined` if the segments before it are damaged. */
function jpegSize(view: DataView): { readonly width: number; readonly height: number } | undefined {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    // All frame headers but tables (C4), reserved (C8) and arithmetic conditioning (CC).
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** True if the boxes of an MP4 or MOV file end where the file ends, and one of them describes the tracks. */
async function hasWholeBoxes(file: Blob): Promise<boolean> {
  let isDescribed = false;
  let at = 0;
  while (at < file.size) {
    const view = new DataView(await file.slice(at, at + 16).arrayBuffer());
    if (view.byteLength < 8) return false;
    const name = String.fromCharCode(...new Uint8Array(view.buffer, 4, 4));
    const given = view.getUint32(0);
    if (given === 1 && view.byteLength < 16) return false;
    const size = given === 1 ? Number(view.getBigUint64(8)) : given === 0 ? file.size - at : given;
    if (size < 8) return false;
    isDescribed ||= name === "moov";
    at += size;
  }
  return isDescribed && at === file.size;
}
