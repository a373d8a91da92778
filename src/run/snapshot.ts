import { z } from 'zod';
import { InputError } from '../core/errors.ts';
import type { StateRecord } from '../methods/method.ts';
import type { SavedBooks } from './books.ts';
import { computeCrc32 } from './crc32.ts';
import type { Fingerprint } from './fingerprint.ts';

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
  /** The scene it belongs to; checkpoints of earlier versions have none. */
  readonly scene?: Fingerprint;
}

const MAGIC = 'MENISCK1';
const CHECKED_FROM = 12;
const PREFIX_BYTES = 16;
const arrayTypes = { Float64Array, Float32Array, Int32Array, Uint8Array } as const;
type ArrayType = keyof typeof arrayTypes;

const count = z.int().nonnegative();
const headerSchema = z.object({
  method: z.string(),
  /** -1 before frame 0 */
  frame: z.int().min(-1),
  step: count,
  numbers: z.array(z.string()),
  books: z.array(z.string()).optional(),
  scene: z.record(z.string(), z.string()).optional(),
  arrays: z
    .array(
      z.object({
        name: z.string(),
        type: z.enum(Object.keys(arrayTypes) as [ArrayType, ...ArrayType[]]),
        length: count,
        offset: count,
      }),
    )
    .min(1),
});
type Header = z.infer<typeof headerSchema>;

export function encodeSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  const { record, books, scene } = snapshot;
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
    ...(scene && { scene }),
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
  const header = parseHeader(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headerLength), where);
  const start = roundUp(PREFIX_BYTES + headerLength);
  const arrays: Record<string, StateRecord['arrays'][string]> = {};
  for (const { name, type, length, offset } of header.arrays) {
    const from = start + offset;
    const Type = arrayTypes[type];
    if (from + length * Type.BYTES_PER_ELEMENT > bytes.length) {
      const what = `the checkpoint is damaged: ${length} numbers of "${name}" reach beyond its ${bytes.length} bytes`;
      throw new InputError(where, what, remedy);
    }
    // Copied by hand: slice() of a Node Buffer is no copy, and the bytes may lie at any offset of their
    // buffer.
    const array = new Type(length);
    new Uint8Array(array.buffer).set(bytes.subarray(from, from + array.byteLength));
    arrays[name] = array;
  }
  const values = arrays[''];
  delete arrays[''];
  const expectedValues = 1 + header.numbers.length + (header.books?.length ?? 0);
  if (values?.length !== expectedValues) {
    const what = `the checkpoint is damaged: ${values?.length ?? 'no'} plain numbers, expected ${expectedValues}`;
    throw new InputError(where, what, remedy);
  }
  const numbers = Object.fromEntries(header.numbers.map((name, i) => [name, values[i + 1]]));
  const { method, frame, step, scene } = header;
  const first = 1 + header.numbers.length;
  const books = header.books && Object.fromEntries(header.books.map((name, i) => [name, values[first + i]]));
  return {
    method,
    frame,
    step,
    time: values[0],
    record: { numbers, arrays },
    ...(books && { books }),
    ...(scene && { scene }),
  };
}

/** A checksum tells of accidents; the header may still say anything. */
function parseHeader(bytes: Uint8Array, where: string): Header {
  let reason: string;
  try {
    const parsed = headerSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (parsed.success) return parsed.data;
    const [{ path, message }] = parsed.error.issues;
    reason = `${path.join('.') || 'all of it'}: ${message}`;
  } catch (error) {
    reason = String(error).replaceAll(/\s+/g, ' ');
  }
  throw new InputError(
    where,
    `the checkpoint is damaged: its header cannot be read (${reason})`,
    'resume from another checkpoint',
  );
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

const roundUp = (bytes: number) => 8 * Math.ceil(bytes / 8);
const hex = (n: number) => n.toString(16).padStart(8, '0');
