/** What the pointer is on: the nearest vertex of the hit triangle, with its numbers. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  Raycaster,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { FieldData, FrameData } from '../data/types.ts';
import type { Backdrop } from './backdrop.ts';
import type { CutMesh } from './cut.ts';

export interface Pick {
  readonly on: 'surface' | 'tetrahedra';
  readonly vertex: number;
  /** Triangle of the surface, or tet of the cut. */
  readonly cell: number;
  readonly position: readonly [number, number, number];
  readonly fields: readonly {
    readonly name: string;
    readonly unit: string;
    readonly on: string;
    readonly value: number[];
  }[];
}

export interface Hit {
  readonly faceIndex: number;
  readonly point: Vector3;
  readonly distance: number;
}

export type IsDrawn = (face: number, point: Vector3) => boolean;

export class Picker {
  private readonly marker: Mesh;
  /** Hierarchies are built when first asked for, and belong to the arrays they were built from. */
  private readonly cache = new WeakMap<Float32Array, MeshBVH>();

  constructor(private readonly backdrop: Backdrop) {
    this.marker = new Mesh(
      new SphereGeometry(1, 24, 12),
      new MeshBasicMaterial({ color: 0xff7a3d, depthTest: false, transparent: true, opacity: 0.95 }),
    );
    this.marker.visible = false;
    backdrop.overlay.add(this.marker);
  }

  clear(): void {
    this.marker.visible = false;
    this.backdrop.requestRender();
  }

  /**
   * The nearest drawn face under the pointer, or null; x, y in -1..1 as WebGL counts them. `isDrawn` says of
   * a face and a point on it whether they are seen.
   */
  findHit(
    x: number,
    y: number,
    position: Float32Array,
    triangle: Uint32Array | null,
    isDrawn: IsDrawn = () => true,
  ): Hit | null {
    const raycaster = new Raycaster();
    this.backdrop.camera.updateMatrixWorld();
    raycaster.setFromCamera(new Vector2(x, y), this.backdrop.camera);
    const hits = this.hierarchy(position, triangle)?.raycast(raycaster.ray, DoubleSide) ?? [];
    let nearest: Hit | null = null;
    for (const { faceIndex, point, distance } of hits) {
      if (typeof faceIndex !== 'number' || (nearest && nearest.distance <= distance)) continue;
      if (isDrawn(faceIndex, point)) nearest = { faceIndex, point, distance };
    }
    return nearest;
  }

  pick(x: number, y: number, frame: FrameData, cut: CutMesh | null, isDrawn?: IsDrawn): Pick | null {
    const position = cut ? cut.position : frame.surface.position;
    const hit = this.findHit(x, y, position, cut ? null : frame.surface.triangle, isDrawn);
    if (!hit) return null;
    const corner = nearestCorner(hit.point, position, cut ? null : frame.surface.triangle, hit.faceIndex);
    const mesh = cut ? frame.volume : frame.surface;
    if (!mesh) return null;
    const vertex = cut ? cut.cornerToVertex[corner] : frame.surface.triangle[corner];
    const cell = cut ? cut.faceToTet[hit.faceIndex] : hit.faceIndex;
    const at = [
      mesh.position[3 * vertex],
      mesh.position[3 * vertex + 1],
      mesh.position[3 * vertex + 2],
    ] as const;
    this.marker.position.set(...at);
    this.marker.scale.setScalar(this.backdrop.camera.position.distanceTo(this.marker.position) * 0.006);
    this.marker.visible = true;
    this.backdrop.requestRender();
    return {
      on: cut ? 'tetrahedra' : 'surface',
      vertex: cut ? vertex : (frame.surface.regions?.vertexOf[vertex] ?? vertex),
      cell,
      position: at,
      fields: mesh.fields.map((field) => ({
        name: field.name,
        unit: field.unit,
        on: field.on,
        value: readValue(field, field.on === 'vertex' ? vertex : cell),
      })),
    };
  }

  private hierarchy(position: Float32Array, triangle: Uint32Array | null): MeshBVH | null {
    const known = this.cache.get(position);
    if (known) return known;
    if (position.length === 0) return null;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    // The hierarchy reorders the index it is given, so it gets its own; indirect keeps face numbers ours.
    if (triangle) geometry.setIndex(new BufferAttribute(triangle.slice(), 1));
    const bvh = new MeshBVH(geometry, { indirect: true });
    this.cache.set(position, bvh);
    return bvh;
  }
}

function nearestCorner(
  point: Vector3,
  position: Float32Array,
  triangle: Uint32Array | null,
  face: number,
): number {
  let best = 3 * face;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let corner = 3 * face; corner < 3 * face + 3; corner++) {
    const v = triangle ? triangle[corner] : corner;
    const d = point.distanceToSquared(new Vector3(position[3 * v], position[3 * v + 1], position[3 * v + 2]));
    if (d < bestDistance) {
      bestDistance = d;
      best = corner;
    }
  }
  return best;
}

function readValue(field: FieldData, index: number): number[] {
  return [...field.values.subarray(index * field.components, (index + 1) * field.components)];
}
