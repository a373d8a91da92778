import { describe, expect, it } from 'vitest';
import { readLook, type Shown, writeLook } from '../../viewer/src/address.ts';
import { DEFAULT_SETTINGS } from '../../viewer/src/settings.ts';

const shown = (change: Partial<Shown> = {}, settings: Partial<Shown['settings']> = {}): Shown => ({
  settings: { ...DEFAULT_SETTINGS, ...settings },
  mode: null,
  camera: null,
  frame: 0,
  isRunKept: true,
  ...change,
});
const write = (before: string, what: Shown) => writeLook(new URLSearchParams(before), what);

describe('the address', () => {
  it('says nothing that goes without saying', () => {
    expect(write('run=runs/a/', shown())).toBe('run=runs/a/');
    expect(write('run=runs/a/&frame=7&mode=cut&camera=1,1,1,0,0,0', shown())).toBe('run=runs/a/');
    expect(write('', shown())).toBe('');
  });

  it('names frame, mode, colours, cut and camera, and reads them back', () => {
    const settings = {
      mode: 'cut',
      color: 'velocity of cells',
      component: 'z',
      map: 'tide',
      range: [-2.5, 2.5],
      cutAxis: 2,
      cutPosition: 0.375,
      cutFlip: true,
    } as const;
    const camera = { position: [1.5, -2, 0.25], target: [0.5, 0.5, 0.125] } as const;
    const query = write('run=run/&theme=light', shown({ mode: 'cut', camera, frame: 12 }, settings));
    expect(query).toContain('run=run/&theme=light&frame=12&mode=cut');
    expect(query).toContain('camera=1.5,-2,0.25,0.5,0.5,0.125');
    const look = readLook(new URLSearchParams(query));
    expect(look.settings).toEqual({ ...settings, theme: 'light' });
    expect(look.camera).toEqual(camera);
    expect(look.frame).toBe(12);
  });

  it('drops the run where another was opened', () => {
    expect(write('run=run/&frame=3', shown({ frame: null, isRunKept: false }))).toBe('');
  });

  it('reads nothing out of nonsense', () => {
    const junk =
      'mode=x&color=&part=w&map=&range=5:1&cut=w:2&camera=1,2,3,1,2,3&frame=-1&view=up&theme=pink&quality=best';
    expect(readLook(new URLSearchParams(junk))).toEqual({ settings: {}, view: null, camera: null, frame: 0 });
    for (const frame of ['x', '1.5', '1e99', 'Infinity'])
      expect(readLook(new URLSearchParams({ frame })).frame).toBe(0);
    for (const camera of ['1,2,3', 'a,b,c,d,e,f', ',,,,,', '1,2,3,4,5,Infinity'])
      expect(readLook(new URLSearchParams({ camera })).camera).toBeNull();
  });
});
