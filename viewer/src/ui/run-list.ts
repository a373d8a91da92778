/** The runs that `meniscus view` without a folder finds below ./runs: it serves their list as runs.json. */
import { section } from './controls.ts';
import { el } from './dom.ts';

interface RunEntry {
  readonly name: string;
  readonly title: string;
  readonly status: string;
  readonly address: string;
}

export class RunList {
  readonly element = section('Runs', 'runs');
  count = 0;

  constructor() {
    this.element.classList.add('list');
    this.element.hidden = true;
  }

  /** False where no server offers a list: a static site has none, and that is no error. */
  async load(): Promise<boolean> {
    const response = await fetch('runs.json').catch(() => null);
    if (!response?.ok || !(response.headers.get('content-type') ?? '').includes('json')) return false;
    const runs = (await response.json()) as RunEntry[];
    this.count = runs.length;
    for (const run of runs) {
      this.element.append(
        el(
          'a',
          { href: `?run=${encodeURIComponent(run.address)}` },
          el('span', {}, run.title),
          el('span', { class: 'dim' }, `${run.name} · ${run.status}`),
        ),
      );
    }
    return runs.length > 0;
  }
}
