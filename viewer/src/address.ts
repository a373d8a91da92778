/**
 * The address of the page says what it shows: the run, and as they change the frame, the mode, the colours,
 * the cut and the camera. A copied address opens the same picture.
 */
import { MODES, type Mode, type Settings } from './settings.ts';
import type { CameraPlace } from './view/backdrop.ts';
import { parseView, type ViewDirection } from './view/camera.ts';

/** How the page should look at the start. */
export interface Look {
  readonly settings: Partial<Settings>;
  readonly view: ViewDirection | null;
  readonly camera: CameraPlace | null;
  readonly frame: number;
}

/** What of a page goes into its address. */
export interface Shown {
  readonly settings: Readonly<Settings>;
  /** Null where the frames decide it. */
  readonly mode: Mode | null;
  /** Null where the view of the whole domain is. */
  readonly camera: CameraPlace | null;
  /** Null where the address names no run. */
  readonly frame: number | null;
  /** False where another run was opened than the one that the address names. */
  readonly isRunKept: boolean;
}

const COMPONENTS = ['magnitude', 'x', 'y', 'z'] as const;

export function readLook(query: URLSearchParams): Look {
  const settings: Partial<Settings> = {};
  const mode = MODES.find((name) => name === query.get('mode'));
  if (mode) settings.mode = mode;
  const theme = query.get('theme');
  if (theme === 'light' || theme === 'dark') settings.theme = theme;
  const color = query.get('color');
  if (color) settings.color = color;
  const map = query.get('map');
  if (map) settings.map = map;
  const component = COMPONENTS.find((name) => name === query.get('part'));
  if (component) settings.component = component;
  const range = parseNumbers(query.get('range'), ':', 2);
  if (range && range[0] < range[1]) settings.range = [range[0], range[1]];
  const cut = /^(-?)([xyz]):(0(?:\.\d+)?|1(?:\.0+)?)$/.exec(query.get('cut') ?? '');
  if (cut) {
    settings.cutFlip = cut[1] === '-';
    settings.cutAxis = 'xyz'.indexOf(cut[2]) as 0 | 1 | 2;
    settings.cutPosition = Number(cut[3]);
  }
  if (query.get('frustum') === '1') settings.frustum = true;
  if (query.get('quality') === 'high') settings.quality = 'high';
  const frame = Number(query.get('frame') ?? 0);
  return {
    settings,
    view: parseView(query.get('view') ?? ''),
    camera: parseCamera(query.get('camera')),
    frame: Number.isSafeInteger(frame) && frame > 0 ? frame : 0,
  };
}

/** The query with what is shown in place of what was; all other words stay. */
export function writeLook(before: URLSearchParams, shown: Shown): string {
  const { settings, mode, camera, frame } = shown;
  const query = new URLSearchParams(before);
  const put = (name: string, value: string | null) => {
    if (value === null) query.delete(name);
    else query.set(name, value);
  };
  const isColored = settings.color !== '';
  const isCut = mode === 'cut' || (settings.slice !== 'off' && (mode === 'materials' || mode === 'film'));
  if (!shown.isRunKept) query.delete('run');
  put('frame', frame ? String(frame) : null);
  put('mode', mode);
  put('color', isColored ? settings.color : null);
  put('part', isColored && settings.component !== 'magnitude' ? settings.component : null);
  put('map', isColored && settings.map !== 'lagoon' ? settings.map : null);
  put('range', isColored && settings.range ? settings.range.map(short).join(':') : null);
  put('frustum', settings.frustum ? '1' : null);
  const axis = `${settings.cutFlip ? '-' : ''}${'xyz'[settings.cutAxis]}`;
  put('cut', isCut ? `${axis}:${Number(settings.cutPosition.toFixed(3))}` : null);
  put('camera', camera ? [...camera.position, ...camera.target].map(short).join(',') : null);
  // These may stand in a query as they are, and are easier to read so.
  return query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':');
}

const short = (value: number): string => String(Number(value.toPrecision(6)));

function parseNumbers(text: string | null, between: string, count: number): number[] | null {
  const parts = (text ?? '').split(between).map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  return parts.length === count && parts.every(Number.isFinite) ? parts : null;
}

/** Eye and the point it looks at, metres: x,y,z,x,y,z. */
function parseCamera(text: string | null): CameraPlace | null {
  const n = parseNumbers(text, ',', 6);
  if (!n || Math.hypot(n[0] - n[3], n[1] - n[4], n[2] - n[5]) === 0) return null;
  return { position: [n[0], n[1], n[2]], target: [n[3], n[4], n[5]] };
}

/** ms: browsers take about seven changes of the address a second. */
const WRITE_INTERVAL = 400;

/** Keeps the address of this page up to date, not more often than browsers take it. */
export class AddressBar {
  private timer = 0;

  constructor(private readonly shown: () => Shown) {}

  follow(): void {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0;
      const query = writeLook(new URLSearchParams(location.search), this.shown());
      if (`?${query}` === location.search || (query === '' && location.search === '')) return;
      history.replaceState(history.state, '', query === '' ? location.pathname : `?${query}`);
    }, WRITE_INTERVAL);
  }
}
