/**
 * The look "Materials": every region in its own colour, opaque, with caps where a plane slices it. Labelled
 * surfaces only.
 */
import {
  AlwaysStencilFunc,
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  EqualDepth,
  Mesh,
  NearestFilter,
  ReplaceStencilOp,
  ShaderMaterial,
  SRGBColorSpace,
  Vector3,
} from 'three';
import type { RegionData, SurfaceData } from '../data/types.ts';
import type { Backdrop } from './backdrop.ts';
import { regionColor } from './palette.ts';
import { MATERIAL_FRAGMENT, MATERIAL_VERTEX } from './region-shaders.ts';
import { createSliceUniforms, facesSlice, type SlicePlane, setSlice, toClippingPlane } from './slice.ts';

/** Stencil value of pixels that show a cap: curves behind it are not drawn there. */
export const CAP_STENCIL = 1;
const TEXTURE_WIDTH = 256;

export class MaterialsMesh {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  /** The same faces again, painting nothing: marks the pixels of caps. */
  private readonly capMarker: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly slice = createSliceUniforms();
  private solid = false;

  constructor(private readonly backdrop: Backdrop) {
    const uniforms = {
      ...this.slice,
      regionColors: { value: null as DataTexture | null },
      flatShading: { value: false },
      capped: { value: false },
      sliceView: { value: new Vector3() },
      sunView: { value: new Vector3() },
      upView: { value: new Vector3() },
    };
    const shaders = { vertexShader: MATERIAL_VERTEX, fragmentShader: MATERIAL_FRAGMENT, side: DoubleSide };
    const material = new ShaderMaterial({
      ...shaders,
      uniforms: { ...uniforms, capOnly: { value: false } },
      clipShadows: true,
    });
    const marker = new ShaderMaterial({
      ...shaders,
      uniforms: { ...uniforms, capOnly: { value: true } },
      colorWrite: false,
      depthWrite: false,
      depthFunc: EqualDepth,
      stencilWrite: true,
      stencilRef: CAP_STENCIL,
      stencilFunc: AlwaysStencilFunc,
      stencilZPass: ReplaceStencilOp,
    });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.capMarker = new Mesh(this.mesh.geometry, marker);
    this.capMarker.renderOrder = 1;
    for (const mesh of [this.mesh, this.capMarker]) {
      mesh.frustumCulled = false;
      mesh.visible = false;
      backdrop.scene.add(mesh);
    }
    this.mesh.castShadow = true;
    this.mesh.onBeforeRender = (_renderer, _scene, camera) => {
      const toView = (v: Vector3) => v.transformDirection(camera.matrixWorldInverse);
      toView(uniforms.sunView.value.copy(backdrop.sunDirection));
      toView(uniforms.upView.value.set(0, 0, 1));
      const { x, y, z } = this.slice.slicePlane.value;
      toView(uniforms.sliceView.value.set(x, y, z));
      uniforms.capped.value = this.isCapped();
    };
    this.backdrop = backdrop;
  }

  show(visible: boolean): void {
    this.mesh.visible = visible;
    this.capMarker.visible = visible && this.solid;
  }

  /** Corners of the drawn faces with the regions on their two sides. */
  setSurface(surface: SurfaceData, regions: RegionData, faces: Uint32Array): void {
    const { position, normal, triangle } = surface;
    const idOf = new Map([...regions.labels].map((label, id) => [label, id]));
    const outPosition = new Float32Array(9 * faces.length);
    const outNormal = new Float32Array(9 * faces.length);
    const sides = new Float32Array(6 * faces.length);
    for (let i = 0; i < faces.length; i++) {
      const f = faces[i];
      const front = idOf.get(regions.front[f]) ?? 0;
      const back = idOf.get(regions.back[f]) ?? 0;
      for (let k = 0; k < 3; k++) {
        const v = 3 * triangle[3 * f + k];
        const at = 9 * i + 3 * k;
        for (let d = 0; d < 3; d++) {
          outPosition[at + d] = position[v + d];
          outNormal[at + d] = normal[v + d];
        }
        sides[6 * i + 2 * k] = front;
        sides[6 * i + 2 * k + 1] = back;
      }
    }
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(outPosition, 3));
    geometry.setAttribute('normal', new BufferAttribute(outNormal, 3));
    geometry.setAttribute('sides', new BufferAttribute(sides, 2));
    this.mesh.geometry = this.capMarker.geometry = geometry;
  }

  /** Colours by label; air and what is hidden get none. */
  setColors(labels: Int32Array, hidden: readonly number[]): void {
    const rows = Math.ceil(labels.length / TEXTURE_WIDTH);
    const bytes = new Uint8Array(4 * TEXTURE_WIDTH * rows);
    for (let id = 0; id < labels.length; id++) {
      if (labels[id] === 0 || hidden.includes(labels[id])) continue;
      bytes.set([...regionColor(labels[id]), 255], 4 * id);
    }
    const texture = new DataTexture(bytes, TEXTURE_WIDTH, rows);
    texture.colorSpace = SRGBColorSpace;
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    const slot = this.mesh.material.uniforms['regionColors'];
    (slot.value as DataTexture | null)?.dispose();
    slot.value = texture;
  }

  setLook(flat: boolean, plane: SlicePlane | null, solid: boolean): void {
    this.mesh.material.uniforms['flatShading'].value = flat;
    setSlice(this.slice, plane);
    // The shader slices by itself; three needs to be told for the shadow.
    this.mesh.material.clippingPlanes = plane ? [toClippingPlane(plane)] : null;
    this.solid = solid && plane !== null;
  }

  private isCapped(): boolean {
    return this.solid && facesSlice(this.slice, this.backdrop);
  }
}
