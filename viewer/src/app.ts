/** The page: puts viewer, player and controls together and lets them talk. */
import { Group } from 'three';
import { findList } from '../../src/methods/presentation.ts';
import { findPresentation } from '../../src/run/presentations.ts';
import type { Shown } from './address.ts';
import { FrameStore } from './data/frame-store.ts';
import { isRunning, type RunSource } from './data/source.ts';
import type { FrameData, Vec3 } from './data/types.ts';
import { Player } from './player.ts';
import { DEFAULT_SETTINGS, type Settings, SettingsStore } from './settings.ts';
import { Help, LegendCard, PickCard, Toasts } from './ui/cards.ts';
import { download, el, iconButton } from './ui/dom.ts';
import { drawLegend } from './ui/draw-legend.ts';
import { Panel } from './ui/panel.ts';
import { Plots } from './ui/plots.ts';
import { RegionCard } from './ui/region-card.ts';
import { Timeline } from './ui/timeline.ts';
import type { ViewDirection } from './view/camera.ts';
import { parseCamera } from './view/frustum.ts';
import { buildSolids, createShapeMaterial } from './view/solids.ts';
import { Viewer } from './view/viewer.ts';
import { buildWires, parseWires } from './view/wires.ts';

/** How often a run that is still going is asked for news, milliseconds. */
const POLL_INTERVAL = 1500;

/** Notes shown of a kind. */
const MAX_NOTES = 2;

/** Frames by which the picture may be behind a live run and still be touched. */
const LIVE_LAG = 4;
const POKE_HINT = 'Click the surface to touch it.';
const LEAD_HINT = 'Drag what can be moved: it goes through the liquid.';
const READ_HINT = 'Shift-click reads a vertex.';

export interface AppOptions {
  readonly settings: Partial<Settings>;
  /** False hides everything but the picture (`?chrome=0`). */
  readonly chrome: boolean;
  readonly view: ViewDirection;
}

export class App {
  readonly settings: SettingsStore;
  readonly viewer: Viewer;
  readonly player: Player;
  readonly plots: Plots;
  readonly help = new Help();
  readonly toasts = new Toasts();
  /** Where the live panel and the list of runs go. */
  readonly side = el('div', { id: 'side', class: 'side' });
  readonly toolbar = el('nav', { class: 'toolbar', 'aria-label': 'Tools' });
  source: RunSource | null = null;
  /** Frame, look or camera have changed. */
  onLook: () => void = () => {};
  /** Surfaces of live runs shown between frames. */
  previewCount = 0;
  private readonly panel: Panel;
  private readonly timeline: Timeline;
  private readonly legend = new LegendCard();
  private readonly pickCard: PickCard;
  private readonly regionCard: RegionCard;
  private readonly title = el('div', { id: 'run', class: 'run' });
  private readonly header = el('header', { class: 'top' });
  private readonly pokeHint = el('p', { id: 'poke-hint', class: 'poke-hint', hidden: true });
  private readonly notice = el('p', { id: 'notice', class: 'notice', hidden: true });
  private readonly view: ViewDirection;
  private fitted = false;
  /** The page's address names the open run. */
  private isAddressed = false;
  /** Nobody has said how to show the run: its first frame decides. */
  private modeOpen: boolean;

  constructor(
    readonly root: HTMLElement,
    readonly canvas: HTMLCanvasElement,
    options: AppOptions,
  ) {
    this.view = options.view;
    this.settings = new SettingsStore(options.settings);
    this.modeOpen = options.settings.mode === undefined;
    root.append(canvas);
    this.viewer = new Viewer(canvas, this.settings.value);
    this.player = new Player({
      frame: (frame) => this.showFrame(frame),
      change: () => this.followPlayer(),
      failed: (error, index) =>
        this.toasts.show(`Frame ${index} could not be loaded. ${error.message}`, 'error'),
    });
    this.settings.onChange((settings, changed) => {
      if (changed.has('mode')) this.modeOpen = false;
      this.viewer.applySettings(settings, changed);
      this.player.setWithVolume(settings.mode === 'cut');
      if (changed.has('quality')) this.resize();
      if (changed.has('theme')) document.documentElement.dataset['theme'] = settings.theme;
      this.onLook();
      this.followViewer();
    });
    this.panel = new Panel(this.settings, this.viewer, () => this.source);
    this.timeline = new Timeline(
      this.player,
      (frame) => this.timeOf(frame),
      () => this.source?.info.framesPlanned ?? 0,
    );
    this.plots = new Plots((time) => void this.player.seek(this.frameAt(time)));
    this.pickCard = new PickCard(() => this.clearPick());
    this.regionCard = new RegionCard(this.settings);
    this.viewer.backdrop.onMoved = () => this.onLook();
    this.viewer.handle.onDrag = (offset) => this.dragCut(offset);
    this.viewer.lead.isOpen = () => this.isLeadable();
    this.viewer.lead.onLead = (solid, to) => this.source?.lead?.(solid, to);
    document.documentElement.dataset['theme'] = this.settings.value.theme;
    this.player.setWithVolume(this.settings.value.mode === 'cut');
    this.build(options.chrome);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    new MutationObserver(() => this.updateInsets()).observe(this.side, {
      subtree: true,
      childList: true,
      attributeFilter: ['hidden'],
    });
    this.resize();
    root.classList.add('empty');
    this.updateInsets();
    this.viewer.backdrop.setBounds([0, 0, 0], [1, 1, 1]);
    this.fit();
  }

  /** Shows another run; the old one is closed. `isAddressed`: the page's address names it. */
  async open(source: RunSource, isAddressed = false): Promise<void> {
    this.source?.close();
    this.source = source;
    this.isAddressed = isAddressed;
    this.root.classList.remove('empty');
    this.updateInsets();
    this.fitted = false;
    this.clearPick();
    this.viewer.setSolids(null);
    this.viewer.setRun(source.info, this.view, null);
    this.player.setStore(new FrameStore(source));
    this.followSource();
    this.tell(source.notes);
    await Promise.all([this.loadSolids(source), this.player.seek(0)]);
  }

  /** Tells the page that the source has something new. */
  followSource(): void {
    const info = this.source?.info;
    if (!info) return;
    document.title = `${info.name} – meniscus`;
    const state = isRunning(info) ? `running ${info.frameCount}/${info.framesPlanned}` : info.status;
    this.title.replaceChildren(
      el('strong', {}, info.name),
      el('span', { class: 'chip' }, info.method),
      el('span', { id: 'status', class: `chip status-${info.status}` }, state),
      el('span', { id: 'bounds', class: 'chip bad' }, info.outOfBounds ? 'out of bounds' : ''),
    );
    this.plots.setStats(this.source?.stats ?? [], info.presentation.stages);
    this.followPoke();
    this.timeline.update();
    if (this.player.shown < 0 && info.frameCount > 0) void this.player.seek(0);
  }

  /** Notes of one kind may be thousands: the first few say what is wrong. */
  private tell(notes: readonly string[]): void {
    for (const note of notes.slice(0, MAX_NOTES)) this.toasts.show(note);
    if (notes.length > MAX_NOTES) this.toasts.show(`… and ${notes.length - MAX_NOTES} more like these.`);
  }

  fit(view: ViewDirection | null = null): void {
    this.viewer.backdrop.fit(view ?? this.view);
    // A view from elsewhere than the page's own is one that was chosen.
    if (view) this.viewer.backdrop.markMoved();
    this.onLook();
  }

  /** What the page's address should say. */
  describeLook(): Shown {
    const { value: settings } = this.settings;
    return {
      settings,
      mode: this.modeOpen ? null : settings.mode,
      camera: this.viewer.backdrop.cameraPlace,
      frame: this.isAddressed ? Math.max(0, this.player.index) : null,
      isRunKept: this.isAddressed || this.source === null,
    };
  }

  togglePlots(): void {
    this.plots.show(!this.plots.visible);
    this.root.classList.toggle('with-plots', this.plots.visible);
    this.updateInsets();
  }

  togglePanel(): void {
    this.root.classList.toggle('panel-closed');
    this.updateInsets();
  }

  clearPick(): void {
    this.viewer.clearPick();
    this.pickCard.update(null);
  }

  /** The picture as it stands, as PNG. */
  async takePicture(): Promise<Blob> {
    const picture = this.composePicture();
    return new Promise((resolve, reject) => {
      picture.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be encoded'))),
        'image/png',
      );
    });
  }

  /** The drawn liquid with its legend, without handles, on the given canvas or a new one. */
  composePicture(target: HTMLCanvasElement = el('canvas')): HTMLCanvasElement {
    const { backdrop } = this.viewer;
    const { hurried } = backdrop;
    // A picture to keep is drawn in full, also while a run goes on.
    backdrop.hurried = false;
    try {
      return this.copyPicture(target);
    } finally {
      backdrop.hurried = hurried;
      backdrop.requestRender();
    }
  }

  private copyPicture(target: HTMLCanvasElement): HTMLCanvasElement {
    this.viewer.backdrop.renderNow(false);
    const width = Math.round(this.canvas.width / this.supersampling);
    const height = Math.round(this.canvas.height / this.supersampling);
    if (target.width !== width || target.height !== height) Object.assign(target, { width, height });
    const context = target.getContext('2d');
    if (!context) throw new Error('the picture could not be composed: no 2D canvas');
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.canvas, 0, 0, width, height);
    if (this.viewer.legend) drawLegend(context, this.viewer.legend, this.settings.value.theme);
    return target;
  }

  /** Pixels drawn for each pixel shown, in each direction. */
  get supersampling(): number {
    return this.settings.value.quality === 'high' ? 2 : 1;
  }

  async savePicture(): Promise<void> {
    const blob = await this.takePicture();
    const name = (this.source?.info.name ?? 'meniscus').replace(/[^\w-]+/g, '-').toLowerCase();
    download(blob, `${name}-${String(Math.max(0, this.player.shown)).padStart(6, '0')}.png`);
  }

  timeOf(frame: number): number {
    return frame / (this.source?.info.fps ?? 30);
  }

  private frameAt(time: number): number {
    return Math.round(time * (this.source?.info.fps ?? 30));
  }

  private build(chrome: boolean): void {
    this.toolbar.append(
      iconButton('tool-plots', 'chart', 'Plots (P)', () => this.togglePlots()),
      iconButton('tool-fit', 'fit', 'Fit the view (F)', () => this.fit()),
      iconButton('tool-picture', 'camera', 'Save a picture (I)', () => void this.savePicture()),
      iconButton('tool-theme', 'theme', 'Dark or light (T)', () => this.toggleTheme()),
      iconButton('tool-help', 'help', 'Keys (?)', () => this.help.toggle()),
      iconButton('tool-panel', 'panel', 'Panel (H)', () => this.togglePanel()),
    );
    if (!chrome) {
      this.root.classList.add('bare');
      return;
    }
    const brand = el('div', { class: 'brand' }, el('span', { class: 'drop' }), 'meniscus');
    this.header.append(brand, this.title, this.toolbar);
    this.root.append(
      this.header,
      this.side,
      this.panel.element,
      el('div', { class: 'cards' }, this.pickCard.element, this.regionCard.element, this.legend.element),
      this.notice,
      this.pokeHint,
      this.plots.element,
      this.timeline.element,
      this.toasts.element,
      this.help.element,
    );
    // On a small screen the picture comes first; the panel is one tap away.
    if (matchMedia('(max-width: 720px)').matches) this.root.classList.add('panel-closed');
  }

  toggleTheme(): void {
    this.settings.set({ theme: this.settings.value.theme === 'dark' ? 'light' : 'dark' });
    this.plots.setStats(this.source?.stats ?? []);
  }

  private listen(): void {
    let down: PointerEvent | null = null;
    this.canvas.addEventListener('pointerdown', (event) => {
      down = event.button === 0 && !this.viewer.handle.busy && !this.viewer.lead.busy ? event : null;
    });
    this.canvas.addEventListener('pointerup', (event) => {
      // A click, not the end of an orbit.
      const still = down && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 4;
      if (still) this.click(event);
      down = null;
    });
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.toasts.show('The graphics card stopped drawing for this page. Reload to go on.', 'error');
    });
    setInterval(() => void this.poll(), POLL_INTERVAL);
  }

  private async poll(): Promise<void> {
    const source = this.source;
    if (!source || document.hidden || !isRunning(source.info)) return;
    try {
      if (await source.refresh()) this.followSource();
    } catch (error) {
      this.toasts.show(`The run could not be asked for news. ${(error as Error).message}`, 'error');
    }
  }

  /**
   * A click reads a vertex; in a live run that answers to clicks it touches the surface, and with shift it
   * reads.
   */
  private click({ clientX, clientY, shiftKey }: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((clientY - box.top) / box.height) * 2;
    if (!this.isPokeable() || shiftKey) {
      this.pickCard.update(this.viewer.pick(x, y));
      return;
    }
    const point = this.viewer.findPoint(x, y);
    if (point) this.source?.poke?.(point);
  }

  /** Only what is shown as it happens can be touched: an old frame's surface is no longer there. */
  private isPokeable(): boolean {
    return this.source?.canPoke === true && this.isFollowing();
  }

  private isLeadable(): boolean {
    return this.source?.canLead === true && this.isFollowing();
  }

  /** The picture is of the run as it is, to a few frames. */
  private isFollowing(): boolean {
    return this.player.shown >= (this.source?.info.frameCount ?? 0) - LIVE_LAG;
  }

  private followPoke(): void {
    const pokeable = this.isPokeable();
    this.root.classList.toggle('pokeable', pokeable);
    const leadable = this.isLeadable();
    this.pokeHint.hidden = !pokeable && !leadable;
    const hint = this.source?.info.presentation.pokeHint ?? POKE_HINT;
    if (pokeable) this.pokeHint.textContent = `${hint} ${READ_HINT}`;
    else if (leadable) this.pokeHint.textContent = LEAD_HINT;
  }

  private dragCut(offset: number): void {
    const { min, max } = this.viewer.backdrop.bounds;
    const axis = this.settings.value.cutAxis;
    const cutPosition = Math.min(1, Math.max(0, (offset - min[axis]) / (max[axis] - min[axis])));
    this.settings.set({ cutPosition });
  }

  /** The surface of a live run between frames: drawn, and not kept. */
  showPreview(frame: FrameData, time: number): void {
    // The first frame sets up view and look.
    if (!this.fitted) return;
    this.viewer.moveSolids(time);
    this.viewer.setFrame(frame);
    this.previewCount++;
    this.followViewer();
  }

  private showFrame(frame: FrameData): void {
    if (!this.fitted && this.source && !this.source.info.domain) {
      this.viewer.setRun(this.source.info, this.view, measureBounds(frame.surface.position));
    }
    this.chooseMode(frame, !this.fitted);
    this.fitted = true;
    this.pickCard.update(null);
    this.viewer.moveSolids(this.timeOf(this.player.shown));
    this.viewer.setFrame(frame);
    this.followViewer();
  }

  /**
   * As the method wants it, else labelled surfaces as materials and the rest as water, until somebody
   * chooses.
   */
  private chooseMode(frame: FrameData, isFirst: boolean): void {
    // A mode that was chosen for another run may show nothing of this one.
    const isOdd = isFirst && !this.viewer.isOffered(this.settings.value.mode, frame);
    if (!this.modeOpen && !isOdd) return;
    const wanted = this.source?.info.presentation.look;
    const fallback = frame.surface.regions ? 'materials' : DEFAULT_SETTINGS.mode;
    const mode = wanted && this.viewer.isOffered(wanted, frame) ? wanted : fallback;
    this.settings.set({ mode });
    this.modeOpen = true;
  }

  private followViewer(): void {
    this.panel.update();
    this.legend.update(this.viewer.legend);
    this.regionCard.update(this.viewer.regionLabels, this.viewer.frame?.surface.regions?.names);
    this.notice.hidden = this.viewer.notice === '';
    this.notice.textContent = this.viewer.notice;
  }

  private followPlayer(): void {
    this.followPoke();
    this.timeline?.update();
    this.plots?.setTime(this.timeOf(this.player.index));
    this.canvas.dataset['frame'] = String(this.player.shown);
    this.onLook();
  }

  private async loadSolids(source: RunSource): Promise<void> {
    const { solids, wires, domain, camera } = source.info;
    this.viewer.setSceneCamera(parseCamera(camera), this.timeOf(Math.max(0, this.player.shown)));
    if (solids.length + wires.length === 0 || !domain) return;
    const material = createShapeMaterial(this.viewer.backdrop.theme.solid);
    const { group, notes } = await buildSolids(solids, {
      domain,
      material,
      readFile: (path) => source.readAsset(path),
      handles: source.handles,
      isWanted: () => source === this.source,
    });
    if (source !== this.source) return;
    const parsed = parseWires(wires);
    for (const wire of buildWires(parsed.wires, domain, material)) group.add(wire);
    this.viewer.setSolids(group);
    this.viewer.moveSolids(this.timeOf(Math.max(0, this.player.shown)));
    this.tell([...notes, ...parsed.notes]);
  }

  /**
   * A scene before its run: the box, the solids, the wires, and the liquid where it will start. Leaves an
   * open run alone.
   */
  async preview(
    document: Record<string, unknown>,
    readFile: (path: string) => Promise<Uint8Array>,
  ): Promise<void> {
    if (this.source) return;
    const { domain, solids, liquids, method } = document as {
      domain: { min: Vec3; max: Vec3 };
      solids: unknown[];
      liquids: unknown[];
      method: string;
    };
    const wires = findList(document, findPresentation(method).wires);
    const { theme } = this.viewer.backdrop;
    const isWanted = () => !this.source;
    const material = createShapeMaterial(theme.solid);
    const stone = await buildSolids(solids, { domain, material, readFile, isWanted });
    for (const wire of buildWires(wires, domain, material)) stone.group.add(wire);
    const glass = createShapeMaterial(theme.matte, 0.5);
    const water = await buildSolids(liquids, { domain, material: glass, readFile, isWanted });
    if (this.source) return;
    this.viewer.backdrop.setBounds(domain.min, domain.max);
    this.fit();
    this.viewer.setSolids(new Group().add(stone.group, water.group));
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.viewer.backdrop.resize(
      clientWidth,
      clientHeight,
      Math.min(devicePixelRatio, 2) * this.supersampling,
    );
    this.updateInsets();
  }

  /**
   * Tells the backdrop what the panels cover; on a small screen they lie over the picture and count for
   * nothing.
   */
  updateInsets(): void {
    if (this.root.classList.contains('bare')) return;
    const width = (element: Element | null) => (element instanceof HTMLElement ? element.offsetWidth : 0);
    const beside = [...this.side.children].reduce((widest, child) => Math.max(widest, width(child)), 0);
    const panel = width(this.panel.element);
    const roomy = this.canvas.clientWidth > 2 * (beside + panel);
    this.viewer.backdrop.setInsets({
      left: roomy && beside > 0 ? beside + 12 : 0,
      right: roomy && panel > 0 ? panel + 12 : 0,
      top: this.header.offsetHeight + 12,
      bottom: this.plots.visible ? 0 : this.timeline.element.offsetHeight + 8,
    });
  }
}

/** The box about a cloud of points, for runs whose scene names no domain. */
function measureBounds(position: Float32Array): { min: Vec3; max: Vec3 } {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < position.length; i++) {
    min[i % 3] = Math.min(min[i % 3], position[i]);
    max[i % 3] = Math.max(max[i % 3], position[i]);
  }
  return position.length > 0 ? { min, max } : { min: [0, 0, 0], max: [1, 1, 1] };
}
