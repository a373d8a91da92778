import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Decoder } from '../../viewer/src/data/decoder.ts';
import { DroppedFolder, FolderRun } from '../../viewer/src/data/folder-run.ts';
import { FrameStore } from '../../viewer/src/data/frame-store.ts';
import { parsePvd, parseStats } from '../../viewer/src/data/run-file.ts';
import type { RunSource } from '../../viewer/src/data/source.ts';
import type { FrameData } from '../../viewer/src/data/types.ts';
import { niceSpacing } from '../../viewer/src/view/backdrop.ts';
import { fitCamera, parseView } from '../../viewer/src/view/camera.ts';

describe('stats.jsonl', () => {
  it('may end in half a line while the run goes on', () => {
    expect(parseStats('{"step":0}\n{"step":1}\n{"st').map(({ step }) => step)).toEqual([0, 1]);
  });

  it('names the damaged line', () => {
    expect(() => parseStats('{"step":0}\nbroken\n{"step":2}\n')).toThrow(/stats\.jsonl:2/);
  });

  it('volume.pvd lists the frames that have tets', () => {
    expect([...parsePvd('<DataSet file="volume/000000.vtu"/><DataSet file="volume/000012.vtu"/>')]).toEqual([
      0, 12,
    ]);
  });
});

describe('a dropped run folder', () => {
  const files = (frames: number, run: object) =>
    new Map<string, File>([
      ['run.json', new File([JSON.stringify(run)], 'run.json')],
      ['stats.jsonl', new File(['{"step":0,"time":0}\n'], 'stats.jsonl')],
      ...Array.from({ length: frames }, (_, i): [string, File] => {
        const name = `surface/${String(i).padStart(6, '0')}.ply`;
        return [name, new File(['x'], name)];
      }),
    ]);
  const decoder = {} as Decoder;

  it.each([0, 1, 2, 3, 7, 8, 33])(
    'finds its %i frames by asking, where run.json does not count them',
    async (frames) => {
      const run = await FolderRun.open(new DroppedFolder(files(frames, { status: 'done' }), 'x'), decoder);
      expect(run.info.frameCount).toBe(frames);
    },
  );

  it('believes run.json and reads names, rate and plan from it', async () => {
    const json = {
      title: 'T',
      method: 'lattice',
      status: 'running',
      fps: 24,
      lastFrame: 9,
      totals: { frames: 4 },
    };
    const run = await FolderRun.open(new DroppedFolder(files(4, json), 'x'), decoder);
    expect(run.info).toMatchObject({
      name: 'T',
      method: 'lattice',
      fps: 24,
      frameCount: 4,
      framesPlanned: 10,
    });
    expect(run.stats.length).toBe(1);
  });

  it('says what is missing', async () => {
    await expect(FolderRun.open(new DroppedFolder(new Map(), 'nothing'), decoder)).rejects.toThrow(
      /run\.json/,
    );
  });
});

describe('frame store', () => {
  const frame = (index: number): FrameData => ({
    index,
    surface: {
      position: new Float32Array(250),
      normal: new Float32Array(0),
      triangle: new Uint32Array(0),
      fields: [],
    },
    volume: null,
    particles: null,
  });
  const createSource = () => {
    const loads: number[] = [];
    const load = async (index: number) => {
      loads.push(index);
      if (index === 99) throw new Error('gone');
      return frame(index);
    };
    return { loads, source: { load } as unknown as RunSource };
  };

  it('loads once, keeps what was used last, and drops the rest', async () => {
    const { loads, source } = createSource();
    const store = new FrameStore(source, 3000);
    for (const i of [0, 1, 2, 0, 3]) await store.get(i, false);
    expect(loads).toEqual([0, 1, 2, 3]);
    expect(store.peek(1, false)).toBeNull();
    expect(store.peek(0, false)?.index).toBe(0);
    await store.get(1, false);
    expect(loads).toEqual([0, 1, 2, 3, 1]);
  });

  it('forgets a failure, so that it can be tried again', async () => {
    const { loads, source } = createSource();
    const store = new FrameStore(source);
    await expect(store.get(99, false)).rejects.toThrow('gone');
    await expect(store.get(99, false)).rejects.toThrow('gone');
    expect(loads).toEqual([99, 99]);
  });
});

describe('camera', () => {
  it.each(['iso', 'front', 'side', 'top', '123,-30'])('%s sees the whole box, and not from afar', (view) => {
    for (const [aspect, scale] of [
      [0.5, 1],
      [1.8, 1e-3],
      [3, 1e3],
    ]) {
      const camera = new PerspectiveCamera(35, aspect, 0.1, 10);
      camera.up.set(0, 0, 1);
      const max = [2 * scale, scale, 0.5 * scale] as const;
      fitCamera(camera, [0, 0, 0], max, parseView(view)!, [1, 1]);
      camera.updateMatrixWorld();
      let reach = 0;
      for (let corner = 0; corner < 8; corner++) {
        const p = new Vector3(...max.map((m, i) => (corner & (1 << i) ? m : 0))).project(camera);
        expect(Math.abs(p.z)).toBeLessThan(1);
        reach = Math.max(reach, Math.abs(p.x), Math.abs(p.y));
      }
      expect(reach).toBeLessThan(1);
      expect(reach).toBeGreaterThan(0.8);
    }
  });

  it('refuses views that are neither names nor two numbers', () => {
    for (const text of ['', 'left', '1', '1,2,3', ',', 'a,b']) expect(parseView(text)).toBeNull();
  });

  it('rounds grid spacings down to 1, 2 or 5', () => {
    expect([0.0123, 0.27, 7, 5].map(niceSpacing).map((x) => Number(x.toPrecision(3)))).toEqual([
      0.01, 0.2, 5, 5,
    ]);
  });
});
