/** A few words for building the page without a framework. */
type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | ((event: never) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Line icons on a 24 grid, drawn with the text colour. */
const ICONS: Record<string, string> = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  first: 'M18 5v14l-10-7zM6 5v14',
  last: 'M6 5v14l10-7zM18 5v14',
  back: 'M15 5l-8 7 8 7',
  forward: 'M9 5l8 7-8 7',
  loop: 'M4 12a7 7 0 0 1 7-7h7M15 2l3 3-3 3M20 12a7 7 0 0 1-7 7H6M9 22l-3-3 3-3',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  chart: 'M4 4v16h16M7 15l4-5 3 3 5-7',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  panel: 'M4 6h10M18 6h2M4 12h3M11 12h9M4 18h8M16 18h4M16 4v4M9 10v4M14 16v4',
  drop: 'M12 3c4 5 6.5 8 6.5 11.5a6.5 6.5 0 0 1-13 0C5.5 11 8 8 12 3z',
  folder: 'M3 6h6l2 2h10v11H3z',
  close: 'M6 6l12 12M18 6L6 18',
  stop: 'M6 6h12v12H6z',
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name] ?? '');
  svg.append(path);
  return svg;
}

export function iconButton(
  id: string,
  iconName: string,
  title: string,
  onClick: (event: MouseEvent) => void,
): HTMLButtonElement {
  const button = el('button', {
    id,
    class: 'icon',
    type: 'button',
    title,
    'aria-label': title,
    click: onClick,
  });
  button.append(icon(iconName));
  return button;
}

export function setIcon(button: HTMLButtonElement, iconName: string, title: string): void {
  button.replaceChildren(icon(iconName));
  button.title = title;
  button.setAttribute('aria-label', title);
}

/** Hands a file to the browser's downloads. */
export function download(blob: Blob, file: string): void {
  const link = el('a', { href: URL.createObjectURL(blob), download: file });
  link.click();
  // Some browsers read the address only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Short text for a number a person reads: four figures, no trailing zeros, powers of ten where needed. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(3).replace(/\.?0+e/, 'e');
  return String(Number(value.toPrecision(4)));
}

/** A time with as many figures as tell neighbouring frames apart, milliseconds at least. */
export function formatClock(time: number, frame: number): string {
  const figures = Math.min(9, Math.max(3, Math.ceil(-Math.log10(frame) - 1e-9)));
  return `${time.toFixed(figures)} s`;
}
