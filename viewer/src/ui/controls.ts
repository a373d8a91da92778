/**
 * Labelled controls of the side panels. Each has an id, so that people's scripts and our tests can find it.
 */
import { el } from './dom.ts';

export function section(title: string, id: string, ...children: (Node | string)[]): HTMLElement {
  return el('section', { id, class: 'group' }, el('h2', {}, title), ...children);
}

export function row(label: string, forId: string, ...children: (Node | string)[]): HTMLElement {
  return el(
    'div',
    { class: 'row' },
    el('label', { for: forId }, label),
    el('div', { class: 'value' }, ...children),
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function select(
  id: string,
  choices: readonly Choice[],
  onPick: (value: string) => void,
): HTMLSelectElement {
  const element = el('select', { id, change: () => onPick(element.value) });
  setChoices(element, choices);
  return element;
}

/**
 * Replaces the choices where they changed, keeping the chosen one where it still exists; an open list stays
 * open.
 */
export function setChoices(element: HTMLSelectElement, choices: readonly Choice[]): void {
  const key = JSON.stringify(choices);
  if (element.dataset['choices'] === key) return;
  element.dataset['choices'] = key;
  const before = element.value;
  element.replaceChildren(...choices.map(({ value, label }) => el('option', { value }, label)));
  if (choices.some(({ value }) => value === before)) element.value = before;
}

export function toggle(id: string, label: string, onChange: (on: boolean) => void): HTMLLabelElement {
  const input = el('input', { id, type: 'checkbox', change: () => onChange(input.checked) });
  return el('label', { class: 'toggle' }, input, el('span', {}, label));
}

export function range(
  id: string,
  [min, max, step]: readonly [number, number, number],
  onInput: (value: number) => void,
): HTMLInputElement {
  const input = el('input', {
    id,
    type: 'range',
    min: String(min),
    max: String(max),
    step: String(step),
    input: () => onInput(input.valueAsNumber),
  });
  return input;
}

export function numberInput(id: string, onChange: (value: number) => void): HTMLInputElement {
  const input = el('input', { id, type: 'number', step: 'any', change: () => onChange(input.valueAsNumber) });
  return input;
}

/** A row of buttons of which one is pressed. */
export class Segments {
  readonly element: HTMLDivElement;
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(id: string, choices: readonly Choice[], onPick: (value: string) => void) {
    this.element = el('div', { id, class: 'segments', role: 'group' });
    for (const { value, label } of choices) {
      const button = el('button', { type: 'button', 'data-value': value, click: () => onPick(value) }, label);
      this.buttons.set(value, button);
      this.element.append(button);
    }
  }

  /** Shows only the choices that a test accepts. */
  offer(isOffered: (value: string) => boolean): void {
    for (const [value, button] of this.buttons) button.hidden = !isOffered(value);
  }

  set(value: string): void {
    for (const [key, button] of this.buttons) button.setAttribute('aria-pressed', String(key === value));
  }
}
