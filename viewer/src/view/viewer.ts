/**
 * The drawn liquid: turns a frame and the settings into meshes on the backdrop. Knows nothing of files or of
 * the page.
 */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  type Group,
  Mesh,
  MeshBasicMaterial,
  ShaderMaterial,
} from 'three';
import type { Presentation } from '../../../src/methods/presentation.ts';
import type { CameraSpec } from '../../../src/scene/schema-camera.ts';
import type {
  FieldData,
  FrameData,
  ParticleData,
  RegionData,
  RunInfo,
  SurfaceData,
  Vec3,
} from '../data/types.ts';
import type { Mode, Settings, Slice } from '../settings.ts';
import { Backdrop } from './backdrop.ts';
import type { ViewDirection } from './camera.ts';
import { type ColorMap, findColorMap, fitRange } from './colormap.ts';
import { Curves } from './curves.ts';
import { buildCut, type CutMesh, computeCutValues } from './cut.ts';
import { CutHandle } from './cut-handle.ts';
import { Film, findThickness } from './film.ts';
import { SceneCamera } from './frustum.ts';
import { LeadHandle } from './lead-handle.ts';
import { MaterialsMesh } from './materials.ts';
import { buildSurfaceCorners, computeScalar, measureRange, PaintedMesh } from './paint.ts';
import { computeTint, KIND, Particles, pickParticles, tintKinds } from './particles.ts';
import { type IsDrawn, type Pick, Picker } from './pick.ts';
import { GHOST_FRAGMENT, WATER_VERTEX } from './shaders.ts';
import type { SlicePlane } from './slice.ts';
import { poseSolids } from './solids.ts';
import { computeSection, listDrawnCurves, listDrawnFaces } from './visible.ts';
import { Water } from './water.ts';

/** What the legend says; null when nothing is coloured. */
export interface Legend {
  readonly field: string;
  readonly unit: string;
  readonly map: string;
  readonly min: number;
  readonly max: number;
}

/** pixels: outlines where a plane slices regions */
const SECTION_WIDTH = 2.2;

/** of the scene's size: far above rounding, far below a pixel */
const SLICE_MARGIN = 1e-4;

type Look = 'nothing' | 'water' | 'film' | 'materials' | 'paint' | 'cut' | 'particles';

export interface FieldChoice {
  readonly name: string;
  readonly components: 1 | 3;
  readonly unit: string;
  readonly on: 'vertex' | 'cell';
}

export class Viewer {
  readonly backdrop: Backdrop;
  readonly handle: CutHandle;
  readonly lead: LeadHandle;
  /** Why the current mode shows nothing, in words; '' when all is well. */
  notice = '';
  legend: Legend | null = null;
  /** Labels of the regions now shown by their colours, or null. */
  regionLabels: Int32Array | null = null;
  frame: FrameData | null = null;
  private readonly geometry = new BufferGeometry();
  private readonly water: Water;
  private readonly shadowProxy: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly surfacePaint: PaintedMesh;
  private readonly cutPaint: PaintedMesh;
  private readonly film = new Film();
  private readonly materials: MaterialsMesh;
  private readonly curves: Curves;
  readonly particles: Particles;
  readonly sceneCamera: SceneCamera;
  private readonly ghost: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly picker: Picker;
  private solids: Group | null = null;
  /** How the run's method wants to be shown. */
  private look: Presentation['look'];
  private cut: CutMesh | null = null;
  private settings: Readonly<Settings>;

  constructor(canvas: HTMLCanvasElement, settings: Readonly<Settings>) {
    this.settings = settings;
    this.backdrop = new Backdrop(canvas);
    this.water = new Water(this.geometry);
    this.backdrop.composers.push(this.water, this.film);
    // Water is drawn outside the scene, so a mesh that paints nothing throws its shadow.
    this.shadowProxy = new Mesh(
      this.geometry,
      new MeshBasicMaterial({ colorWrite: false, depthWrite: false, side: DoubleSide }),
    );
    this.shadowProxy.castShadow = true;
    this.shadowProxy.frustumCulled = false;
    this.surfacePaint = new PaintedMesh(this.backdrop);
    this.cutPaint = new PaintedMesh(this.backdrop);
    this.materials = new MaterialsMesh(this.backdrop);
    this.curves = new Curves(this.backdrop);
    this.particles = new Particles(this.backdrop);
    this.sceneCamera = new SceneCamera(this.backdrop);
    this.ghost = new Mesh(
      this.geometry,
      new ShaderMaterial({
        vertexShader: WATER_VERTEX,
        fragmentShader: GHOST_FRAGMENT,
        uniforms: { ghostColor: { value: this.backdrop.theme.ghost.clone() }, ghostAlpha: { value: 0.5 } },
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
      }),
    );
    this.ghost.frustumCulled = false;
    this.ghost.renderOrder = 5;
    this.backdrop.scene.add(this.shadowProxy, this.ghost);
    this.picker = new Picker(this.backdrop);
    this.handle = new CutHandle(this.backdrop);
    this.lead = new LeadHandle(this.backdrop);
    this.backdrop.setTheme(settings.theme);
  }

  /** A new run: its box, and the view of it from a corner. */
  setRun(info: RunInfo, view: ViewDirection, fallback: { min: Vec3; max: Vec3 } | null): void {
    const bounds = info.domain ?? fallback ?? { min: [0, 0, 0], max: [1, 1, 1] };
    this.backdrop.setBounds(bounds.min, bounds.max);
    this.backdrop.fit(view);
    this.look = info.presentation.look;
    this.frame = null;
    this.picker.clear();
  }

  setSolids(group: Group | null): void {
    if (this.solids) this.backdrop.solids.remove(this.solids);
    this.solids = group;
    this.lead.setSolids(group);
    if (group) this.backdrop.solids.add(group);
    this.backdrop.markShadowsDirty();
  }

  /** The camera of the scene as it is at a time, or none. */
  setSceneCamera(spec: CameraSpec | null, time: number): void {
    this.sceneCamera.set(spec);
    this.sceneCamera.move(time);
    this.sceneCamera.show(this.settings.frustum);
  }

  /** Carries moving solids, and the scene's camera, to where they are at a time. */
  moveSolids(time: number): void {
    this.sceneCamera.move(time);
    if (this.solids && poseSolids(this.solids, time)) this.backdrop.markShadowsDirty();
  }

  setFrame(frame: FrameData): void {
    this.frame = frame;
    this.picker.clear();
    const { position, normal, triangle } = frame.surface;
    this.geometry.dispose();
    this.geometry.setAttribute('position', new BufferAttribute(position, 3));
    this.geometry.setAttribute('normal', new BufferAttribute(normal, 3));
    // Of a surface with walls inside, water shows the outer skin alone: depths along a ray need a closed
    // surface.
    const outer = frame.surface.regions ? listOuterCorners(triangle, frame.surface.regions) : triangle;
    this.geometry.setIndex(new BufferAttribute(outer, 1));
    this.cut = null;
    this.redraw();
  }

  applySettings(settings: Readonly<Settings>, changed: ReadonlySet<keyof Settings>): void {
    this.settings = settings;
    if (changed.has('theme')) {
      this.backdrop.setTheme(settings.theme);
      this.ghost.material.uniforms['ghostColor'].value.copy(this.backdrop.theme.ghost);
    }
    for (const key of ['cutAxis', 'cutPosition', 'cutFlip', 'cutShrink'] as const) {
      if (changed.has(key)) this.cut = null;
    }
    if (changed.has('mode')) this.picker.clear();
    this.redraw();
  }

  /**
   * Whether a mode shows something of this frame: regions where faces carry labels, films where there are
   * some.
   */
  isOffered(mode: Mode, frame = this.frame): boolean {
    if (mode === 'materials') return (frame?.surface.regions?.labels.length ?? 0) > 1;
    if (mode === 'particles') return (frame?.particles?.radius.length ?? 0) > 0;
    if (mode === 'film')
      return this.look === 'film' || findThickness(frame?.surface.fields ?? []) !== undefined;
    return true;
  }

  /** Fields that the shown mesh carries, and those of particles alone. */
  listFields(): FieldChoice[] {
    const { mode } = this.settings;
    const mesh = mode === 'cut' ? this.frame?.volume : mode === 'particles' ? null : this.frame?.surface;
    const own = mesh?.fields ?? [];
    const others = (this.frame?.particles?.fields ?? []).filter(
      ({ name }) => !own.some((f) => f.name === name),
    );
    return [...own, ...others].map(({ name, components, unit, on }) => ({ name, components, unit, on }));
  }

  pick(x: number, y: number): Pick | null {
    if (!this.frame) return null;
    const cut = this.settings.mode === 'cut' ? this.cut : null;
    const pick = this.picker.pick(x, y, this.frame, cut, cut ? undefined : this.createDrawnTest());
    if (!pick) this.picker.clear();
    return pick;
  }

  /** The point of the drawn surface under the pointer, in metres, or null. */
  findPoint(x: number, y: number): [number, number, number] | null {
    if (!this.frame) return null;
    const { position, triangle } = this.frame.surface;
    return this.picker.findHit(x, y, position, triangle, this.createDrawnTest())?.point.toArray() ?? null;
  }

  /** Faces that regions, cut-aways and slices leave in the picture. */
  private createDrawnTest(): IsDrawn {
    const plane = this.findSlice();
    const look = this.findLook();
    const surface = look === 'materials' || look === 'film' ? this.frame?.surface : null;
    const { hiddenRegions: hidden, hideOuter } = this.settings;
    const drawn = surface ? new Set(listDrawnFaces(surface, { hidden, hideOuter })) : null;
    return (face, point) =>
      (!drawn || drawn.has(face)) &&
      (!plane || plane.side * (point.getComponent(plane.axis) - plane.offset) <= 0);
  }

  clearPick(): void {
    this.picker.clear();
  }

  /** Where the cut lies, metres along its axis. */
  cutOffset(): number {
    const { min, max } = this.backdrop.bounds;
    const { cutAxis, cutPosition } = this.settings;
    return min[cutAxis] + cutPosition * (max[cutAxis] - min[cutAxis]);
  }

  /** Whether the frame says itself how thick its films are. */
  get hasThickness(): boolean {
    return findThickness(this.frame?.surface.fields ?? []) !== undefined;
  }

  get keptTets(): number {
    return this.cut?.keptTets ?? 0;
  }

  /** What the current mode and the frame come to: the look that is really drawn. */
  private findLook(): Look {
    const { mode, color } = this.settings;
    if (!this.frame) return 'nothing';
    if (mode === 'cut' || mode === 'particles') return mode;
    if (mode === 'surface' || mode === 'wireframe' || this.findField(color)) return 'paint';
    if (mode === 'materials') return this.frame.surface.regions ? 'materials' : 'paint';
    return mode;
  }

  /** Everything on the backdrop, from frame and settings. */
  redraw(): void {
    const { settings, backdrop, frame } = this;
    backdrop.showFloor(settings.floor);
    backdrop.showBox(settings.box);
    backdrop.solids.visible = settings.solids;
    this.sceneCamera.show(settings.frustum);
    this.notice = '';
    this.legend = null;
    this.regionLabels = null;
    const look = this.findLook();
    this.water.active = look === 'water';
    this.film.active = look === 'film';
    this.water.setFlatShading(settings.shading === 'flat');
    this.shadowProxy.visible = look === 'water' || look === 'film';
    backdrop.setShadowStrength(look === 'water' ? 0.4 : look === 'film' ? 0.16 : 1);
    this.surfacePaint.mesh.visible = look === 'paint';
    this.cutPaint.mesh.visible = look === 'cut' && !!frame?.volume;
    this.ghost.visible = look === 'cut' && settings.ghost;
    this.materials.show(look === 'materials');
    this.curves.show(false, false);
    this.handle.show(settings.mode === 'cut' || this.findSlice() !== null);
    if (frame) {
      if (look === 'paint') this.drawSurface(frame);
      if (look === 'cut') this.drawCut(frame);
      if (look === 'materials' || look === 'film') this.drawSheets(frame.surface, look);
    }
    this.drawParticles(settings.particles || look === 'particles' ? (frame?.particles ?? null) : null);
    backdrop.markShadowsDirty();
  }

  /** After the surface: where that is coloured by the same field, particles keep to its range. */
  private drawParticles(particles: ParticleData | null): void {
    const field = particles?.fields.find(({ name }) => name === this.settings.color);
    const kinds = particles?.fields.find(({ name }) => name === KIND)?.values;
    // Particles that stand for liquid lie inside its surface: they are drawn where they are asked for.
    const isAsked = this.settings.mode === 'particles' || (field && !this.findField(field.name));
    const drawn =
      particles && kinds && !isAsked ? pickParticles(particles, (n) => kinds[n] !== 0) : particles;
    const shown = drawn?.fields.find(({ name }) => name === (field?.name ?? KIND));
    if (!drawn || !shown || shown.name === KIND) {
      this.particles.set(drawn, shown ? tintKinds(shown.values) : this.backdrop.theme.spray);
      return;
    }
    const scalar = computeScalar(shown, this.settings.component);
    const map = findColorMap(this.settings.map);
    this.legend ??= this.describeColors(shown, map, scalar);
    this.particles.set(drawn, computeTint(map, scalar, [this.legend.min, this.legend.max]));
  }

  /** The plane that slices materials and films, or null. */
  private findSlice(): SlicePlane | null {
    const { mode, slice, cutAxis, cutFlip } = this.settings;
    if (slice === 'off' || (mode !== 'materials' && mode !== 'film')) return null;
    const side = cutFlip ? 1 : -1;
    // A hair more than asked: walls that lie in the plane, as in symmetric scenes, go as a whole.
    return { axis: cutAxis, offset: this.cutOffset() - side * SLICE_MARGIN * this.backdrop.size, side };
  }

  /** Settings that slice so that the eye looks onto the cut: the nearer half goes. */
  openSlice(
    slice: Slice,
    cutAxis = this.settings.cutAxis,
  ): { slice: Slice; cutAxis: 0 | 1 | 2; cutFlip: boolean } {
    const { min, max } = this.backdrop.bounds;
    const offset = min[cutAxis] + this.settings.cutPosition * (max[cutAxis] - min[cutAxis]);
    return { slice, cutAxis, cutFlip: this.backdrop.camera.position.getComponent(cutAxis) > offset };
  }

  /** Labelled surfaces as materials, and any surface as films, with the curves where sheets meet. */
  private drawSheets(surface: SurfaceData, look: 'materials' | 'film'): void {
    const { settings, backdrop } = this;
    const { regions } = surface;
    const flat = settings.shading === 'flat';
    const plane = this.findSlice();
    const faces = listDrawnFaces(surface, { hidden: settings.hiddenRegions, hideOuter: settings.hideOuter });
    if (plane) this.handle.place(plane.axis, this.cutOffset());
    this.regionLabels = regions?.labels ?? null;
    if (look === 'film') {
      const { thickness: mean, thicknessSpread: spread } = settings;
      this.film.setSurface(
        surface,
        {
          faces,
          thickness: { mean, spread },
          flat,
          plane,
          hidden: settings.hiddenRegions,
          borders: settings.curves ? backdrop.theme.border : null,
        },
        backdrop.bounds,
      );
      return;
    }
    if (regions) {
      // A cap is found by the faces around it, the outer ones among them.
      const solid = settings.slice === 'solid' && !settings.hideOuter;
      this.materials.setSurface(surface, regions, faces);
      this.materials.setColors(regions.labels, settings.hiddenRegions);
      this.materials.setLook(flat, plane, solid);
      this.materials.show(true);
    }
    if (!regions || !settings.curves) return;
    const { segments, points } = listDrawnCurves(regions, surface.triangle.length / 3, faces);
    this.curves.setSlice(plane);
    this.curves.setCurves(segments, points, backdrop.theme.curve);
    const section = plane !== null;
    if (section) this.curves.setSection(computeSection(surface, faces, plane), SECTION_WIDTH);
    this.curves.show(true, section);
  }

  private drawSurface(frame: FrameData): void {
    const { settings, backdrop } = this;
    const field = this.findField(settings.color);
    const scalar = field ? computeScalar(field, settings.component) : null;
    if (settings.mode === 'materials' && !frame.surface.regions) {
      this.notice = 'The faces of this frame carry no region labels (face fields front and back).';
    }
    this.surfacePaint.setCorners(buildSurfaceCorners(frame.surface, scalar, field?.on ?? 'vertex'));
    const wire = settings.mode === 'wireframe';
    this.surfacePaint.setLook(
      { edges: wire, flat: settings.shading === 'flat', fillAlpha: 1 },
      backdrop.theme.matte,
      backdrop.theme.edge,
    );
    this.setColors(this.surfacePaint, field, scalar);
  }

  private drawCut(frame: FrameData): void {
    const { settings, backdrop } = this;
    const offset = this.cutOffset();
    this.handle.place(settings.cutAxis, offset);
    if (!frame.volume) {
      this.notice =
        'This run has no tetrahedra to cut. Runs keep them with --set output.volume=5 (every 5th frame), live runs the latest.';
      return;
    }
    if (!this.cut) {
      const side = settings.cutFlip ? 1 : -1;
      this.cut = buildCut(frame.volume, { axis: settings.cutAxis, offset, side, shrink: settings.cutShrink });
      this.cutPaint.setCorners(this.cut);
    }
    const field = this.findField(settings.color);
    const scalar = field ? computeScalar(field, settings.component) : null;
    if (field && scalar) this.cutPaint.setValues(computeCutValues(this.cut, scalar, field.on));
    this.cutPaint.setLook(
      { edges: true, flat: true, fillAlpha: 1 },
      backdrop.theme.matte,
      backdrop.theme.edge,
    );
    this.setColors(this.cutPaint, field, scalar);
  }

  private setColors(target: PaintedMesh, field: FieldData | null, scalar: Float32Array | null): void {
    if (!field || !scalar) {
      target.setColors(null, 0, 1);
      return;
    }
    const map = findColorMap(this.settings.map);
    this.legend = this.describeColors(field, map, scalar);
    target.setColors(map, this.legend.min, this.legend.max);
  }

  private describeColors(field: FieldData, map: ColorMap, scalar: Float32Array): Legend {
    const [min, max] = this.settings.range ?? fitRange(map, measureRange(scalar));
    const part =
      field.components === 3
        ? this.settings.component === 'magnitude'
          ? ' magnitude'
          : ` ${this.settings.component}`
        : '';
    return { field: field.name + part, unit: field.unit, map: this.settings.map, min, max };
  }

  private findField(name: string): FieldData | null {
    if (name === '') return null;
    const { mode } = this.settings;
    if (mode === 'particles') return null;
    const mesh = mode === 'cut' ? this.frame?.volume : this.frame?.surface;
    return mesh?.fields.find((field) => field.name === name) ?? null;
  }
}

/** Corners of the triangles between a region and the outside. */
function listOuterCorners(triangle: Uint32Array, { front }: RegionData): Uint32Array {
  return triangle.filter((_, corner) => front[(corner / 3) | 0] === 0);
}
