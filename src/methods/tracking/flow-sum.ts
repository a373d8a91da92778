/**
 * What moves the surface: the scene's flows added up. Velocity fields are summed and followed by one
 * Runge-Kutta step of fourth order (10.1); normal flow and mean curvature flow add their displacements to it
 * (10.2), which is first order in the step, like those flows themselves.
 */
import type { Seconds } from '../../core/types.ts';
import {
  computeCurvatureVelocity,
  createCurvatureFlow,
  proposeByCurvature,
} from '../../tracking/multimaterial/flows/mean-curvature.ts';
import { type NormalFlow, proposeByNormals } from '../../tracking/multimaterial/flows/normal.ts';
import {
  createFieldFlow,
  proposeAlong,
  type VelocityField,
} from '../../tracking/multimaterial/flows/velocity-field.ts';
import type { SeparationCues } from '../../tracking/multimaterial/separation-cues.ts';
import type { Tracker } from '../../tracking/multimaterial/tracker.ts';
import { factorAt, findChange } from './factor.ts';
import { buildField, buildInterfaceSpeed, type FieldContext } from './fields.ts';
import type { FlowSpec } from './options-flows.ts';

/**
 * Step for velocities that are wanted without a step to take, in time steps of the scene: the limit of
 * displacement over time.
 */
const PROBE = 1e-3;

export interface FlowSum {
  /** Are all flows velocity fields, free of divergence? */
  readonly isField: boolean;
  /** Positions that the flows want after dt, (vertexFill x 3) m */
  propose(tracker: Tracker, time: Seconds, dt: Seconds): Float64Array;
  /** What the flows say where topology is at stake; undefined for normal flows alone. */
  flowAt(tracker: Tracker, time: Seconds): SeparationCues | undefined;
  /** When a factor next changes after a time; infinite if never. */
  nextChange(time: Seconds): Seconds;
}

interface Term<T> {
  readonly spec: FlowSpec;
  readonly of: T;
}

export function buildFlowSum(specs: readonly FlowSpec[], context: FieldContext): FlowSum {
  const fields: Term<VelocityField>[] = [];
  const normals: Term<NormalFlow>[] = [];
  const curvatures: Term<number>[] = [];
  for (const spec of specs) {
    if (spec.type === 'mean-curvature') curvatures.push({ spec, of: spec.mobility });
    else if (spec.type === 'normal' || spec.type === 'cycle')
      normals.push({
        spec,
        of: { speed: buildInterfaceSpeed(spec), curves: spec.type === 'cycle' ? 'fixed' : spec.curves },
      });
    else fields.push({ spec, of: buildField(spec, context) });
  }
  const fieldAt = (time: Seconds) => addFields(fields, time);
  const mobilityAt = (time: Seconds) =>
    curvatures.reduce((sum, { spec, of }) => sum + of * factorAt(spec.factor, time), 0);

  return {
    isField: normals.length === 0 && curvatures.length === 0,

    propose(tracker, time, dt) {
      const out =
        fields.length > 0
          ? proposeAlong(tracker, fieldAt(time), time, dt)
          : tracker.mesh.position.slice(0, 3 * tracker.mesh.vertexFill);
      for (const { spec, of } of normals) {
        const scale = factorAt(spec.factor, time);
        if (scale !== 0) addMotion(tracker, proposeByNormals(tracker, of, scale * dt), out);
      }
      const mobility = mobilityAt(time);
      if (mobility !== 0) addMotion(tracker, proposeByCurvature(tracker, mobility * dt), out);
      return out;
    },

    flowAt(tracker, time) {
      const mobility = mobilityAt(time);
      if (fields.length === 0) return mobility === 0 ? undefined : createCurvatureFlow(tracker);
      const flow = createFieldFlow(tracker, fieldAt(time), time);
      return mobility === 0 ? flow : { ...flow, isParting: createParting(tracker, flow, mobility) };
    },

    nextChange: (time) => Math.min(...specs.map(({ factor }) => findChange(factor, time))),
  };
}

/** Velocity of every vertex, (vertexFill x 3) m/s: what the flows want, before collisions. */
export function computeVelocity(
  flows: FlowSum,
  tracker: Tracker,
  time: Seconds,
  timeStep: Seconds,
): Float64Array {
  const dt = PROBE * timeStep;
  const out = flows.propose(tracker, time, dt);
  const { position } = tracker.mesh;
  for (let n = 0; n < out.length; n++) out[n] = (out[n] - position[n]) / dt;
  if (tracker.walls) for (let v = 0; v < tracker.mesh.vertexFill; v++) tracker.walls.slide(v, out, 3 * v);
  return out;
}

function addFields(fields: readonly Term<VelocityField>[], time: Seconds): VelocityField {
  const terms = fields
    .map(({ spec, of }) => ({ field: of, scale: factorAt(spec.factor, time) }))
    .filter(({ scale }) => scale !== 0);
  if (terms.length === 1 && terms[0].scale === 1) return terms[0].field;
  const u = new Float64Array(3);
  return (x, y, z, t, out) => {
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let n = 0; n < terms.length; n++) {
      const { field, scale } = terms[n];
      field(x, y, z, t, u);
      sx += scale * u[0];
      sy += scale * u[1];
      sz += scale * u[2];
    }
    out[0] = sx;
    out[1] = sy;
    out[2] = sz;
  };
}

/** Adds the displacement to `proposed` to `out`. */
function addMotion(tracker: Tracker, proposed: Float64Array, out: Float64Array): void {
  const { position } = tracker.mesh;
  for (let n = 0; n < out.length; n++) out[n] += proposed[n] - position[n];
}

/** Do field and curvature together pull two vertices apart? */
function createParting(
  tracker: Tracker,
  flow: SeparationCues,
  mobility: number,
): (a: number, b: number) => boolean {
  const [ua, ub, ka, kb] = [0, 1, 2, 3].map(() => new Float64Array(3));
  return (a, b) => {
    const { mesh, walls } = tracker;
    const p = mesh.position;
    flow.velocity!(p[3 * a], p[3 * a + 1], p[3 * a + 2], ua);
    flow.velocity!(p[3 * b], p[3 * b + 1], p[3 * b + 2], ub);
    computeCurvatureVelocity(mesh, a, ka, walls !== undefined);
    computeCurvatureVelocity(mesh, b, kb, walls !== undefined);
    let opening = 0;
    for (let k = 0; k < 3; k++)
      opening += (ub[k] - ua[k] + mobility * (kb[k] - ka[k])) * (p[3 * b + k] - p[3 * a + k]);
    return opening > 0;
  };
}
