/** Small things laid over the picture: legend, picked vertex, messages, help. */
import { colorMapGradient, findColorMap } from '../view/colormap.ts';
import type { Pick } from '../view/pick.ts';
import type { Legend } from '../view/viewer.ts';
import { el, formatNumber, iconButton } from './dom.ts';

export class LegendCard {
  readonly element = el('div', { id: 'legend', class: 'card legend', hidden: true });

  update(legend: Legend | null): void {
    this.element.hidden = legend === null;
    if (!legend) return;
    const bar = el('div', { class: 'bar' });
    bar.style.background = colorMapGradient(findColorMap(legend.map), 'to right');
    const middle = (legend.min + legend.max) / 2;
    this.element.replaceChildren(
      el('div', { class: 'title' }, legend.field, el('span', { class: 'dim' }, legend.unit)),
      bar,
      el(
        'div',
        { class: 'ticks' },
        ...[legend.min, middle, legend.max].map((value) => el('span', {}, formatNumber(value))),
      ),
    );
  }
}

export class PickCard {
  readonly element = el('div', { id: 'pick', class: 'card pick', hidden: true });

  constructor(private readonly onClose: () => void) {}

  update(pick: Pick | null): void {
    this.element.hidden = pick === null;
    if (!pick) return;
    const line = (name: string, value: string, unit: string) =>
      el('tr', {}, el('th', {}, name), el('td', {}, value), el('td', { class: 'dim' }, unit));
    const rows = [
      line('position', pick.position.map(formatNumber).join('  '), 'm'),
      ...pick.fields.map((field) => line(field.name, field.value.map(formatNumber).join('  '), field.unit)),
    ];
    const vector = pick.fields.find((field) => field.value.length === 3);
    if (vector) rows.push(line(`|${vector.name}|`, formatNumber(Math.hypot(...vector.value)), vector.unit));
    this.element.dataset['vertex'] = String(pick.vertex);
    this.element.replaceChildren(
      el(
        'div',
        { class: 'title' },
        `Vertex ${pick.vertex}`,
        el('span', { class: 'dim' }, `${pick.on === 'surface' ? 'triangle' : 'tet'} ${pick.cell}`),
        iconButton('pick-close', 'close', 'Close', this.onClose),
      ),
      el('table', {}, ...rows),
    );
  }
}

/** Messages that do not stop the work. Errors stay until closed; the rest go by themselves. */
export class Toasts {
  readonly element = el('div', { id: 'toasts', class: 'toasts', role: 'status', 'aria-live': 'polite' });

  show(text: string, kind: 'info' | 'error' = 'info'): void {
    const toast = el('div', { class: `toast ${kind}` }, el('span', {}, text));
    toast.append(iconButton('', 'close', 'Close', () => toast.remove()));
    this.element.append(toast);
    while (this.element.childElementCount > 4) this.element.firstElementChild?.remove();
    if (kind === 'info') setTimeout(() => toast.remove(), 6000);
  }
}

export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ['space', 'play or pause'],
  ['← →', 'one frame back or on (shift: ten)'],
  ['Home End', 'first or last frame'],
  ['L', 'repeat'],
  ['1 2 3 4', 'water, matte, wire, cut'],
  ['M B', 'materials, films'],
  ['O K', 'outer faces, curves: hide or show'],
  ['C', 'next field to colour by'],
  ['S', 'smooth or flat'],
  ['X Y Z', 'cut across x, y or z'],
  ['[ ]', 'move the cut'],
  ['F', 'fit the view'],
  ['5 6 7', 'front, side, top'],
  ['P', 'plots'],
  ['V', 'live: run a scene here'],
  ['I', 'save a picture'],
  ['T', 'dark or light'],
  ['H', 'hide or show the panels'],
  ['Esc', 'close what is open'],
  ['?', 'this list'],
];

export class Help {
  readonly element: HTMLDialogElement;

  constructor() {
    this.element = el(
      'dialog',
      { id: 'help', class: 'help' },
      el('h2', {}, 'Keys and pointer'),
      el('dl', {}, ...SHORTCUTS.flatMap(([keys, what]) => [keyList(keys), el('dd', {}, what)])),
      el(
        'p',
        { class: 'dim' },
        'Drag to orbit, right-drag (or two fingers) to pan, wheel to zoom. Click the liquid to read a vertex; ',
        'drag the orange knob to move the cut. Drop a run folder anywhere to open it.',
      ),
      el('form', { method: 'dialog' }, el('button', { class: 'primary' }, 'Close')),
    );
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}

function keyList(keys: string): HTMLElement {
  return el('dt', {}, ...keys.split(' ').map((key) => el('kbd', {}, key)));
}
