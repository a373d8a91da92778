/**
 * The look "Film" as a composer: the opaque scene in linear light, then every film and border over it from
 * back to front (depth-sort.ts), then the whole onto the screen. A film adds what it mirrors of the light
 * that reaches it (foam-light.ts) and lets through the rest: exact "over" compositing, for any number of
 * bubbles, with the browser's own anti-aliasing.
 */
import {
  AddEquation,
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  Color,
  CustomBlending,
  DataTexture,
  DataUtils,
  DoubleSide,
  DynamicDrawUsage,
  HalfFloatType,
  LinearFilter,
  Matrix3,
  Mesh,
  NearestFilter,
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
import type { Backdrop, Composer } from './backdrop.ts';
import { type CurveLook, doublePoints } from './curves.ts';
import { DepthSorter } from './depth-sort.ts';
import { type FilmMesh, joinBorders } from './film-borders.ts';
import { FILM_COPY_FRAGMENT, FILM_FRAGMENT, FILM_VERTEX, LIGHT_ROW } from './film-shaders.ts';
import { buildFilmTable, MAX_THICKNESS, TABLE_HEIGHT, TABLE_WIDTH } from './film-table.ts';
import { computeFoamLight, type FoamLight, findBrightest } from './foam-light.ts';
import { COPY_VERTEX } from './shaders.ts';
import { createSliceUniforms, type SlicePlane, setSlice } from './slice.ts';
import { listDrawnCurves } from './visible.ts';

export interface FilmThickness {
  /** nm, in the middle of the height */
  readonly mean: number;
  /** 0..1: at the bottom mean * (1 + spread), at the top mean * (1 - spread) */
  readonly spread: number;
}

export interface FilmLook {
  /** Ids of the faces to draw. */
  readonly faces: Uint32Array;
  readonly thickness: FilmThickness;
  readonly flat: boolean;
  readonly plane: SlicePlane | null;
  /** Labels of regions switched off. */
  readonly hidden: readonly number[];
  /** Null leaves the lines out; the borders dim the light all the same. */
  readonly borders: CurveLook | null;
}

/**
 * Of the domain's shortest side: how wide borders are for light, as wide as wires. On screen they are lines.
 */
const BORDER_WIDTH = 0.01;

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
        borderColor: { value: new Color() },
        borderAlpha: { value: 1 },
        resolution: { value: new Vector2() },
        pixelRatio: { value: 1 },
        foamLight: { value: null },
        glow: { value: new Color() },
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

  /** What to draw of a surface; thickness comes from its vertex field of that name where it has one. */
  setSurface(surface: SurfaceData, look: FilmLook, bounds: { min: Vec3; max: Vec3 }): void {
    const { uniforms } = this.mesh.material;
    uniforms['filmTable'].value ??= createFilmTexture();
    uniforms['flatShading'].value = look.flat;
    setSlice(this.slice, look.plane);
    if (look.borders) {
      uniforms['borderColor'].value.copy(look.borders.color);
      uniforms['borderAlpha'].value = look.borders.alpha;
    }
    const { regions } = surface;
    const width = BORDER_WIDTH * Math.min(...bounds.min.map((low, axis) => bounds.max[axis] - low));
    const light = regions ? computeFoamLight({ ...surface, regions }, look, width) : null;
    uniforms['foamLight'].value?.dispose();
    uniforms['foamLight'].value = createLightTexture(light?.share ?? new Float32Array(6).fill(1));
    const mesh = buildMesh(surface, look, bounds, light);
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(mesh.position, 3));
    geometry.setAttribute('normal', new BufferAttribute(mesh.normal, 3));
    geometry.setAttribute('thickness', new BufferAttribute(mesh.thickness, 1));
    geometry.setAttribute('foam', new BufferAttribute(mesh.foam, 3));
    geometry.setAttribute('other', new BufferAttribute(mesh.other, 3));
    geometry.setAttribute('border', new BufferAttribute(mesh.border, 3));
    const index = new BufferAttribute(new Uint32Array(3 * mesh.faces.length), 1);
    index.setUsage(DynamicDrawUsage);
    geometry.setIndex(index);
    this.mesh.geometry = geometry;
    this.sorter.setFaces(mesh.position, mesh.triangle, mesh.faces, mesh.forward);
    this.sortedFrom = null;
  }

  render(backdrop: Backdrop): void {
    const { renderer, camera } = backdrop;
    const pixels = renderer.getDrawingBufferSize(new Vector2());
    if (this.target.width !== pixels.x || this.target.height !== pixels.y)
      this.target.setSize(pixels.x, pixels.y);
    const samples = backdrop.hurried ? 0 : SAMPLES;
    if (this.target.samples !== samples) {
      this.target.samples = samples;
      this.target.dispose();
    }
    this.sortFor(camera.position.toArray());
    const { uniforms } = this.mesh.material;
    uniforms['viewToWorld'].value.setFromMatrix4(camera.matrixWorld);
    uniforms['resolution'].value.copy(pixels);
    uniforms['pixelRatio'].value = renderer.getPixelRatio();
    uniforms['glow'].value.copy(backdrop.theme.glow);
    this.copy.material.uniforms['knee'].value = backdrop.theme.knee;
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(backdrop.scene, camera);
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

/** Films, and their borders where the surface knows them. */
function buildMesh(
  surface: SurfaceData,
  look: FilmLook,
  bounds: { min: Vec3; max: Vec3 },
  light: FoamLight | null,
): FilmMesh {
  const { position, normal, triangle, regions } = surface;
  const { faces, borders } = look;
  const thickness = computeThickness(surface, look.thickness, bounds);
  const foam = new Float32Array(position.length);
  const films = { position, normal, thickness, foam, triangle, faces };
  if (!regions || !light) return joinBorders(films, []);
  for (let c = 0; c < triangle.length; c++) {
    const f = (c / 3) | 0;
    foam.set([light.sides[2 * f], light.sides[2 * f + 1], light.cover[f]], 3 * triangle[c]);
  }
  if (!borders) return joinBorders(films, []);
  const drawn = listDrawnCurves(regions, triangle.length / 3, faces);
  const brightest = findBrightest(regions, light);
  const { width, junctionWidth } = borders;
  return joinBorders(films, [
    { segments: drawn.segments, region: drawn.segmentIds.map((s) => brightest.segment[s]), width },
    {
      segments: doublePoints(drawn.points),
      region: drawn.pointIds.map((j) => brightest.junction[j]),
      width: junctionWidth,
    },
  ]);
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

/** Two texels for a region: the light from the positive ends of the axes, and from the negative. */
function createLightTexture(share: Float32Array): DataTexture {
  const texels = share.length / 3;
  const rows = Math.ceil(texels / LIGHT_ROW);
  const half = new Uint16Array(4 * LIGHT_ROW * rows);
  for (let i = 0; i < share.length; i++) half[4 * ((i / 3) | 0) + (i % 3)] = DataUtils.toHalfFloat(share[i]);
  const texture = new DataTexture(half, LIGHT_ROW, rows, RGBAFormat, HalfFloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}
