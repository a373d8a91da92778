/**
 * The container of binary glTF (.glb): a JSON chunk that describes the scene and a binary one that holds its
 * arrays. Written here since the libraries for it load modules of Node, which bundlers for pages refuse.
 */
import { InputError } from '../core/errors.ts';
import { concatBytes, toBytes } from './bytes.ts';

/** glTF's numbers for element types and for what a view of the buffer is bound to. */
const COMPONENT_FLOAT = 5126;
const COMPONENT_UINT = 5125;
const TARGET_VERTICES = 34962;
const TARGET_INDICES = 34963;
/** Bytes of a file: its length is a 32-bit number. */
const LONGEST = 2 ** 32 - 1;
const MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BINARY = 0x004e4942;

const COMPONENTS = { SCALAR: 1, VEC3: 3, VEC4: 4 } as const;
export type AccessorType = keyof typeof COMPONENTS;

/** An index into one of the lists of the JSON chunk. */
export type Id = number;

/** The JSON of one entry: a node, a mesh, ... by the names of the glTF 2.0 specification. */
export type Entry = Record<string, unknown>;
type ListName = 'nodes' | 'meshes' | 'materials' | 'animations';

export class GlbFile {
  private readonly lists: Record<ListName, Entry[]> = {
    nodes: [],
    meshes: [],
    materials: [],
    animations: [],
  };
  private readonly accessors: Entry[] = [];
  private readonly bufferViews: Entry[] = [];
  private readonly parts: Uint8Array[] = [];
  private length = 0;

  add(list: ListName, entry: Entry): Id {
    return this.lists[list].push(entry) - 1;
  }

  /** Numbers of vertices, with the bounds that glTF asks for with positions. */
  addVertices(type: AccessorType, values: Float32Array, withBounds = false): Id {
    return this.addAccessor(type, values, TARGET_VERTICES, withBounds);
  }

  addIndices(values: Uint32Array): Id {
    return this.addAccessor('SCALAR', values, TARGET_INDICES, false);
  }

  /** Times or values of an animation; times need their bounds. */
  addKeys(type: AccessorType, values: Float32Array, withBounds = false): Id {
    return this.addAccessor(type, values, undefined, withBounds);
  }

  private addAccessor(
    type: AccessorType,
    values: Float32Array | Uint32Array,
    target: number | undefined,
    withBounds: boolean,
  ): Id {
    const bytes = toBytes(values);
    const bufferView =
      this.bufferViews.push({
        buffer: 0,
        byteOffset: this.length,
        byteLength: bytes.length,
        ...(target !== undefined && { target }),
      }) - 1;
    this.parts.push(bytes);
    this.length += bytes.length;
    const size = COMPONENTS[type];
    return (
      this.accessors.push({
        bufferView,
        componentType: values instanceof Float32Array ? COMPONENT_FLOAT : COMPONENT_UINT,
        count: values.length / size,
        type,
        ...(withBounds && measureBounds(values, size)),
      }) - 1
    );
  }

  /** The file with one scene of the given root nodes. */
  write(scene: Entry & { readonly nodes: readonly Id[] }): Uint8Array<ArrayBuffer> {
    const lists = Object.entries({ ...this.lists, accessors: this.accessors, bufferViews: this.bufferViews });
    const json = {
      asset: { generator: 'meniscus', version: '2.0' },
      scene: 0,
      scenes: [scene],
      // glTF forbids lists without entries.
      ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
      ...(this.length > 0 && { buffers: [{ byteLength: this.length }] }),
    };
    const chunks = [buildChunk(CHUNK_JSON, [new TextEncoder().encode(JSON.stringify(json))], 0x20)];
    if (this.length > 0) chunks.push(buildChunk(CHUNK_BINARY, this.parts, 0));
    const parts = chunks.flat();
    const total = parts.reduce((sum, part) => sum + part.length, 12);
    if (total > LONGEST) {
      throw new InputError(
        'glb',
        `${(total / 2 ** 30).toFixed(1)} GiB, and the format ends at 4`,
        'write fewer frames at a time',
      );
    }
    return concatBytes([toBytes(Uint32Array.of(MAGIC, 2, total)), ...parts]);
  }
}

/** A chunk with its length and kind in front, filled up to a multiple of four bytes. */
function buildChunk(kind: number, parts: readonly Uint8Array[], filler: number): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const padding = new Uint8Array((4 - (length % 4)) % 4).fill(filler);
  return [toBytes(Uint32Array.of(length + padding.length, kind)), ...parts, padding];
}

function measureBounds(values: Float32Array | Uint32Array, size: number): { min: number[]; max: number[] } {
  const min = new Array<number>(size).fill(Infinity);
  const max = new Array<number>(size).fill(-Infinity);
  for (let i = 0; i < values.length; i++) {
    min[i % size] = Math.min(min[i % size], values[i]);
    max[i % size] = Math.max(max[i % size], values[i]);
  }
  return { min, max };
}
