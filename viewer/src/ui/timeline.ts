/** The bar at the bottom: transport buttons, scrubber, time and speed. */
import type { Player } from '../player.ts';
import { select } from './controls.ts';
import { el, formatClock, iconButton, setIcon } from './dom.ts';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export class Timeline {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly loopButton: HTMLButtonElement;
  private readonly scrubber: HTMLInputElement;
  private readonly time: HTMLElement;
  private readonly frame: HTMLElement;

  constructor(
    private readonly player: Player,
    private readonly timeOf: (frame: number) => number,
    private readonly planned: () => number,
  ) {
    this.playButton = iconButton('play', 'play', 'Play (space)', () => player.toggle());
    this.loopButton = iconButton('loop', 'loop', 'Repeat (L)', () => {
      player.loop = !player.loop;
      this.update();
    });
    this.scrubber = el('input', {
      id: 'scrubber',
      type: 'range',
      min: '0',
      max: '0',
      step: '1',
      'aria-label': 'Frame',
      input: () => {
        player.pause();
        void player.seek(this.scrubber.valueAsNumber);
      },
    });
    this.time = el('output', { id: 'time', title: 'simulated time' });
    this.frame = el('output', { id: 'frame', title: 'frame', class: 'dim' });
    const speed = select(
      'speed',
      SPEEDS.map((value) => ({ value: String(value), label: `${value}×` })),
      (value) => {
        player.speed = Number(value);
      },
    );
    speed.value = '1';
    speed.setAttribute('aria-label', 'Speed');
    this.element = el(
      'footer',
      { id: 'timeline', class: 'timeline' },
      iconButton('first', 'first', 'First frame (Home)', () => player.step(-1e9)),
      iconButton('back', 'back', 'One frame back (←)', () => player.step(-1)),
      this.playButton,
      iconButton('forward', 'forward', 'One frame on (→)', () => player.step(1)),
      iconButton('last', 'last', 'Last frame (End)', () => player.step(1e9)),
      this.loopButton,
      this.scrubber,
      el('div', { class: 'clock' }, this.time, this.frame),
      speed,
    );
  }

  update(): void {
    const { player } = this;
    const count = player.frameCount;
    setIcon(
      this.playButton,
      player.playing ? 'pause' : 'play',
      player.playing ? 'Pause (space)' : 'Play (space)',
    );
    this.loopButton.setAttribute('aria-pressed', String(player.loop));
    const last = Math.max(0, count - 1);
    const planned = Math.max(last, this.planned() - 1);
    this.scrubber.max = String(last);
    this.scrubber.value = String(player.index);
    this.time.textContent = formatClock(this.timeOf(player.index), this.timeOf(1) - this.timeOf(0));
    this.frame.textContent = count > 0 ? `${player.index} / ${planned}` : 'no frames yet';
    this.element.classList.toggle('loading', player.loading);
  }
}
