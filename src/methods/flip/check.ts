/** Scenes that the schema lets pass and the flip method cannot hold. */
import { checkThickness } from '../../flow/boundary/check-thickness.ts';
import type { Scene } from '../../scene/scene.ts';

/** Distances to solids are known at the nodes of cells, of which the finest have the resolution as edge. */
export function checkScene(scene: Scene): void {
  checkThickness(scene, scene.resolution, 'a cell');
}
