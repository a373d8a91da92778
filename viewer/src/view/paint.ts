/**
 * The painted mesh: unindexed triangles with a value each corner, coloured through a map, with edges drawn in
 * the shader. Used for the surface (matte, wireframe, coloured) and for the tetrahedra of a cut.
 */
import {
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  Color,
  DataTexture,
  DoubleSide,
  LinearFilter,
  Mesh,
  ShaderMaterial,
  SRGBColorSpace,
  Vector2,
  Vector3,
} from 'three';
import type { FieldData, SurfaceData } from '../data/types.ts';
import type { Backdrop } from './backdrop.ts';
import type { ColorMap } from './colormap.ts';
import { PAINT_FRAGMENT, PAINT_VERTEX } from './shaders.ts';

export interface PaintLook {
  edges: boolean;
  flat: boolean;
  /** 0 leaves only the edges. */
  fillAlpha: number;
}

/** Corner arrays of unindexed triangles. */
export interface CornerMesh {
  readonly position: Float32Array;
  readonly normal: Float32Array;
  readonly value: Float32Array;
}

export class PaintedMesh {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly texture: DataTexture;

  constructor(backdrop: Backdrop) {
    this.texture = new DataTexture(new Uint8Array(4 * 256), 256, 1);
    this.texture.colorSpace = SRGBColorSpace;
    this.texture.minFilter = this.texture.magFilter = LinearFilter;
    this.texture.wrapS = ClampToEdgeWrapping;
    const material = new ShaderMaterial({
      vertexShader: PAINT_VERTEX,
      fragmentShader: PAINT_FRAGMENT,
      side: DoubleSide,
      uniforms: {
        colorMap: { value: this.texture },
        useMap: { value: false },
        flatShading: { value: false },
        range: { value: new Vector2(0, 1) },
        baseColor: { value: new Color() },
        edgeColor: { value: new Color() },
        edgeWidth: { value: 0.7 },
        edgeStrength: { value: 0 },
        fillAlpha: { value: 1 },
        sunView: { value: new Vector3() },
        upView: { value: new Vector3() },
      },
    });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.castShadow = true;
    this.mesh.onBeforeRender = (_renderer, _scene, camera) => {
      const u = material.uniforms;
      u['sunView'].value.copy(backdrop.sunDirection).transformDirection(camera.matrixWorldInverse);
      u['upView'].value.set(0, 0, 1).transformDirection(camera.matrixWorldInverse);
    };
    backdrop.scene.add(this.mesh);
  }

  setCorners(corners: CornerMesh): void {
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(corners.position, 3));
    geometry.setAttribute('normal', new BufferAttribute(corners.normal, 3));
    geometry.setAttribute('value', new BufferAttribute(corners.value, 1));
    this.mesh.geometry = geometry;
  }

  setValues(value: Float32Array): void {
    this.mesh.geometry.setAttribute('value', new BufferAttribute(value, 1));
  }

  /** Null paints in the plain base colour. */
  setColors(map: ColorMap | null, min: number, max: number): void {
    const u = this.mesh.material.uniforms;
    u['useMap'].value = map !== null;
    u['range'].value.set(min, max);
    if (map) {
      this.texture.image.data = map.bytes;
      this.texture.needsUpdate = true;
    }
  }

  setLook(look: PaintLook, base: Color, edge: Color): void {
    const material = this.mesh.material;
    const u = material.uniforms;
    u['baseColor'].value.copy(base);
    u['edgeColor'].value.copy(edge);
    u['edgeStrength'].value = look.edges ? 0.75 : 0;
    u['flatShading'].value = look.flat;
    u['fillAlpha'].value = look.fillAlpha;
    material.transparent = look.fillAlpha < 1;
    material.depthWrite = look.fillAlpha > 0.5;
  }
}

export type Component = 'magnitude' | 'x' | 'y' | 'z';

/** A field as one number per vertex or cell. */
export function computeScalar(field: FieldData, component: Component): Float32Array {
  if (field.components === 1) return field.values;
  const count = field.values.length / 3;
  const out = new Float32Array(count);
  const values = field.values;
  if (component === 'magnitude') {
    for (let i = 0; i < count; i++) out[i] = Math.hypot(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  } else {
    const offset = component === 'x' ? 0 : component === 'y' ? 1 : 2;
    for (let i = 0; i < count; i++) out[i] = values[3 * i + offset];
  }
  return out;
}

/** Smallest and largest finite value; [0, 1] when there is none. */
export function measureRange(values: Float32Array): [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < min) min = value;
    if (value > max && value !== Number.POSITIVE_INFINITY) max = value;
  }
  return min <= max ? [min, max] : [0, 1];
}

/** Unindexed corners of a surface; scalar on vertices or on triangles, or null. */
export function buildSurfaceCorners(
  surface: SurfaceData,
  scalar: Float32Array | null,
  on: 'vertex' | 'cell',
): CornerMesh {
  const { triangle, position, normal } = surface;
  const corners = triangle.length;
  const outPosition = new Float32Array(3 * corners);
  const outNormal = new Float32Array(3 * corners);
  for (let c = 0; c < corners; c++) {
    const v = 3 * triangle[c];
    for (let k = 0; k < 3; k++) {
      outPosition[3 * c + k] = position[v + k];
      outNormal[3 * c + k] = normal[v + k];
    }
  }
  return { position: outPosition, normal: outNormal, value: buildCornerValues(triangle, scalar, on) };
}

export function buildCornerValues(
  triangle: Uint32Array,
  scalar: Float32Array | null,
  on: 'vertex' | 'cell',
): Float32Array {
  const value = new Float32Array(triangle.length);
  if (!scalar) return value;
  for (let c = 0; c < triangle.length; c++) value[c] = scalar[on === 'vertex' ? triangle[c] : (c / 3) | 0];
  return value;
}
