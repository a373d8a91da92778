/**
 * Surface diffusion of a fresh mesh: each vertex goes along its normal by what its curvature has over the
 * mean of those around.
 */
import { createHeap } from '../../../core/heap.ts';
import { createSingleThread } from '../../../core/threads/single.ts';
import type { Vec3 } from '../../../core/types.ts';
import type { LabelledTriangles } from '../../../tracking/multimaterial/build.ts';
import { buildMultiMesh } from '../../../tracking/multimaterial/build.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import { buildBody, findBodies } from '../liquid/body.ts';
import { computeGradients, createGradients } from '../liquid/gradients.ts';
import { measureVolume } from '../liquid/moments.ts';
import { buildContact, meanAround, measureClosed, ROLE } from '../walls/contact.ts';
import type { WallVertices } from '../walls/wall-vertices.ts';

const STEPS = 40;
/** Of what would take the curvature's excess at one vertex alone. */
const SHARE = 0.12;

/** The closed surface of one liquid, relaxed at the same volume. */
export function relaxSurface(surface: LabelledTriangles): LabelledTriangles {
  const mesh = buildMultiMesh(surface);
  const heap = createHeap();
  const threads = createSingleThread();
  const position = Float64Array.from(surface.position);
  const { faces } = findBodies(mesh);
  for (const list of faces) {
    const scope = heap.scope('relaxing');
    const body = buildBody(mesh, list, scope);
    const gradients = createGradients(body, scope);
    computeGradients(body, threads, gradients);
    const { volume } = measureVolume(body, gradients);
    const change = new Float64Array(body.vertexCount);
    for (let n = 0; n < STEPS; n++) {
      computeChange(body, gradients, change);
      moveAlongNormals(body, gradients, change);
      computeGradients(body, threads, gradients);
      const now = measureVolume(body, gradients);
      const scale = Math.cbrt(volume / now.volume);
      for (let c = 0; c < body.position.length; c++)
        body.position[c] = now.centre[c % 3] + scale * (body.position[c] - now.centre[c % 3]);
      computeGradients(body, threads, gradients);
    }
    for (let v = 0; v < body.vertexCount; v++)
      for (let k = 0; k < 3; k++) position[3 * body.vertexId[v] + k] = body.position[3 * v + k];
    scope.free();
  }
  return { ...surface, position };
}

type Body = ReturnType<typeof buildBody>;
type Gradients = ReturnType<typeof createGradients>;

/** SHARE times the area around times the excess of curvature, m. */
function computeChange(
  { vertexCount, cornerStart, vertexCorner, triangle }: Body,
  { curvature, area }: Gradients,
  out: Float64Array,
): void {
  for (let v = 0; v < vertexCount; v++) {
    let sum = 0;
    let count = 0;
    for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
      const c = vertexCorner[n];
      const f = c - (c % 3);
      sum += curvature[triangle[f + ((c - f + 1) % 3)]];
      count++;
    }
    out[v] = SHARE * area[v] * (sum / count - curvature[v]);
  }
}

function moveAlongNormals(
  { vertexCount, position }: Body,
  { volumeGradient: g }: Gradients,
  change: Float64Array,
): void {
  for (let v = 0; v < vertexCount; v++) {
    const length = Math.hypot(g[3 * v], g[3 * v + 1], g[3 * v + 2]);
    if (length === 0) continue;
    for (let k = 0; k < 3; k++) position[3 * v + k] += (change[v] * g[3 * v + k]) / length;
  }
}

/**
 * The same where a mesh touches walls: vertices on them stay, and volume is given back along the others'
 * normals.
 */
export function relaxFree(mesh: MultiMesh, walls: WallVertices): void {
  const heap = createHeap();
  const threads = createSingleThread();
  for (const list of findBodies(mesh).faces) {
    const scope = heap.scope('relaxing');
    const body = buildBody(mesh, list, scope);
    const contact = buildContact({ walls, nozzles: [] }, body, scope, walls.time);
    if (!contact) continue;
    const { free, role } = contact;
    const gradients = createGradients(body, scope);
    const change = new Float64Array(body.vertexCount);
    const begin = measureClosed(body).volume;
    for (let n = 0; n < STEPS; n++) {
      computeGradients(free, threads, gradients);
      for (let v = 0; v < body.vertexCount; v++)
        if (role[v] !== ROLE.free) gradients.curvature[v] = meanAround(free, role, gradients.curvature, v);
      computeChange(free, gradients, change);
      let area = 0;
      for (let v = 0; v < body.vertexCount; v++) {
        if (role[v] === ROLE.free) area += gradients.area[v];
        else change[v] = 0;
      }
      const missing = (begin - measureClosed(body).volume) / area;
      for (let v = 0; v < body.vertexCount; v++) if (role[v] === ROLE.free) change[v] += missing;
      moveAlongNormals(free, gradients, change);
    }
    for (let v = 0; v < body.vertexCount; v++)
      mesh.setPosition(body.vertexId[v], ...(body.position.subarray(3 * v, 3 * v + 3) as unknown as Vec3));
    scope.free();
  }
}
