import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import type { JsonObject } from "../../core/json.ts";
import type { ProfileState } from "../../state/profile_state.ts";

const UPLOADS = "asset_uploads";

/** Media types in which a file with this ending can be put. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  jpg: ["image/jpeg", "image/jpg"],
  png: ["image/png"],
  mp4: ["video/mp4"],
  mov: ["video/quicktime"],
  wmv: ["video/x-ms-wmv"],
  avi: ["video/x-msvideo", "video/avi"],
};

export interface UploadedFile {
  readonly id: string;
  readonly ending: string;
  readonly size: number;
  readonly sha256: string;
  /** False if the bytes are of another format than the ending says. */
  readonly fits: boolean;
  readonly width?: number;
  readonly height?: number;
}

export function uploadedFile(profile: ProfileState, id: string): UploadedFile | undefined {
  return profile.collection(UPLOADS).get(id) as unknown as UploadedFile | undefined;
}

/**
 * Keeps what the library needs to know of a file, but not its bytes.
 *
 * @returns why the file is refused.
 */
export function putFile(
  profile: ProfileState,
  { id, ending, mediaType, bytes }: { id: string; ending: string; mediaType: string; bytes: Uint8Array },
): string | undefined {
  if (!TYPES[ending]?.includes(mediaType)) return `The content type ${mediaType} was not signed`;
  const { format, ...size } = formatOf(Buffer.from(bytes));
  const file: UploadedFile = {
    id,
    ending,
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    fits: format === ending,
    ...size,
  };
  const uploads = profile.collection(UPLOADS);
  const entity = file as unknown as JsonObject;
  if (uploads.get(id) === undefined) uploads.insert(entity);
  else uploads.replace(entity);
  return undefined;
}

function formatOf(bytes: Buffer): { format: string; width?: number; height?: number } {
  if (bytes.toString("latin1", 0, 4) === "\x89PNG" && bytes.length > 24) {
    return { format: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8) return { format: "jpg", ...jpegSize(bytes) };
  if (bytes.toString("latin1", 4, 8) === "ftyp") {
    return { format: bytes.toString("latin1", 8, 10) === "qt" ? "mov" : "mp4" };
  }
  if (bytes.toString("latin1", 0, 4) === "RIFF") return { format: "avi" };
  return { format: bytes.toString("hex", 0, 4) === "3026b275" ? "wmv" : "" };
}

function jpegSize(bytes: Buffer): { width?: number; height?: number } {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    if (marker < 0xc0 || marker > 0xcf || [0xc4, 0xc8, 0xcc].includes(marker)) continue;
    return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return {};
}
