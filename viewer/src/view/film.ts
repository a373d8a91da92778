/**
 * The look "Film" as a composer: the opaque scene in linear light, then every film over it from back to front (depth-sort.ts), then the
 * whole onto the screen. A film adds what it mirrors and lets through the rest: exact "over" compositing, for any number of bubbles,
 * with the browser's own anti-aliasing.
 */
import {
  AddEquation,
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  CustomBlending,
  DataTexture,
  DataUtils,
  DoubleSide,
  DynamicDrawUsage,
  HalfFloatType,
  LinearFilter,
  Matrix3,
  Mesh,
  OneFactor,
  OneMinusSrcAlphaFactor,
  PlaneGeometry,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  Vector2,
  WebGLRenderTarget,
} from 'three';
import type { FieldData, SurfaceData, Vec3 } from '../data/types.ts';
import { DepthSorter } from './depth-sort.ts';
import { FILM_COPY_FRAGMENT, FILM_FRAGMENT, FILM_VERTEX } from './film-shaders.ts';
import { buildFilmTable, MAX_THICKNESS, TABLE_HEIGHT, TABLE_WIDTH } from './film-table.ts';
import { COPY_VERTEX } from './shaders.ts';
import { createSliceUniforms, type SlicePlane, setSlice } from './slice.ts';
import type { Composer, Stage } from './stage.ts';

export interface FilmThickness {
  /** nm, in the middle of the height */
  readonly mean: number;
  /** 0..1: at the bottom mean * (1 + spread), at the top mean * (1 - spread) */
  readonly spread: number;
}

/** Of each pixel, for smooth rims. */
const SAMPLES = 4;

export class Film implements Composer {
  active = false;
  private readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly target: WebGLRenderTarget;
  private readonly filmScene = new Scene();
  private readonly copyScene = new Scene();
  private readonly copy: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly slice = createSliceUniforms();
  private readonly sorter = new DepthSorter();
  private surface: SurfaceData | null = null;
  private sortedFrom: string | null = null;

  constructor() {
    this.target = new WebGLRenderTarget(1, 1, {
      type: HalfFloatType,
      minFilter: LinearFilter,
      magFilter: LinearFilter,
      samples: SAMPLES,
    });
    const material = new ShaderMaterial({
      vertexShader: FILM_VERTEX,
      fragmentShader: FILM_FRAGMENT,
      side: DoubleSide,
      transparent: true,
      depthWrite: false,
      blending: CustomBlending,
      blendEquation: AddEquation,
      blendSrc: OneFactor,
      blendDst: OneMinusSrcAlphaFactor,
      uniforms: {
        ...this.slice,
        filmTable: { value: null },
        maxThickness: { value: MAX_THICKNESS },
        flatShading: { value: false },
        studioLight: { value: 1 },
        viewToWorld: { value: new Matrix3() },
      },
    });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.filmScene.add(this.mesh);
    this.copy = new Mesh(
      new PlaneGeometry(2, 2),
      new ShaderMaterial({
        vertexShader: COPY_VERTEX,
        fragmentShader: FILM_COPY_FRAGMENT,
        uniforms: { backdrop: { value: this.target.texture }, knee: { value: 0 } },
        depthTest: false,
        depthWrite: false,
      }),
    );
    this.copy.frustumCulled = false;
    this.copyScene.add(this.copy);
  }

  /** The faces to draw of a surface; thickness comes from its vertex field of that name where it has one. */
  setSurface(
    surface: SurfaceData,
    faces: Uint32Array,
    thickness: FilmThickness,
    bounds: { min: Vec3; max: Vec3 },
  ): void {
    this.mesh.material.uniforms['filmTable'].value ??= createFilmTexture();
    if (this.surface !== surface || this.sorter.faceCount !== faces.length) {
      this.mesh.geometry.dispose();
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(surface.position, 3));
      geometry.setAttribute('normal', new BufferAttribute(surface.normal, 3));
      const index = new BufferAttribute(new Uint32Array(3 * faces.length), 1);
      index.setUsage(DynamicDrawUsage);
      geometry.setIndex(index);
      this.mesh.geometry = geometry;
    }
    this.surface = surface;
    this.sorter.setFaces(surface.position, surface.triangle, faces);
    this.sortedFrom = null;
    this.mesh.geometry.setAttribute(
      'thickness',
      new BufferAttribute(computeThickness(surface, thickness, bounds), 1),
    );
  }

  setLook(flat: boolean, plane: SlicePlane | null): void {
    this.mesh.material.uniforms['flatShading'].value = flat;
    setSlice(this.slice, plane);
  }

  render(stage: Stage): void {
    const { renderer, camera } = stage;
    const pixels = renderer.getDrawingBufferSize(new Vector2());
    if (this.target.width !== pixels.x || this.target.height !== pixels.y)
      this.target.setSize(pixels.x, pixels.y);
    const samples = stage.hurried ? 0 : SAMPLES;
    if (this.target.samples !== samples) {
      this.target.samples = samples;
      this.target.dispose();
    }
    this.sortFor(camera.position.toArray());
    this.mesh.material.uniforms['viewToWorld'].value.setFromMatrix4(camera.matrixWorld);
    this.copy.material.uniforms['knee'].value = stage.theme.knee;
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(stage.scene, camera);
    renderer.render(this.filmScene, camera);
    renderer.setRenderTarget(null);
    renderer.clear();
    renderer.render(this.copyScene, camera);
  }

  /** The order depends on where the eye is, not on where it looks. */
  private sortFor(eye: [number, number, number]): void {
    const key = eye.join();
    const { index } = this.mesh.geometry;
    if (key === this.sortedFrom || !index) return;
    this.sorter.sort(eye, index.array as Uint32Array);
    index.needsUpdate = true;
    this.sortedFrom = key;
  }
}

/** nm on every vertex. */
function computeThickness(
  surface: SurfaceData,
  { mean, spread }: FilmThickness,
  { min, max }: { min: Vec3; max: Vec3 },
): Float32Array {
  const field = findThickness(surface.fields);
  // Frames are in SI; a field that says nm is taken at its word.
  if (field) return field.unit === 'nm' ? field.values : field.values.map((metres) => metres * 1e9);
  const out = new Float32Array(surface.position.length / 3);
  const height = max[2] - min[2] || 1;
  for (let v = 0; v < out.length; v++) {
    const share = Math.min(1, Math.max(0, (surface.position[3 * v + 2] - min[2]) / height));
    out[v] = mean * (1 + spread * (1 - 2 * share));
  }
  return out;
}

export function findThickness(fields: readonly FieldData[]): FieldData | undefined {
  return fields.find(
    ({ name, on, components }) => name === 'thickness' && on === 'vertex' && components === 1,
  );
}

function createFilmTexture(): DataTexture {
  const half = Uint16Array.from(buildFilmTable(), DataUtils.toHalfFloat);
  const texture = new DataTexture(half, TABLE_WIDTH, TABLE_HEIGHT, RGBAFormat, HalfFloatType);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.needsUpdate = true;
  return texture;
}
