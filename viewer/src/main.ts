/** Starts the page: reads the address, opens what it names, and offers live scenes and runs otherwise. */
import { AddressBar, type Look, readLook } from './address.ts';
import { App } from './app.ts';
import { Decoder } from './data/decoder.ts';
import { FolderRun, HttpFolder, readDropped } from './data/folder-run.ts';
import { LivePanel } from './live/live-panel.ts';
import { installHook } from './render-hook.ts';
import { el, iconButton } from './ui/dom.ts';
import { listenToKeys } from './ui/keys.ts';
import { RunList } from './ui/run-list.ts';
import { openContext } from './view/backdrop.ts';

/** Where the address says nothing: as last time, or as the system likes it. */
function chooseTheme(): 'light' | 'dark' {
  const last = localStorage.getItem('meniscus-theme');
  if (last === 'light' || last === 'dark') return last;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

/** A friendly word where nothing can be drawn. */
function apologise(root: HTMLElement, title: string, ...lines: string[]): void {
  root.append(
    el(
      'div',
      { id: 'sorry', class: 'sorry' },
      el('h1', {}, title),
      ...lines.map((line) => el('p', {}, line)),
    ),
  );
}

function listenToDrops(app: App, decoder: Decoder): void {
  const mark = (on: boolean) => app.root.classList.toggle('dropping', on);
  window.addEventListener('dragover', (event) => {
    event.preventDefault();
    mark(true);
  });
  window.addEventListener('dragleave', (event) => mark(event.relatedTarget !== null));
  window.addEventListener('drop', async (event) => {
    event.preventDefault();
    mark(false);
    if (!event.dataTransfer) return;
    try {
      await app.open(await FolderRun.open(await readDropped(event.dataTransfer), decoder));
    } catch (error) {
      app.toasts.show((error as Error).message, 'error');
    }
  });
}

async function start(root: HTMLElement): Promise<void> {
  const query = new URLSearchParams(location.search);
  const canvas = el('canvas', { id: 'stage', tabindex: '0', 'aria-label': 'The liquid' });
  if (!openContext(canvas)) {
    apologise(
      root,
      'No WebGL 2 here',
      'The viewer draws with WebGL 2, which this browser does not offer just now.',
      'A current Firefox, Chrome or Safari has it; "hardware acceleration" may be switched off in the settings.',
    );
    return;
  }
  const look = readLook(query);
  const chrome = query.get('chrome') !== '0';
  const app = new App(root, canvas, {
    settings: { theme: chooseTheme(), ...look.settings },
    chrome,
    view: look.view ?? [35, 24],
  });
  app.settings.onChange(({ theme }) => localStorage.setItem('meniscus-theme', theme));
  const decoder = new Decoder((navigator.hardwareConcurrency ?? 2) > 2 ? 2 : 1);
  const live = new LivePanel(app);
  const runs = new RunList();
  app.side.append(runs.element, live.element);
  const toggleLive = () => {
    runs.element.hidden = true;
    live.show(live.element.hidden === true);
  };
  app.toolbar.prepend(iconButton('tool-live', 'drop', 'Live: run a scene here (V)', toggleLive));
  if (await runs.load()) {
    app.toolbar.prepend(
      iconButton('tool-runs', 'folder', 'Runs', () => {
        live.show(false);
        runs.element.hidden = !runs.element.hidden;
      }),
    );
  }
  listenToKeys(app, {
    live: toggleLive,
    close: () => {
      app.clearPick();
      live.show(false);
      runs.element.hidden = true;
    },
  });
  listenToDrops(app, decoder);
  const address = query.get('run');
  const opened = address === null ? Promise.resolve() : openAddress(app, address, decoder, look);
  installHook(app, opened);
  if (address === null) {
    runs.element.hidden = runs.count === 0;
    live.show(runs.count === 0);
  }
  await opened.catch((error: Error) => app.toasts.show(error.message, 'error'));
  if (!chrome) return;
  const bar = new AddressBar(() => app.describeLook());
  app.onLook = () => bar.follow();
}

async function openAddress(app: App, address: string, decoder: Decoder, look: Look): Promise<void> {
  await app.open(await FolderRun.open(new HttpFolder(address), decoder), true);
  if (look.frame > 0) await app.player.seek(look.frame);
  if (look.camera) app.viewer.backdrop.placeCamera(look.camera);
}

const root = document.querySelector<HTMLElement>('#app');
if (root) void start(root);
