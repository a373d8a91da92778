/** Keyboard shortcuts; the list a person sees is SHORTCUTS in cards.ts. */
import type { App } from '../app.ts';
import { MODES, type Mode } from '../settings.ts';
import { parseView } from '../view/camera.ts';

export function listenToKeys(app: App, actions: { live(): void; close(): void }): void {
  const { player, settings } = app;
  const byKey: Record<string, (event: KeyboardEvent) => void> = {
    ' ': () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    Home: () => player.step(-1e9),
    End: () => player.step(1e9),
    l: () => document.querySelector<HTMLElement>('#loop')?.click(),
    c: () => nextField(app),
    s: () => settings.set({ shading: settings.value.shading === 'flat' ? 'smooth' : 'flat' }),
    x: () => cutAcross(app, 0),
    y: () => cutAcross(app, 1),
    z: () => cutAcross(app, 2),
    '[': () => settings.set({ cutPosition: Math.max(0, settings.value.cutPosition - 0.02) }),
    ']': () => settings.set({ cutPosition: Math.min(1, settings.value.cutPosition + 0.02) }),
    m: () => showIfOffered(app, 'materials'),
    b: () => showIfOffered(app, 'film'),
    o: () => settings.set({ hideOuter: !settings.value.hideOuter }),
    k: () => settings.set({ curves: !settings.value.curves }),
    f: () => app.fit(),
    5: () => app.fit(parseView('front')),
    6: () => app.fit(parseView('side')),
    7: () => app.fit(parseView('top')),
    p: () => app.togglePlots(),
    v: () => actions.live(),
    i: () => void app.savePicture(),
    t: () => app.toggleTheme(),
    h: () => app.togglePanel(),
    '?': () => app.help.toggle(),
    Escape: () => actions.close(),
  };
  for (const [i, mode] of MODES.slice(0, 4).entries()) byKey[String(i + 1)] = () => settings.set({ mode });
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || app.help.element.open) return;
    const target = event.target as HTMLElement;
    // Typing a number is not a command; arrows in a slider belong to the slider.
    const typing = target.matches('input:not([type=checkbox], [type=range]), select, textarea');
    const sliding = target.matches('input[type=range]') && /^(Arrow|Home|End|Page)/.test(event.key);
    if ((typing || sliding) && event.key !== 'Escape') return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = byKey[key];
    if (!action) return;
    // Space would press the focused button as well.
    if (target instanceof HTMLButtonElement && key === ' ') target.blur();
    event.preventDefault();
    action(event);
  });
}

function showIfOffered({ settings, viewer }: App, mode: Mode): void {
  if (viewer.isOffered(mode)) settings.set({ mode });
}

/** Materials and films are sliced where they are; everything else shows its tetrahedra. */
function cutAcross({ settings, viewer }: App, cutAxis: 0 | 1 | 2): void {
  const { mode, slice } = settings.value;
  if (mode === 'materials' || mode === 'film')
    settings.set(viewer.openSlice(slice === 'off' ? 'solid' : slice, cutAxis));
  else settings.set({ mode: 'cut', cutAxis });
}

function nextField({ settings, viewer }: App): void {
  const names = ['', ...viewer.listFields().map(({ name }) => name)];
  settings.set({ color: names[(names.indexOf(settings.value.color) + 1) % names.length] });
}
