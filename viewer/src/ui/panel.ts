/**
 * The side panel: how to show, colour and cut. Writes to the settings and follows them, whoever changed them.
 */
import type { RunSource } from '../data/source.ts';
import type { Settings, SettingsStore } from '../settings.ts';
import { COLOR_MAPS } from '../view/colormap.ts';
import type { Component } from '../view/paint.ts';
import type { Viewer } from '../view/viewer.ts';
import { numberInput, range, row, Segments, section, select, setChoices, toggle } from './controls.ts';
import { el, formatNumber } from './dom.ts';

export class Panel {
  readonly element: HTMLElement;
  private readonly mode: Segments;
  private readonly shading: Segments;
  private readonly axis: Segments;
  private readonly color: HTMLSelectElement;
  private readonly component: HTMLSelectElement;
  private readonly componentRow: HTMLElement;
  private readonly map: HTMLSelectElement;
  private readonly rangeMin: HTMLInputElement;
  private readonly rangeMax: HTMLInputElement;
  private readonly cutPosition: HTMLInputElement;
  private readonly cutShrink: HTMLInputElement;
  private readonly cutText: HTMLElement;
  private readonly cutSection: HTMLElement;
  private readonly slice: Segments;
  private readonly sheetSection: HTMLElement;
  private readonly filmRows: HTMLElement;
  private readonly thickness: HTMLInputElement;
  private readonly thicknessText = el('output', { id: 'thickness-text', class: 'dim' });
  private readonly spread: HTMLInputElement;
  private readonly tetRows: HTMLElement;
  private readonly tetFrames = el('p', { id: 'cut-frames', class: 'dim' });
  private readonly mapRows: HTMLElement;
  private readonly counts: HTMLElement;
  private readonly particles: HTMLElement;
  private readonly frustum: HTMLElement;

  constructor(
    private readonly settings: SettingsStore,
    private readonly viewer: Viewer,
    private readonly source: () => RunSource | null,
  ) {
    const set = (change: Partial<Settings>) => settings.set(change);
    this.mode = new Segments(
      'mode',
      [
        { value: 'water', label: 'Water' },
        { value: 'surface', label: 'Matte' },
        { value: 'wireframe', label: 'Wire' },
        { value: 'cut', label: 'Cut' },
        { value: 'materials', label: 'Materials' },
        { value: 'film', label: 'Film' },
        { value: 'particles', label: 'Particles' },
      ],
      (mode) => set({ mode: mode as Settings['mode'] }),
    );
    this.shading = new Segments(
      'shading',
      [
        { value: 'smooth', label: 'Smooth' },
        { value: 'flat', label: 'Flat' },
      ],
      (shading) => set({ shading: shading as Settings['shading'] }),
    );
    this.axis = new Segments(
      'cut-axis',
      ['x', 'y', 'z'].map((label, i) => ({ value: String(i), label })),
      (axis) => this.chooseAxis(Number(axis) as 0 | 1 | 2),
    );
    this.color = select('color', [], (color) => set({ color }));
    this.component = select(
      'component',
      ['magnitude', 'x', 'y', 'z'].map((value) => ({ value, label: value })),
      (component) => set({ component: component as Component }),
    );
    this.componentRow = row('Part', 'component', this.component);
    this.map = select(
      'map',
      COLOR_MAPS.map(({ name }) => ({ value: name, label: name })),
      (map) => set({ map }),
    );
    this.rangeMin = numberInput('range-min', () => this.writeRange());
    this.rangeMax = numberInput('range-max', () => this.writeRange());
    this.mapRows = el(
      'div',
      { class: 'rows' },
      this.componentRow,
      row('Map', 'map', this.map),
      row('Range', 'range-min', this.rangeMin, el('span', { class: 'dim' }, '–'), this.rangeMax),
      toggle('range-auto', 'Follow each frame', (on) => this.setAuto(on)),
    );
    this.cutPosition = range('cut-position', [0, 1, 0.005], (cutPosition) => set({ cutPosition }));
    this.cutShrink = range('cut-shrink', [0, 0.6, 0.02], (cutShrink) => set({ cutShrink }));
    this.cutText = el('output', { id: 'cut-offset', class: 'dim' });
    this.tetRows = el(
      'div',
      { class: 'rows' },
      row('Apart', 'cut-shrink', this.cutShrink),
      toggle('ghost', 'Outline of the liquid', (ghost) => set({ ghost })),
      this.tetFrames,
    );
    this.cutSection = section(
      'Cut',
      'cut-section',
      row('Axis', 'cut-axis', this.axis.element),
      row('Place', 'cut-position', this.cutPosition, this.cutText),
      toggle('cut-flip', 'Keep the other side', (cutFlip) => set({ cutFlip })),
      this.tetRows,
    );
    this.slice = new Segments(
      'slice',
      [
        { value: 'off', label: 'Whole' },
        { value: 'solid', label: 'Solid' },
        { value: 'hollow', label: 'Hollow' },
      ],
      (slice) => set(viewer.openSlice(slice as Settings['slice'])),
    );
    this.thickness = range('thickness', [0, 1200, 10], (thickness) => set({ thickness }));
    this.spread = range('thickness-spread', [0, 1, 0.05], (thicknessSpread) => set({ thicknessSpread }));
    this.filmRows = el(
      'div',
      { class: 'rows' },
      row('Film', 'thickness', this.thickness, this.thicknessText),
      row('Drained', 'thickness-spread', this.spread),
    );
    this.sheetSection = section(
      'Sheets',
      'sheet-section',
      this.slice.element,
      toggle('hide-outer', 'Hide outer faces', (hideOuter) => set({ hideOuter })),
      toggle('curves', 'Curves where sheets meet', (curves) => set({ curves })),
      this.filmRows,
    );
    this.particles = toggle('show-particles', 'Particles', (particles) => set({ particles }));
    this.frustum = toggle('show-frustum', 'Camera of the scene', (frustum) => set({ frustum }));
    this.counts = el('div', { id: 'counts', class: 'counts' });
    this.element = el(
      'aside',
      { id: 'panel', class: 'panel', 'aria-label': 'How to show the liquid' },
      section('Show', 'show-section', this.mode.element, row('Shading', 'shading', this.shading.element)),
      section('Colour by', 'color-section', this.color, this.mapRows),
      this.sheetSection,
      this.cutSection,
      section(
        'Scene',
        'scene-section',
        toggle('show-solids', 'Solids', (solids) => set({ solids })),
        this.particles,
        this.frustum,
        toggle('show-box', 'Domain box', (box) => set({ box })),
        toggle('show-floor', 'Floor', (floor) => set({ floor })),
        toggle('quality', 'Finer picture (slower)', (on) => set({ quality: on ? 'high' : 'fast' })),
      ),
      this.counts,
    );
    settings.onChange(() => this.update());
    this.update();
  }

  /** Brings every control in line with settings, frame and fields. */
  update(): void {
    const settings = this.settings.value;
    this.mode.set(settings.mode);
    this.mode.offer((mode) => mode === settings.mode || this.viewer.isOffered(mode as Settings['mode']));
    this.shading.set(settings.shading);
    this.axis.set(String(settings.cutAxis));
    this.cutPosition.value = String(settings.cutPosition);
    this.cutShrink.value = String(settings.cutShrink);
    this.cutText.textContent = `${formatNumber(this.viewer.cutOffset())} m`;
    const sheets = settings.mode === 'materials' || settings.mode === 'film';
    this.sheetSection.hidden = !sheets;
    this.slice.set(settings.slice);
    this.filmRows.hidden = settings.mode !== 'film' || this.viewer.hasThickness;
    this.thickness.value = String(settings.thickness);
    this.thicknessText.textContent = `${settings.thickness} nm`;
    this.spread.value = String(settings.thicknessSpread);
    this.cutSection.hidden = settings.mode !== 'cut' && !(sheets && settings.slice !== 'off');
    this.tetRows.hidden = settings.mode !== 'cut';
    this.tetFrames.textContent = this.describeTetFrames();
    this.check('hide-outer', settings.hideOuter);
    this.check('curves', settings.curves);
    const fields = this.viewer.listFields();
    setChoices(this.color, [
      { value: '', label: 'nothing' },
      ...fields.map(({ name, unit, on }) => ({
        value: name,
        label: `${name}${unit ? ` (${unit})` : ''}${on === 'cell' ? ' · cells' : ''}`,
      })),
    ]);
    const field = fields.find(({ name }) => name === settings.color);
    this.color.value = field ? settings.color : '';
    this.mapRows.hidden = !field;
    this.componentRow.hidden = field?.components !== 3;
    this.component.value = settings.component;
    this.map.value = settings.map;
    const legend = this.viewer.legend;
    if (legend && document.activeElement !== this.rangeMin && document.activeElement !== this.rangeMax) {
      this.rangeMin.value = String(Number(legend.min.toPrecision(4)));
      this.rangeMax.value = String(Number(legend.max.toPrecision(4)));
    }
    this.check('range-auto', settings.range === null);
    this.check('cut-flip', settings.cutFlip);
    this.check('ghost', settings.ghost);
    this.check('show-solids', settings.solids);
    this.check('show-particles', settings.particles);
    this.particles.hidden = (this.source()?.info.particlesEvery ?? 0) === 0;
    this.check('show-frustum', settings.frustum);
    this.frustum.hidden = !this.viewer.sceneCamera.isThere;
    this.check('show-box', settings.box);
    this.check('show-floor', settings.floor);
    this.check('quality', settings.quality === 'high');
    this.updateCounts();
  }

  private updateCounts(): void {
    const frame = this.viewer.frame;
    const parts: [string, number][] = frame
      ? [
          ['vertices', frame.surface.regions?.vertexCount ?? frame.surface.position.length / 3],
          ['triangles', frame.surface.triangle.length / 3],
        ]
      : [];
    if (frame?.particles) parts.push(['particles', frame.particles.radius.length]);
    if (frame?.surface.regions) parts.push(['regions', frame.surface.regions.labels.length - 1]);
    if (frame?.volume) parts.push(['tets', frame.volume.tet.length / 4]);
    if (this.settings.value.mode === 'cut' && frame?.volume) parts.push(['tets shown', this.viewer.keptTets]);
    this.counts.replaceChildren(
      ...parts.map(([name, count]) =>
        el('div', {}, el('b', {}, count.toLocaleString('en')), el('span', { class: 'dim' }, name)),
      ),
    );
  }

  /** Which frames can be cut, where that is not all of them. */
  private describeTetFrames(): string {
    const { info, volumeFrames = [] } = this.source() ?? {};
    if (!info || volumeFrames.length === 0 || volumeFrames.length === info.frameCount) return '';
    const { length } = volumeFrames;
    return `${length} of ${info.frameCount} frames come with tetrahedra: the timeline stops at these.`;
  }

  private chooseAxis(cutAxis: 0 | 1 | 2): void {
    this.settings.set({ cutAxis });
    const { mode, slice } = this.settings.value;
    if (mode !== 'cut') this.settings.set(this.viewer.openSlice(slice));
  }

  private check(id: string, on: boolean): void {
    const input = this.element.querySelector<HTMLInputElement>(`#${id}`);
    if (input) input.checked = on;
  }

  private setAuto(on: boolean): void {
    const legend = this.viewer.legend;
    this.settings.set({ range: on || !legend ? null : [legend.min, legend.max] });
  }

  private writeRange(): void {
    const [min, max] = [this.rangeMin.valueAsNumber, this.rangeMax.valueAsNumber];
    if (Number.isFinite(min) && Number.isFinite(max) && min < max) this.settings.set({ range: [min, max] });
  }
}
