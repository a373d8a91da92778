/** The drawn liquid: turns a frame and the settings into meshes on the stage. Knows nothing of files or of the page. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  type Group,
  Mesh,
  MeshBasicMaterial,
  ShaderMaterial,
} from 'three';
import type { FieldData, FrameData, RunInfo, Vec3 } from '../data/types.ts';
import type { Settings } from '../settings.ts';
import type { ViewDirection } from './camera.ts';
import { findColorMap } from './colormap.ts';
import { buildCut, type CutMesh, computeCutValues } from './cut.ts';
import { CutHandle } from './cut-handle.ts';
import { buildSurfaceCorners, computeScalar, measureRange, PaintedMesh } from './paint.ts';
import { type Pick, Picker } from './pick.ts';
import { GHOST_FRAGMENT, WATER_VERTEX } from './shaders.ts';
import { poseSolids } from './solids.ts';
import { Stage } from './stage.ts';
import { Water } from './water.ts';

/** What the legend says; null when nothing is coloured. */
export interface Legend {
  readonly field: string;
  readonly unit: string;
  readonly map: string;
  readonly min: number;
  readonly max: number;
}

export interface FieldChoice {
  readonly name: string;
  readonly components: 1 | 3;
  readonly unit: string;
  readonly on: 'vertex' | 'cell';
}

export class Viewer {
  readonly stage: Stage;
  readonly handle: CutHandle;
  /** Why the current mode shows nothing, in words; '' when all is well. */
  notice = '';
  legend: Legend | null = null;
  frame: FrameData | null = null;
  private readonly geometry = new BufferGeometry();
  private readonly water: Water;
  private readonly shadowProxy: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly surfacePaint: PaintedMesh;
  private readonly cutPaint: PaintedMesh;
  private readonly ghost: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly picker: Picker;
  private solids: Group | null = null;
  private cut: CutMesh | null = null;
  private settings: Readonly<Settings>;

  constructor(canvas: HTMLCanvasElement, settings: Readonly<Settings>) {
    this.settings = settings;
    this.stage = new Stage(canvas);
    this.water = new Water(this.geometry);
    this.stage.composer = this.water;
    // Water is drawn outside the scene, so a mesh that paints nothing throws its shadow.
    this.shadowProxy = new Mesh(
      this.geometry,
      new MeshBasicMaterial({ colorWrite: false, depthWrite: false, side: DoubleSide }),
    );
    this.shadowProxy.castShadow = true;
    this.shadowProxy.frustumCulled = false;
    this.surfacePaint = new PaintedMesh(this.stage);
    this.cutPaint = new PaintedMesh(this.stage);
    this.ghost = new Mesh(
      this.geometry,
      new ShaderMaterial({
        vertexShader: WATER_VERTEX,
        fragmentShader: GHOST_FRAGMENT,
        uniforms: { ghostColor: { value: this.stage.theme.ghost.clone() }, ghostAlpha: { value: 0.5 } },
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
      }),
    );
    this.ghost.frustumCulled = false;
    this.ghost.renderOrder = 5;
    this.stage.scene.add(this.shadowProxy, this.ghost);
    this.picker = new Picker(this.stage);
    this.handle = new CutHandle(this.stage);
    this.stage.setTheme(settings.theme);
  }

  /** A new run: its box, and the view of it from a corner. */
  setRun(info: RunInfo, view: ViewDirection, fallback: { min: Vec3; max: Vec3 } | null): void {
    const bounds = info.domain ?? fallback ?? { min: [0, 0, 0], max: [1, 1, 1] };
    this.stage.setBounds(bounds.min, bounds.max);
    this.stage.fit(view);
    this.frame = null;
    this.picker.clear();
  }

  setSolids(group: Group | null): void {
    if (this.solids) this.stage.solids.remove(this.solids);
    this.solids = group;
    if (group) this.stage.solids.add(group);
    this.stage.markShadowsDirty();
  }

  /** Carries moving solids to where they are at a time. */
  moveSolids(time: number): void {
    if (this.solids && poseSolids(this.solids, time)) this.stage.markShadowsDirty();
  }

  setFrame(frame: FrameData): void {
    this.frame = frame;
    this.picker.clear();
    const { position, normal, triangle } = frame.surface;
    this.geometry.dispose();
    this.geometry.setAttribute('position', new BufferAttribute(position, 3));
    this.geometry.setAttribute('normal', new BufferAttribute(normal, 3));
    this.geometry.setIndex(new BufferAttribute(triangle, 1));
    this.cut = null;
    this.redraw();
  }

  applySettings(settings: Readonly<Settings>, changed: ReadonlySet<keyof Settings>): void {
    this.settings = settings;
    if (changed.has('theme')) {
      this.stage.setTheme(settings.theme);
      this.ghost.material.uniforms['ghostColor'].value.copy(this.stage.theme.ghost);
    }
    for (const key of ['cutAxis', 'cutPosition', 'cutFlip', 'cutShrink'] as const) {
      if (changed.has(key)) this.cut = null;
    }
    if (changed.has('mode')) this.picker.clear();
    this.redraw();
  }

  /** Fields that the shown mesh carries. */
  listFields(): FieldChoice[] {
    const mesh = this.settings.mode === 'cut' ? this.frame?.volume : this.frame?.surface;
    return (mesh?.fields ?? []).map(({ name, components, unit, on }) => ({ name, components, unit, on }));
  }

  pick(x: number, y: number): Pick | null {
    if (!this.frame) return null;
    const pick = this.picker.pick(x, y, this.frame, this.settings.mode === 'cut' ? this.cut : null);
    if (!pick) this.picker.clear();
    return pick;
  }

  clearPick(): void {
    this.picker.clear();
  }

  /** Where the cut lies, metres along its axis. */
  cutOffset(): number {
    const { min, max } = this.stage.bounds;
    const { cutAxis, cutPosition } = this.settings;
    return min[cutAxis] + cutPosition * (max[cutAxis] - min[cutAxis]);
  }

  get keptTets(): number {
    return this.cut?.keptTets ?? 0;
  }

  /** Everything on the stage, from frame and settings. */
  redraw(): void {
    const { settings, stage } = this;
    stage.showFloor(settings.floor);
    stage.showBox(settings.box);
    stage.solids.visible = settings.solids;
    this.notice = '';
    this.legend = null;
    const cutMode = settings.mode === 'cut';
    const painted = !cutMode && (settings.mode !== 'water' || this.findField(settings.color) !== null);
    this.water.active = !cutMode && !painted && this.frame !== null;
    this.water.setFlatShading(settings.shading === 'flat');
    this.shadowProxy.visible = this.water.active;
    stage.setShadowStrength(this.water.active ? 0.4 : 1);
    this.surfacePaint.mesh.visible = painted && this.frame !== null;
    this.cutPaint.mesh.visible = cutMode && !!this.frame?.volume;
    this.ghost.visible = cutMode && settings.ghost && this.frame !== null;
    this.handle.show(cutMode);
    if (this.frame) {
      if (painted) this.drawSurface(this.frame);
      if (cutMode) this.drawCut(this.frame);
    }
    stage.markShadowsDirty();
  }

  private drawSurface(frame: FrameData): void {
    const { settings, stage } = this;
    const field = this.findField(settings.color);
    const scalar = field ? computeScalar(field, settings.component) : null;
    this.surfacePaint.setCorners(buildSurfaceCorners(frame.surface, scalar, field?.on ?? 'vertex'));
    const wire = settings.mode === 'wireframe';
    this.surfacePaint.setLook(
      { edges: wire, flat: settings.shading === 'flat', fillAlpha: 1 },
      stage.theme.matte,
      stage.theme.edge,
    );
    this.setColors(this.surfacePaint, field, scalar);
  }

  private drawCut(frame: FrameData): void {
    const { settings, stage } = this;
    const offset = this.cutOffset();
    this.handle.place(settings.cutAxis, offset);
    if (!frame.volume) {
      this.notice =
        'No tetrahedra are kept for this frame. Scenes save them with "output": { "volume": 1 }; live runs keep the latest.';
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
    this.cutPaint.setLook({ edges: true, flat: true, fillAlpha: 1 }, stage.theme.matte, stage.theme.edge);
    this.setColors(this.cutPaint, field, scalar);
  }

  private setColors(target: PaintedMesh, field: FieldData | null, scalar: Float32Array | null): void {
    if (!field || !scalar) {
      target.setColors(null, 0, 1);
      return;
    }
    const [min, max] = this.settings.range ?? measureRange(scalar);
    target.setColors(findColorMap(this.settings.map), min, max);
    const part =
      field.components === 3
        ? this.settings.component === 'magnitude'
          ? ' magnitude'
          : ` ${this.settings.component}`
        : '';
    this.legend = { field: field.name + part, unit: field.unit, map: this.settings.map, min, max };
  }

  private findField(name: string): FieldData | null {
    if (name === '') return null;
    const mesh = this.settings.mode === 'cut' ? this.frame?.volume : this.frame?.surface;
    return mesh?.fields.find((field) => field.name === name) ?? null;
  }
}
