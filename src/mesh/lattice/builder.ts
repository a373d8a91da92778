/** Collects the vertices and tetrahedra of a mesh in emission order. */
import type { HeapScope } from '../../core/heap.ts';
import { finishF64, finishI32, finishU8, withRoom } from './buffers.ts';

export class MeshBuilder {
  vertexCount = 0;
  tetCount = 0;
  private position: Float64Array<ArrayBuffer>;
  private onSurface: Uint8Array<ArrayBuffer>;
  private tet: Int32Array<ArrayBuffer>;
  private kind: Uint8Array<ArrayBuffer>;

  constructor(expectedTets: number) {
    this.tet = new Int32Array(4 * expectedTets);
    this.kind = new Uint8Array(expectedTets);
    const vertices = Math.ceil(expectedTets / 4);
    this.position = new Float64Array(3 * vertices);
    this.onSurface = new Uint8Array(vertices);
  }

  addVertex(x: number, y: number, z: number, onSurface: number): number {
    const v = this.vertexCount++;
    if (v >= this.onSurface.length) {
      this.onSurface = withRoom(this.onSurface, 2 * v + 64);
      this.position = withRoom(this.position, 3 * this.onSurface.length);
    }
    this.position[3 * v] = x;
    this.position[3 * v + 1] = y;
    this.position[3 * v + 2] = z;
    this.onSurface[v] = onSurface;
    return v;
  }

  addTet(a: number, b: number, c: number, d: number, shape: number, level: number): void {
    const t = this.tetCount++;
    if (t >= this.kind.length) {
      this.kind = withRoom(this.kind, 2 * t + 64);
      this.tet = withRoom(this.tet, 4 * this.kind.length);
    }
    this.tet[4 * t] = a;
    this.tet[4 * t + 1] = b;
    this.tet[4 * t + 2] = c;
    this.tet[4 * t + 3] = d;
    this.kind[t] = shape + 8 * level;
  }

  /** The arrays as they are, for a second pass over the mesh; kind is shape + 8 level. */
  view() {
    const { position, tet, kind, onSurface } = this;
    return { position, tet, kind, onVessel: onSurface };
  }

  finish(scope?: HeapScope) {
    const n = this.tetCount;
    const tetShape = scope ? scope.u8(n) : new Uint8Array(n);
    const tetLevel = scope ? scope.u8(n) : new Uint8Array(n);
    for (let t = 0; t < n; t++) {
      tetShape[t] = this.kind[t] & 7;
      tetLevel[t] = this.kind[t] >> 3;
    }
    return {
      vertexCount: this.vertexCount,
      tetCount: n,
      position: finishF64(this.position, 3 * this.vertexCount, scope),
      tet: finishI32(this.tet, 4 * n, scope),
      vertexOnSurface: finishU8(this.onSurface, this.vertexCount, scope),
      tetShape,
      tetLevel,
    };
  }
}

/** Guards the packing of shape and level in one byte. */
export const MAX_LEVEL = 31;
