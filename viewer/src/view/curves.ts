/**
 * Curves where materials meet, their junctions, and the outline of a slice: lines as wide on screen from near
 * and from far. Those of films: film-borders.ts.
 */
import {
  BufferAttribute,
  Color,
  EqualStencilFunc,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
} from 'three';
import type { Backdrop } from './backdrop.ts';
import { CURVE_FRAGMENT, CURVE_VERTEX } from './region-shaders.ts';
import { createSliceUniforms, type SlicePlane, setSlice } from './slice.ts';

export interface CurveLook {
  readonly color: Color;
  readonly alpha: number;
  /** pixels */
  readonly width: number;
  readonly junctionWidth: number;
}

export class Curves {
  private readonly slice = createSliceUniforms();
  private readonly lines: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly section: Mesh<InstancedBufferGeometry, ShaderMaterial>;

  constructor(backdrop: Backdrop) {
    const shared = {
      ...this.slice,
      resolution: { value: new Vector2() },
      pixelRatio: { value: 1 },
      pull: { value: 0 },
      curveColor: { value: new Color() },
      curveAlpha: { value: 1 },
    };
    const create = (onSlice: boolean) => {
      const mesh = new Mesh(
        createGeometry([], []),
        new ShaderMaterial({
          vertexShader: CURVE_VERTEX,
          fragmentShader: CURVE_FRAGMENT,
          uniforms: { ...shared, onSlice: { value: onSlice } },
          transparent: true,
          depthWrite: false,
          // Lines behind a cap are hidden by it, though nothing there has its depth.
          stencilWrite: !onSlice,
          stencilFunc: EqualStencilFunc,
          stencilRef: 0,
        }),
      );
      mesh.frustumCulled = false;
      mesh.visible = false;
      mesh.renderOrder = 4;
      mesh.onBeforeRender = (renderer) => {
        // Into a target or onto the canvas: both have the canvas's size.
        renderer.getDrawingBufferSize(shared.resolution.value);
        shared.pixelRatio.value = renderer.getPixelRatio();
        shared.pull.value = 1e-4 * backdrop.size;
      };
      backdrop.scene.add(mesh);
      return mesh;
    };
    this.lines = create(false);
    this.section = create(true);
  }

  show(curves: boolean, section: boolean): void {
    this.lines.visible = curves;
    this.section.visible = section;
  }

  get segmentCount(): number {
    return this.lines.visible ? this.lines.geometry.instanceCount : 0;
  }

  setCurves(segments: Float32Array, points: Float32Array, look: CurveLook): void {
    const u = this.lines.material.uniforms;
    u['curveColor'].value.copy(look.color);
    u['curveAlpha'].value = look.alpha;
    this.lines.geometry.dispose();
    this.lines.geometry = createGeometry([segments, doublePoints(points)], [look.width, look.junctionWidth]);
  }

  setSection(segments: Float32Array, width: number): void {
    this.section.geometry.dispose();
    this.section.geometry = createGeometry([segments], [width]);
  }

  setSlice(plane: SlicePlane | null): void {
    setSlice(this.slice, plane);
  }
}

/** A point is a segment from itself to itself. */
export function doublePoints(points: Float32Array): Float32Array {
  const out = new Float32Array(2 * points.length);
  for (let i = 0; i < points.length; i += 3) {
    out.set(points.subarray(i, i + 3), 2 * i);
    out.set(points.subarray(i, i + 3), 2 * i + 3);
  }
  return out;
}

/** One quad, drawn for every segment of every list. */
function createGeometry(lists: readonly Float32Array[], widths: readonly number[]): InstancedBufferGeometry {
  const count = lists.reduce((sum, list) => sum + list.length / 6, 0);
  const first = new Float32Array(3 * count);
  const second = new Float32Array(3 * count);
  const width = new Float32Array(count);
  let at = 0;
  lists.forEach((list, n) => {
    for (let i = 0; i < list.length; i += 6, at++) {
      first.set(list.subarray(i, i + 3), 3 * at);
      second.set(list.subarray(i + 3, i + 6), 3 * at);
      width[at] = widths[n];
    }
  });
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute(
    'position',
    new BufferAttribute(new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3),
  );
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  geometry.setAttribute('first', new InstancedBufferAttribute(first, 3));
  geometry.setAttribute('second', new InstancedBufferAttribute(second, 3));
  geometry.setAttribute('width', new InstancedBufferAttribute(width, 1));
  geometry.instanceCount = count;
  return geometry;
}
