/**
 * The regions of a labelled surface by their colours; a click switches one off or on, a double click leaves
 * it alone in the picture.
 */
import type { SettingsStore } from '../settings.ts';
import { regionCss } from '../view/palette.ts';
import { el } from './dom.ts';

export class RegionCard {
  readonly element = el('div', { id: 'regions', class: 'card regions', hidden: true });
  private readonly list = el('div', { class: 'swatches', role: 'group', 'aria-label': 'Regions' });
  private readonly all: HTMLButtonElement;
  private key = '';

  constructor(private readonly settings: SettingsStore) {
    this.all = el(
      'button',
      { id: 'regions-all', class: 'quiet', type: 'button', click: () => settings.set({ hiddenRegions: [] }) },
      'all',
    );
    this.element.append(
      el('div', { class: 'title' }, 'Regions', el('span', { class: 'dim', id: 'region-count' }), this.all),
      this.list,
    );
  }

  /** Labels with the outside 0 among them, or null to hide the card; names of those that have one. */
  update(labels: Int32Array | null, names: Readonly<Record<number, string>> = {}): void {
    this.element.hidden = labels === null;
    if (!labels) return;
    const { hiddenRegions } = this.settings.value;
    const key = JSON.stringify([labels.join(), names]);
    if (key !== this.key) {
      this.key = key;
      const regions = [...labels].filter((label) => label !== 0);
      this.element.querySelector('#region-count')?.replaceChildren(String(regions.length));
      this.list.classList.toggle('named', Object.keys(names).length > 0);
      this.list.replaceChildren(...regions.map((label) => this.createSwatch(label, regions, names[label])));
    }
    for (const button of this.list.querySelectorAll('button')) {
      const off = hiddenRegions.includes(Number(button.dataset['label']));
      button.setAttribute('aria-pressed', String(!off));
    }
    this.all.hidden = hiddenRegions.length === 0;
  }

  private createSwatch(label: number, regions: readonly number[], name?: string): HTMLButtonElement {
    const swatch = el('span', { class: 'swatch' });
    swatch.style.background = regionCss(label);
    return el(
      'button',
      {
        class: 'region',
        type: 'button',
        'data-label': String(label),
        title: `${name ?? `Region ${label}`}: click to hide or show, double click to show it alone`,
        click: () => this.toggle(label),
        dblclick: () => this.settings.set({ hiddenRegions: regions.filter((other) => other !== label) }),
      },
      swatch,
      name ?? String(label),
    );
  }

  private toggle(label: number): void {
    const { hiddenRegions } = this.settings.value;
    this.settings.set({
      hiddenRegions: hiddenRegions.includes(label)
        ? hiddenRegions.filter((other) => other !== label)
        : [...hiddenRegions, label],
    });
  }
}
