// Checks the checksums of a packed file (docs/FORMAT.md, 2.1): nothing without them is shown.

import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";

/** The magic number of the checksums at a file's end, `plyc`, and their size in bytes. */
const MAGIC = 0x63796c70;
export const CHECKS_BYTES = 12;

/** The size of the checksum in a page's header, including the end after it, in bytes. */
const SEAL_BYTES = 9;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

/** The CRC-32 of Parquet, zip and gzip. */
export function crc32(bytes: Uint8Array): number {
  let check = -1;
  for (const byte of bytes) check = (check >>> 8) ^ TABLE[(check ^ byte) & 255];
  return ~check >>> 0;
}

/** CRC-16/GENIBUS. */
function crc16(bytes: Uint8Array): number {
  let check = 0xffff;
  for (const byte of bytes) {
    check ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) check = (check << 1) ^ (check & 0x8000 ? 0x11021 : 0);
  }
  return ~check & 0xffff;
}

/**
 * Throws unless a footer, with the eight bytes after it, matches the checksums before it; returns
 * the checksum of the page index.
 */
export function checkFooter(checks: Uint8Array, footer: Uint8Array): number {
  const view = new DataView(checks.buffer, checks.byteOffset, checks.byteLength);
  if (checks.length !== CHECKS_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new Error("its footer has no checksum");
  }
  if (view.getUint32(8, true) !== crc32(footer)) throw new Error("its footer has another checksum");
  return view.getUint32(4, true);
}

/** Throws unless these are whole consecutive pages that match their checksums. */
export function checkPages(bytes: Uint8Array): void {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  while (reader.offset < bytes.length) {
    const from = reader.offset;
    const header = deserializeTCompactProtocol(reader) as unknown as PageHeader;
    const seal = header.field_32767;
    const own = bytes.subarray(from, reader.offset - SEAL_BYTES);
    const end = reader.offset + header.field_3;
    if (!(header.field_3 >= 0 && end <= bytes.length)) throw new Error("a page is cut off");
    const page = bytes.subarray(reader.offset, end);
    if (
      seal?.length !== 3 || sealed(seal) !== crc16(own)
      || header.field_4 === undefined || header.field_4 >>> 0 !== crc32(page)
    ) {
      throw new Error("a page has another checksum");
    }
    reader.offset = end;
  }
}

/** The number encoded by three letters of six bits each. */
const sealed = (letters: Uint8Array) => letters.reduce((all, letter) => all << 6 | (letter - 48), 0);

/** The fields of a page's header that are read here. */
interface PageHeader {
  /** The page's bytes as stored. */
  field_3: number;
  field_4?: number;
  field_32767?: Uint8Array;
}
