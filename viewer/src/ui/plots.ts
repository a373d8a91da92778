/** Curves over time from stats.jsonl, with the shown moment marked; a click goes there. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { StatsRecord } from '../data/types.ts';
import { PALETTE_SIZE, regionCss } from '../view/palette.ts';
import { Segments } from './controls.ts';
import { el, formatNumber } from './dom.ts';

interface Curve {
  readonly label: string;
  /** CSS; the charts' own colours in their order where absent */
  readonly stroke?: string;
  readonly values: (number | null)[];
}

interface Chart {
  readonly id: string;
  readonly title: string;
  /** Of the values; where it depends on what the run records, a function of that. */
  readonly unit: string | ((stats: readonly StatsRecord[]) => string);
  /** `stages`: what the stages of a step do, by name. */
  curves(stats: readonly StatsRecord[], stages: Readonly<Record<string, string>>): Curve[];
  /** What the chart leaves out, in words. */
  note?(stats: readonly StatsRecord[]): string;
}

/** Curves that a person can still tell apart. */
const MAX_REGION_CURVES = PALETTE_SIZE;
/** Of any chart: a run names about ten stages. */
const MAX_CURVES = 40;

/** Labels of all regions that the run ever had, ascending; the outside has no volume. */
const listRegions = (stats: readonly StatsRecord[]): number[] =>
  [...new Set(stats.flatMap(({ regions }) => (regions ?? []).map(({ label }) => label)))]
    .filter((label) => label !== 0)
    .sort((a, b) => a - b);

/** Volume of each region, in the colour it has in the picture; nothing where it does not exist. */
function listRegionCurves(stats: readonly StatsRecord[]): Curve[] {
  const tables = stats.map(
    ({ regions }) => new Map((regions ?? []).map(({ label, volume }) => [label, volume] as const)),
  );
  return listRegions(stats)
    .slice(0, MAX_REGION_CURVES)
    .map((label) => ({
      label: String(label),
      stroke: regionCss(label),
      values: tables.map((table) => table.get(label) ?? null),
    }));
}

/** Distinct on both themes, and to colour-blind readers in this order. */
const STROKES = ['#3fa7e0', '#f08a4b', '#5fbf7f', '#c07ad6', '#e0c04a', '#e0637f', '#7fd0d0', '#a0a8b4'];

const pluck = (stats: readonly StatsRecord[], names: readonly [string, string][]): Curve[] =>
  names
    .filter(([name]) => stats.some((record) => typeof record[name] === 'number'))
    .map(([name, label]) => ({
      label,
      values: stats.map((record) => (typeof record[name] === 'number' ? (record[name] as number) : null)),
    }));

/** Does the run say what its volume should be? Runs of earlier versions do not. */
const hasMeantVolume = (stats: readonly StatsRecord[]): boolean =>
  stats.some(({ ledger }) => (ledger?.volumeMeant ?? 0) > 0);

/** Volume as per cent of what should be there: start, sources, and what the scene takes away. */
function listVolumeCurves(stats: readonly StatsRecord[]): Curve[] {
  if (!hasMeantVolume(stats)) return pluck(stats, [['volume', 'volume']]);
  const values = stats.map(({ volume, ledger }) => {
    const meant = ledger?.volumeMeant ?? 0;
    return volume === undefined || meant <= 0 ? null : (100 * volume) / meant;
  });
  return [{ label: 'of what should be there', values }];
}

/** What each cause has added to the volume since the start; without those that did nothing. */
function listCauseCurves(stats: readonly StatsRecord[]): Curve[] {
  const totals = stats.map(({ ledger }) => ledger?.total.volume ?? {});
  const names = new Set(totals.flatMap((total) => Object.keys(total)));
  const most = stats.reduce((largest, { volume }) => Math.max(largest, volume ?? 0), 0);
  names.delete('start');
  return [...names]
    .filter((name) => totals.some((total) => Math.abs(total[name] ?? 0) > SEEN * most))
    .map((label) => ({ label, values: totals.map((total) => total[label] ?? null) }));
}

/** Share of the volume below which a cause is rounding. */
const SEEN = 1e-9;

const CHARTS: readonly Chart[] = [
  {
    id: 'volume',
    title: 'Volume',
    unit: (stats) => (hasMeantVolume(stats) ? '%' : 'm³'),
    curves: listVolumeCurves,
  },
  { id: 'causes', title: 'Volume by cause', unit: 'm³', curves: listCauseCurves },
  {
    id: 'regions',
    title: 'Regions',
    unit: 'm³',
    curves: listRegionCurves,
    note: (stats) => {
      const count = listRegions(stats).length;
      return count > MAX_REGION_CURVES ? `The first ${MAX_REGION_CURVES} of ${count} regions.` : '';
    },
  },
  {
    id: 'energy',
    title: 'Energy',
    unit: 'J',
    curves: (stats) =>
      pluck(stats, [
        ['kineticEnergy', 'kinetic'],
        ['potentialEnergy', 'potential'],
        ['surfaceEnergy', 'surface'],
      ]),
  },
  {
    id: 'elements',
    title: 'Elements',
    unit: '',
    curves: (stats) =>
      pluck(stats, [
        ['vertices', 'vertices'],
        ['triangles', 'triangles'],
        ['tets', 'tets'],
        ['particles', 'particles'],
      ]),
  },
  {
    id: 'stages',
    title: 'Seconds per stage',
    unit: 's',
    curves: (stats, stages) => {
      const names = new Set(stats.flatMap((record) => Object.keys(record.wall ?? {})));
      return [...names].map((name) => ({
        label: Object.hasOwn(stages, name) ? stages[name] : name,
        values: stats.map((record) => {
          const ms = record.wall?.[name];
          return ms === undefined ? null : ms / 1000;
        }),
      }));
    },
  },
  { id: 'speed', title: 'Fastest', unit: 'm/s', curves: (stats) => pluck(stats, [['maxSpeed', 'speed']]) },
  {
    id: 'solver',
    title: 'Solver iterations',
    unit: '',
    curves: (stats) => {
      const names = new Set(stats.flatMap((record) => Object.keys(record.solver ?? {})));
      return [...names].map((label) => ({
        label,
        values: stats.map((record) => record.solver?.[label]?.iterations ?? null),
      }));
    },
  },
];

/**
 * Per cent on a scale that shows one per cent as little: a volume kept to the last digit is a flat line at
 * 100.
 */
function findPercentRange(_plot: uPlot, least: number | null, most: number | null): [number, number] {
  const low = Math.min(99, least ?? 99);
  const high = Math.max(101, most ?? 101);
  const margin = 0.05 * (high - low);
  return [low - margin, high + margin];
}

/** As many figures as tell neighbouring ticks apart. */
function formatTicks(ticks: readonly number[]): string[] {
  const gap = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 0;
  const largest = Math.max(...ticks.map(Math.abs));
  const figures =
    gap > 0 && largest > 0 ? Math.min(12, Math.max(3, Math.ceil(Math.log10(largest / gap)) + 2)) : 4;
  return ticks.map((tick) => {
    const text = Number(tick.toPrecision(figures));
    return Math.abs(text) >= 1e6 || (text !== 0 && Math.abs(text) < 1e-4)
      ? text.toExponential()
      : String(text);
  });
}

export class Plots {
  readonly element: HTMLElement;
  private readonly tabs: Segments;
  private readonly holder: HTMLElement;
  private readonly empty: HTMLElement;
  private chart = CHARTS[0];
  private plot: uPlot | null = null;
  private stats: readonly StatsRecord[] = [];
  private time = 0;
  private stages: Readonly<Record<string, string>> = {};

  constructor(private readonly onSeek: (time: number) => void) {
    this.tabs = new Segments(
      'plot-tabs',
      CHARTS.map(({ id, title }) => ({ value: id, label: title })),
      (id) => {
        this.chart = CHARTS.find((chart) => chart.id === id) ?? CHARTS[0];
        this.rebuild();
      },
    );
    this.holder = el('div', { id: 'plot', class: 'plot' });
    this.empty = el('p', { class: 'dim' });
    this.element = el(
      'section',
      { id: 'plots', class: 'plots', hidden: true },
      this.tabs.element,
      this.holder,
      this.empty,
    );
    new ResizeObserver(() => this.resize()).observe(this.holder);
  }

  get visible(): boolean {
    return !this.element.hidden;
  }

  show(visible: boolean): void {
    this.element.hidden = !visible;
    if (visible) this.rebuild();
  }

  /** `stages`: what the stages of a step do, by name; kept where it is not given. */
  setStats(stats: readonly StatsRecord[], stages = this.stages): void {
    this.stats = stats;
    this.stages = stages;
    if (this.visible) this.rebuild();
  }

  setTime(time: number): void {
    this.time = time;
    if (!this.visible || !this.plot) return;
    this.plot.redraw(false, false);
    this.showValues(this.plot);
  }

  /** For tests and scripts: points of the chart now shown. */
  get points(): number {
    return this.plot?.data[0].length ?? 0;
  }

  private rebuild(): void {
    this.tabs.set(this.chart.id);
    this.plot?.destroy();
    this.plot = null;
    const curves = this.chart.curves(this.stats, this.stages).slice(0, MAX_CURVES);
    this.empty.textContent =
      curves.length === 0
        ? `This run records no ${this.chart.title.toLowerCase()}.`
        : (this.chart.note?.(this.stats) ?? '');
    this.empty.hidden = this.empty.textContent === '';
    this.holder.hidden = curves.length === 0;
    this.holder.dataset['points'] = '0';
    this.holder.dataset['curves'] = String(curves.length);
    if (curves.length === 0) return;
    const { unit: stated } = this.chart;
    const unit = typeof stated === 'string' ? stated : stated(this.stats);
    const withUnit = (text: string) => (unit === '' ? text : `${text} ${unit}`);
    this.holder.dataset['unit'] = unit;
    const ink = getComputedStyle(this.element).getPropertyValue('--dim').trim() || '#888';
    const grid = {
      stroke: getComputedStyle(this.element).getPropertyValue('--line').trim() || '#444',
      width: 1,
    };
    const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui, sans-serif' };
    const data: uPlot.AlignedData = [
      this.stats.map((record) => record.time ?? 0),
      ...curves.map((curve) => curve.values),
    ];
    this.plot = new uPlot(
      {
        width: Math.max(200, this.holder.clientWidth),
        height: Math.max(90, this.holder.clientHeight - 30),
        scales: { x: { time: false }, ...(unit === '%' && { y: { range: findPercentRange } }) },
        cursor: { y: false, drag: { x: false, y: false } },
        axes: [
          // Room for "0.0012 s": frames of drops are a fraction of a millisecond apart.
          {
            ...axis,
            size: 28,
            space: 90,
            values: (_plot, ticks) => ticks.map((tick) => `${formatNumber(tick)} s`),
          },
          { ...axis, size: 84, space: 26, values: (_plot, ticks) => formatTicks(ticks).map(withUnit) },
        ],
        series: [
          { label: 'time', value: (_plot, value) => (value === null ? '–' : `${formatNumber(value)} s`) },
          ...curves.map((curve, i) => ({
            label: curve.label,
            stroke: curve.stroke ?? STROKES[i % STROKES.length],
            width: 1.5,
            points: { show: false },
            value: (_plot: uPlot, value: number | null) =>
              value === null ? '–' : withUnit(formatNumber(value)),
          })),
        ],
        // The legend is empty until the plot has drawn itself once.
        hooks: { draw: [(plot) => this.drawMoment(plot)], ready: [(plot) => this.showValues(plot)] },
      },
      data,
      this.holder,
    );
    this.showValues(this.plot);
    // Once the names are written, it is known how many lines they take.
    requestAnimationFrame(() => this.resize());
    this.holder.dataset['points'] = String(this.points);
    this.plot.over.addEventListener('click', (event) => {
      if (this.plot) this.onSeek(this.plot.posToVal(event.offsetX, 'x'));
    });
  }

  /** The numbers below the curves are those of the shown moment, until the pointer asks for others. */
  private showValues(plot: uPlot): void {
    const times = plot.data[0];
    let nearest = 0;
    for (let i = 1; i < times.length; i++) {
      if (Math.abs(times[i] - this.time) < Math.abs(times[nearest] - this.time)) nearest = i;
    }
    plot.setLegend({ idx: nearest });
  }

  private drawMoment(plot: uPlot): void {
    const x = plot.valToPos(this.time, 'x', true);
    const { left, top, width, height } = plot.bbox;
    if (!(x >= left && x <= left + width)) return;
    const { ctx } = plot;
    ctx.save();
    ctx.strokeStyle = '#ff7a3d';
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    ctx.restore();
  }

  private resize(): void {
    if (!this.visible || !this.plot || this.holder.clientWidth === 0) return;
    // The names below the curves may need more than one line.
    const names = this.holder.querySelector<HTMLElement>('.u-legend')?.offsetHeight ?? 30;
    this.plot.setSize({
      width: Math.max(200, this.holder.clientWidth),
      height: Math.max(70, this.holder.clientHeight - names - 2),
    });
  }
}
