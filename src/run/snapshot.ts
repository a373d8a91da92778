import { InputError } from '../core/errors.ts';
import type { StateRecord } from '../methods/method.ts';
import type { SavedBooks } from './books.ts';

/**
 * A snapshot is what continues a run: counters and the method's state. As bytes (little endian):
 *   "MENISCK1", uint32 CRC-32 of all that follows, uint32 header length, header (JSON), padding to 8, arrays.
 * The state's plain numbers are stored as an array of doubles: JSON would lose NaN and the sign of zero.
 */
export interface Snapshot {
  readonly method: string;
  /** Last finished frame. */
  readonly frame: number;
  /** Steps taken so far. */
  readonly step: number;
  /** s */
  readonly time: number;
  readonly record: StateRecord;
  /** The run's books so far (books.ts); checkpoints of earlier versions have none. */
  readonly books?: SavedBooks;
}

const MAGIC = 'MENISCK1';
const CHECKED_FROM = 12;
const PREFIX_BYTES = 16;
const arrayTypes = { Float64Array, Float32Array, Int32Array, Uint8Array } as const;
type ArrayType = keyof typeof arrayTypes;

interface Header {
  method: string;
  frame: number;
  step: number;
  numbers: string[];
  books?: string[];
  arrays: { name: string; type: ArrayType; length: number; offset: number }[];
}

export function encodeSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  const { record, books } = snapshot;
  const numbers = Object.keys(record.numbers);
  const values = Float64Array.from([
    snapshot.time,
    ...Object.values(record.numbers),
    ...Object.values(books ?? {}),
  ]);
  const named: [string, StateRecord['arrays'][string]][] = [['', values], ...Object.entries(record.arrays)];
  let offset = 0;
  const arrays = named.map(([name, array]) => {
    const entry = { name, type: array.constructor.name as ArrayType, length: array.length, offset };
    offset = roundUp(offset + array.byteLength);
    return entry;
  });
  const header: Header = {
    method: snapshot.method,
    frame: snapshot.frame,
    step: snapshot.step,
    numbers,
    ...(books && { books: Object.keys(books) }),
    arrays,
  };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const start = roundUp(PREFIX_BYTES + headerBytes.length);
  const bytes = new Uint8Array(start + offset);
  new TextEncoder().encodeInto(MAGIC, bytes);
  bytes.set(headerBytes, PREFIX_BYTES);
  named.forEach(([, array], i) => {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + arrays[i].offset);
  });
  const view = new DataView(bytes.buffer);
  view.setUint32(12, headerBytes.length, true);
  view.setUint32(8, computeCrc32(bytes.subarray(CHECKED_FROM)), true);
  return bytes;
}

/** Reads a snapshot back; throws InputError naming the defect when the bytes are damaged. */
export function decodeSnapshot(bytes: Uint8Array, where: string): Snapshot {
  const remedy = 'resume from another checkpoint';
  if (bytes.length < PREFIX_BYTES || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) {
    throw new InputError(where, `not a checkpoint (${bytes.length} bytes)`, remedy);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = view.getUint32(12, true);
  const expected = view.getUint32(8, true);
  const found = computeCrc32(bytes.subarray(CHECKED_FROM));
  if (found !== expected) {
    const what = `the checkpoint is damaged: checksum ${hex(found)}, expected ${hex(expected)}`;
    throw new InputError(where, what, remedy);
  }
  const header = JSON.parse(
    new TextDecoder().decode(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headerLength)),
  ) as Header;
  const start = roundUp(PREFIX_BYTES + headerLength);
  const arrays: Record<string, StateRecord['arrays'][string]> = {};
  for (const { name, type, length, offset } of header.arrays) {
    const from = start + offset;
    const Type = arrayTypes[type];
    // Copied by hand: slice() of a Node Buffer is no copy, and the bytes may lie at any offset of their buffer.
    const array = new Type(length);
    new Uint8Array(array.buffer).set(bytes.subarray(from, from + array.byteLength));
    arrays[name] = array;
  }
  const values = arrays[''];
  delete arrays[''];
  const numbers = Object.fromEntries(header.numbers.map((name, i) => [name, values[i + 1]]));
  const { method, frame, step } = header;
  const first = 1 + header.numbers.length;
  const books = header.books && Object.fromEntries(header.books.map((name, i) => [name, values[first + i]]));
  return { method, frame, step, time: values[0], record: { numbers, arrays }, ...(books && { books }) };
}

/** A copy that later steps cannot change. */
export function cloneRecord(record: StateRecord): StateRecord {
  const arrays: Record<string, StateRecord['arrays'][string]> = {};
  for (const [name, array] of Object.entries(record.arrays)) {
    // slice() of a view on shared memory would be shared again: copy into memory of its own.
    const Type = arrayTypes[array.constructor.name as ArrayType];
    const copy = new Type(array.length);
    copy.set(array);
    arrays[name] = copy;
  }
  return { numbers: { ...record.numbers }, arrays };
}

const roundUp = (bytes: number) => (bytes + 7) & ~7;
const hex = (n: number) => n.toString(16).padStart(8, '0');

/** CRC-32 (IEEE 802.3), four bytes per turn: about 1 GB/s. */
export function computeCrc32(bytes: Uint8Array): number {
  const [t0, t1, t2, t3] = getCrcTables();
  let crc = ~0;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc = t3[crc & 255] ^ t2[(crc >>> 8) & 255] ^ t1[(crc >>> 16) & 255] ^ t0[crc >>> 24];
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

let crcTables: Int32Array[] | undefined;

function getCrcTables(): Int32Array[] {
  crcTables ??= buildCrcTables();
  return crcTables;
}

function buildCrcTables(): Int32Array[] {
  const tables = [0, 1, 2, 3].map(() => new Int32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    tables[0][n] = c;
  }
  for (let k = 1; k < 4; k++) {
    for (let n = 0; n < 256; n++) {
      const c = tables[k - 1][n];
      tables[k][n] = tables[0][c & 255] ^ (c >>> 8);
    }
  }
  return tables;
}
