import { fileSystem } from "../../base/runtime/file_system.ts";
import { ConfigurationError } from "../../errors.ts";
import type { UploadRow, UploadRows } from "./upload_description.ts";
import { readUpload, uploadText } from "./upload_file.ts";

export const REGISTER_ASSET = "creative-assets:registerAsset";

const SUB_TYPES = [
  "AUTHOR_IMAGE",
  "BACKGROUND_VIDEO",
  "LIFESTYLE_IMAGE",
  "LOGO",
  "OTHER_IMAGE",
  "PRODUCT_IMAGE",
];
const PROGRAMS = [
  "A_PLUS",
  "FIRE_TV",
  "INTEGRATED_VIDEO_EXPERIENCE",
  "PLATFORM_DSP",
  "POSTS",
  "PRODUCT_DESCRIPTION_PAGE",
  "SB",
  "SPONSORED_BRANDS_VIDEO",
  "SPONSORED_DISPLAY_VIDEO",
  "SPONSORED_TV",
  "STORES",
];

/** An image or video of an upload. */
export interface AssetRow {
  /** Row of the manifest, as a spreadsheet counts; in a folder, the number of the file by name. */
  readonly row: number;
  readonly file: string;
  /** Fields of the registration. */
  readonly body: Readonly<Record<string, unknown>>;
}

function listIn(value: string | undefined): string[] | undefined {
  return value?.split(/[\s,;]+/).filter((word) => word !== "");
}

function someOf(words: readonly string[], most: number): (value: string) => string | undefined {
  return (value) => {
    const list = listIn(value) ?? [];
    return list.length <= most && list.every((word) => words.includes(word))
      ? undefined
      : `at most ${most} of ${words.join(", ")}`;
  };
}

const MANIFEST: UploadRows = {
  noun: "file",
  columns: {
    file: { required: true, unique: true },
    name: {
      unique: true,
      expected: (value) => value.length > 255 ? "a name of at most 255 letters" : undefined,
    },
    brand_entity_id: {},
    sub_types: { expected: someOf(SUB_TYPES, 10) },
    asins: {
      expected: (value) => {
        const list = listIn(value) ?? [];
        return list.length <= 100 && list.every((asin) => /^[A-Z0-9]{10}$/.test(asin))
          ? undefined
          : "at most 100 ASINs of 10 letters and digits";
      },
    },
    tags: {},
    programs: { expected: someOf(PROGRAMS, 100) },
  },
  item: ({ file, name, brand_entity_id: brandEntityId, ...row }: UploadRow) => {
    const lists = {
      assetSubTypeList: listIn(row["sub_types"]),
      asinList: listIn(row["asins"]),
      tags: row["tags"]?.split(/[,;]/).map((tag) => tag.trim()).filter((tag) => tag !== ""),
    };
    const programs = listIn(row["programs"])?.map((programName) => ({ programName }));
    return {
      file,
      body: {
        ...(name === undefined ? {} : { name }),
        ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)),
        ...(brandEntityId === undefined ? {} : { associatedSubEntityList: [{ brandEntityId }] }),
        ...(programs === undefined ? {} : { registrationContext: { associatedPrograms: programs } }),
      },
    };
  },
};

/**
 * Reads the images and videos to upload: the rows of a CSV file, or all files of a folder.
 *
 * @throws {ConfigurationError} with all problems of the manifest.
 */
export async function readAssets(path: string): Promise<AssetRow[]> {
  const files = fileSystem();
  if (await files.isDirectory(path)) {
    const names = (await files.list(path)).filter((name) => !name.startsWith(".")).sort();
    if (names.length === 0) throw new ConfigurationError(`Cannot upload ${path}: the folder has no file`);
    return names.map((name, at) => ({ row: at + 1, file: files.join(path, name), body: { name } }));
  }
  const { text } = await uploadText(path);
  const items = readUpload(MANIFEST, { text, path }, { hash: false, now: undefined });
  return items.map((item, at) => {
    const file = String(item["file"]);
    const isAbsolute = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(file);
    const body = item["body"] as AssetRow["body"];
    return {
      row: at + 2,
      file: isAbsolute ? file : files.join(files.dirname(path), file),
      body: { name: files.basename(file), ...body },
    };
  });
}
