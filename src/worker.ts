/**
 * What every worker loads: all modules that define tasks, so that a task's name is enough to call it.
 * In a page this file is the worker itself; in Node core/threads/node-worker.ts imports it.
 */
import './geometry/mesh-distance.ts';
import './flow/nodal/pressure.ts';
import './flow/viscosity/face-solve.ts';
import './flow/viscosity/liquid-shares.ts';
import './flow/viscosity/solve.ts';
import './integrals/direct-sum.ts';
import './integrals/multipole/tasks.ts';
import './integrals/panels/first-kind.ts';
import './integrals/panels/galerkin.ts';
import './integrals/panels/layer-operator.ts';
import './integrals/panels/near-pairs.ts';
import './linalg/block/block-build.ts';
import './linalg/block-multigrid/block-multigrid.ts';
import './linalg/csr.ts';
import './linalg/csr-build.ts';
import './linalg/multigrid/auxiliary-space.ts';
import './linalg/preconditioners/incomplete-cholesky.ts';
import './linalg/preconditioners/jacobi.ts';
import './linalg/vector.ts';
import './methods/films/films.ts';
import './methods/flip/flip.ts';
import './methods/lattice/lattice.ts';
import './methods/viscous/viscous.ts';
import './methods/surface/surface.ts';
import './particles/whitewater.ts';
import './tracking/multimaterial/flows/mean-curvature.ts';
import './tracking/multimaterial/pair-test.ts';
import './tracking/multimaterial/scan.ts';
import './tracking/skinning/elements.ts';
import './tracking/skinning/flood.ts';
import './tracking/skinning/level.ts';
import './tracking/skinning/skin.ts';
import './tracking/skinning/trace.ts';
import './tracking/skinning/value.ts';
import { serve, type WorkerStart } from './core/threads/serve.ts';

export { serve };

if (typeof WorkerGlobalScope !== 'undefined' && globalThis instanceof WorkerGlobalScope) {
  globalThis.onmessage = (event: MessageEvent<WorkerStart>) => {
    globalThis.postMessage('ready');
    serve(event.data);
  };
}
