/** The live panel: choose a bundled scene, change it, run it here. */
import type { App } from '../app.ts';
import { numberInput, row, section, select, setChoices } from '../ui/controls.ts';
import { download, el } from '../ui/dom.ts';
import { type BundledScene, listBundledScenes, readBundledAsset } from './bundled.ts';
import { createLiveWorker, LiveRun } from './live-run.ts';
import type { LiveReply, LiveRequest, LiveScene, OptionSpec, SceneDescription } from './protocol.ts';

export class LivePanel {
  readonly element: HTMLElement;
  private readonly scenes = listBundledScenes();
  private readonly choice: HTMLSelectElement;
  private readonly setting: HTMLSelectElement;
  private readonly settingRow: HTMLElement;
  /** Counts requests to read a scene: an answer that comes after a newer request is dropped. */
  private asked = 0;
  private readonly about = el('p', { class: 'dim', id: 'live-about' });
  /** What the method leaves out of the scene. */
  private readonly notes = el('ul', { id: 'live-notes', class: 'notes', hidden: true });
  private readonly fields = el('div', { id: 'live-fields' });
  private readonly options = el('div', { id: 'live-options' });
  private readonly optionsBox: HTMLDetailsElement;
  private readonly text = el('textarea', { id: 'live-text', rows: '12', spellcheck: 'false' });
  private readonly runButton: HTMLButtonElement;
  private readonly stopButton: HTMLButtonElement;
  private readonly progress = el('progress', { id: 'live-progress', hidden: true });
  private readonly message = el('p', { id: 'live-message', class: 'dim', role: 'status' });
  private readonly saving = el(
    'div',
    { id: 'live-save', class: 'actions', hidden: true },
    el('span', { class: 'dim' }, 'Save as'),
    el(
      'button',
      { id: 'live-save-glb', class: 'quiet', type: 'button', click: () => void this.save('glb') },
      'GLB',
    ),
    el(
      'button',
      { id: 'live-save-run', class: 'quiet', type: 'button', click: () => void this.save('zip') },
      'Run folder',
    ),
  );
  /** Values a person changed, by path: what `--set` would say. */
  private readonly sets = new Map<string, string>();
  private scene: BundledScene | null = null;
  private run: LiveRun | null = null;
  /** How many threads work, in words. */
  private team = '';
  private rateShown = 0;

  constructor(private readonly app: App) {
    this.choice = select(
      'live-scene',
      this.scenes.map(({ name }) => ({ value: name, label: name })),
      () => void this.choose(),
    );
    this.setting = select('live-setting', [], () => void this.describe());
    this.settingRow = row('Setting', 'live-setting', this.setting);
    this.optionsBox = el('details', {}, el('summary', {}, 'Method options'), this.options);
    this.text.addEventListener('change', () => void this.describe());
    this.runButton = el(
      'button',
      { id: 'live-run', class: 'primary', type: 'button', click: () => this.start() },
      'Run',
    );
    this.stopButton = el(
      'button',
      { id: 'live-stop', class: 'quiet', type: 'button', hidden: true, click: () => this.run?.stop() },
      'Stop',
    );
    // What to press and what went wrong stay in sight, however far the options are scrolled.
    const foot = el(
      'div',
      { class: 'foot' },
      el('div', { class: 'actions' }, this.runButton, this.stopButton),
      this.progress,
      this.message,
      this.saving,
    );
    const body = section(
      'Live',
      'live-body',
      row('Scene', 'live-scene', this.choice),
      this.about,
      this.notes,
      this.settingRow,
      this.fields,
      this.optionsBox,
      el('details', {}, el('summary', {}, 'Scene file'), this.text),
    );
    this.element = el('section', { id: 'live', class: 'live', hidden: true }, body, foot);
    if (this.scenes.length === 0) {
      this.element.replaceChildren(
        el('p', {}, 'This build carries no scenes. Drop a run folder onto the page to open it.'),
      );
    }
  }

  show(visible: boolean): void {
    this.element.hidden = !visible;
    if (visible && !this.scene && this.scenes.length > 0) void this.choose();
  }

  private async choose(): Promise<void> {
    this.scene = this.scenes.find(({ name }) => name === this.choice.value) ?? null;
    if (!this.scene) return;
    const asked = ++this.asked;
    const text = await this.scene.readText();
    if (asked !== this.asked) return;
    this.text.value = text;
    setChoices(this.setting, []);
    await this.describe();
  }

  /** Asks the library what the scene says, and shows it as controls. */
  private async describe(): Promise<void> {
    const asked = ++this.asked;
    this.sets.clear();
    this.tell('Reading the scene…');
    this.runButton.disabled = true;
    try {
      const description = await askDescription(this.currentScene());
      if (asked !== this.asked) return;
      this.fill(description);
      this.tell('');
      await this.app.preview(description.document, (path) => this.readAsset(path));
      if (asked === this.asked) this.runButton.disabled = false;
    } catch (error) {
      if (asked === this.asked) this.tell((error as Error).message, true);
    }
  }

  private fill(description: SceneDescription): void {
    const { document, options, settings, takes, title, notes } = description;
    this.notes.replaceChildren(...notes.map((note) => el('li', {}, note)));
    this.notes.hidden = notes.length === 0;
    this.about.textContent = takes ? `${title}. Takes ${takes} on the command line.` : `${title}.`;
    this.settingRow.hidden = settings.length === 0;
    setChoices(this.setting, [
      { value: '', label: 'as written' },
      ...settings.map((name) => ({ value: name, label: name })),
    ]);
    const gravity = document['gravity'] as number[];
    this.fields.replaceChildren(
      this.numberRow('Cell size (m)', 'resolution', document['resolution'] as number),
      this.numberRow('Duration (s)', 'duration', document['duration'] as number),
      this.numberRow('Frames per s', 'fps', document['fps'] as number),
      this.numberRow('Gravity z (m/s²)', 'gravity[2]', gravity[2]),
    );
    this.options.replaceChildren(...options.map((option) => this.optionRow(option)));
    this.optionsBox.hidden = options.length === 0;
  }

  private numberRow(label: string, path: string, value: unknown): HTMLElement {
    const id = `live-${path.replace(/\W+/g, '-')}`;
    const input = numberInput(id, (number) => {
      if (Number.isFinite(number)) this.sets.set(path, String(number));
      else this.sets.delete(path);
    });
    if (typeof value === 'number') input.value = String(value);
    return row(label, id, input);
  }

  private optionRow(option: OptionSpec): HTMLElement {
    const id = `live-${option.path.replace(/\W+/g, '-')}`;
    let element: HTMLElement;
    if (option.kind === 'number' || option.kind === 'integer') {
      element = this.numberRow(option.label, option.path, option.value);
    } else {
      const values = option.kind === 'boolean' ? ['true', 'false'] : option.choices;
      const input = select(
        id,
        values.map((value) => ({ value, label: value })),
        (value) => this.sets.set(option.path, option.kind === 'boolean' ? value : JSON.stringify(value)),
      );
      input.value = String(option.value);
      element = row(option.label, id, input);
    }
    element.title = option.help;
    return element;
  }

  private currentScene(): LiveScene {
    return {
      file: this.scene?.file ?? 'scene.jsonc',
      text: this.text.value,
      setting: this.setting.value || undefined,
      sets: [...this.sets].map(([path, value]) => `${path}=${value}`),
    };
  }

  /** A mesh that the scene names, relative to the scene. */
  private readAsset(path: string): Promise<Uint8Array> {
    return readBundledAsset(new URL(path, `file:///${this.scene?.file ?? ''}`).pathname.slice(1));
  }

  /** In the panel; what is bad also where the panel is closed. */
  private tell(text: string, isBad = false): void {
    this.message.textContent = text;
    this.message.classList.toggle('bad', isBad);
    if (isBad && this.element.hidden) this.app.toasts.show(text, 'error');
  }

  private async save(kind: 'glb' | 'zip'): Promise<void> {
    if (!this.run) return;
    const before = this.message.textContent ?? '';
    const wasBad = this.message.classList.contains('bad');
    this.saving.inert = true;
    this.tell('Packing…');
    try {
      const { blob, file } = await this.run.save(kind);
      download(blob, file);
      this.tell(before, wasBad);
    } catch (error) {
      this.tell(`The run could not be saved: ${(error as Error).message}`, true);
    } finally {
      this.saving.inert = false;
    }
  }

  private showRate(): void {
    const now = performance.now();
    if (!this.run || now < this.rateShown + RATE_INTERVAL) return;
    this.rateShown = now;
    this.tell(`${this.team}, ${formatRate(this.run.stepRate)}`);
  }

  private start(): void {
    this.run?.stop();
    this.tell('Starting…');
    this.saving.hidden = true;
    this.stopButton.hidden = false;
    this.runButton.disabled = true;
    this.progress.hidden = false;
    this.progress.removeAttribute('value');
    const { backdrop } = this.app.viewer;
    backdrop.hurried = backdrop.isSoftware;
    // The newest surface is shown as it comes, unless the person looks elsewhere on the timeline.
    const { player } = this.app;
    const isFollowing = () => !player.playing && player.index >= (this.run?.info.frameCount ?? 0) - 4;
    this.run = new LiveRun(this.currentScene(), (path) => this.readAsset(path), {
      started: (run, threads, note) => {
        this.team = note || `${threads} ${threads === 1 ? 'thread' : 'threads'}`;
        this.tell(this.team);
        void this.app.open(run);
      },
      changed: () => {
        const { run } = this;
        if (!run) return;
        const { frameCount, framesPlanned } = run.info;
        this.progress.max = framesPlanned;
        this.progress.value = frameCount;
        this.app.followSource();
        if (isFollowing()) void player.seek(frameCount - 1);
      },
      stepped: () => this.showRate(),
      preview: (frame, time) => {
        const { run } = this;
        if (!run || this.app.source !== run) return;
        if (isFollowing()) this.app.showPreview(frame, time);
        afterDrawing(() => run.askPreview());
      },
      ended: (status, message, isBad) => {
        this.stopButton.hidden = true;
        this.runButton.disabled = false;
        this.progress.hidden = true;
        backdrop.hurried = false;
        backdrop.requestRender();
        const done = message === '' ? 'Done.' : `Done: ${message}.`;
        this.tell(
          status === 'failed' ? message : status === 'stopped' ? 'Stopped.' : done,
          isBad || status === 'failed',
        );
        this.saving.hidden = !this.run?.canSave;
        if (this.app.source === this.run) this.app.followSource();
      },
    });
  }
}

const formatRate = (rate: number): string =>
  rate === 0 ? 'starting' : `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} steps a second`;

/** Calls back once the picture is on the screen. */
function afterDrawing(done: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(done));
}

/** The rate is read, not watched: twice a second, milliseconds. */
const RATE_INTERVAL = 500;

function askDescription(scene: LiveScene): Promise<SceneDescription> {
  const worker = createLiveWorker();
  return new Promise<SceneDescription>((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<LiveReply>) => {
      if (event.data.type === 'description') resolve(event.data.description);
      else if (event.data.type === 'failed') reject(new Error(event.data.message));
    };
    worker.onerror = (event) => reject(new Error(event.message || 'the worker could not start'));
    const request: LiveRequest = { type: 'describe', scene };
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
