import { describe, expect, it } from 'vitest';
import { FrameStore } from '../../viewer/src/data/frame-store.ts';
import type { RunSource } from '../../viewer/src/data/source.ts';
import type { FrameData } from '../../viewer/src/data/types.ts';
import { Player } from '../../viewer/src/player.ts';

function createPlayer(volumeFrames: readonly number[], frameCount = 20): Player {
  const load = async (index: number): Promise<FrameData> => ({
    index,
    surface: {
      position: new Float32Array(0),
      normal: new Float32Array(0),
      triangle: new Uint32Array(0),
      fields: [],
    },
    volume: null,
    particles: null,
  });
  const source = { info: { frameCount, fps: 10 }, volumeFrames, load } as unknown as RunSource;
  const player = new Player({ frame() {}, change() {}, failed() {} });
  player.setStore(new FrameStore(source));
  return player;
}

describe('where tetrahedra are wanted', () => {
  it('the nearest frame that has some is shown', async () => {
    const player = createPlayer([0, 5, 10]);
    await player.seek(7);
    expect(player.index).toBe(7);
    player.setWithVolume(true);
    expect(player.index).toBe(5);
    await player.seek(8);
    expect(player.index).toBe(10);
    await player.seek(19);
    expect(player.index).toBe(10);
  });

  it('a step goes to the next one, and no further than the last', () => {
    const player = createPlayer([2, 5, 10]);
    player.setWithVolume(true);
    expect(player.index).toBe(2);
    const stops = [1, 1, 1, -1, -1, -1, 1e9, -1e9].map((by) => {
      player.step(by);
      return player.index;
    });
    expect(stops).toEqual([5, 10, 10, 5, 2, 2, 10, 2]);
  });

  it('all are stops where none has any, and when they are no longer wanted', async () => {
    const none = createPlayer([]);
    none.setWithVolume(true);
    await none.seek(7);
    expect(none.index).toBe(7);
    const some = createPlayer([0, 10]);
    some.setWithVolume(true);
    some.setWithVolume(false);
    await some.seek(3);
    expect(some.index).toBe(3);
  });
});
