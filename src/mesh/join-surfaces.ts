/** Several surfaces as one frame, which keeps apart what is whose by the face field `part`. */
import type { Field, SurfaceFrame, SurfacePart } from './fields.ts';

/** A surface and what it is called; labels are given in order, from 0. */
export interface NamedSurface {
  readonly name: string;
  readonly frame: SurfaceFrame;
}

/**
 * Vertices and faces one surface after the other. A field that a surface does not have is 0 there. Cost:
 * linear.
 */
export function joinSurfaces(surfaces: readonly NamedSurface[]): SurfaceFrame {
  const frames = surfaces.map(({ frame }) => frame);
  const vertexCounts = frames.map(({ mesh }) => mesh.vertexCount);
  const triangleCounts = frames.map(({ mesh }) => mesh.triangleCount);
  const vertexCount = sum(vertexCounts);
  const triangleCount = sum(triangleCounts);
  const position = new Float64Array(3 * vertexCount);
  const triangle = new Int32Array(3 * triangleCount);
  const part = new Int32Array(triangleCount);
  let [v, t] = [0, 0];
  frames.forEach(({ mesh }, label) => {
    position.set(mesh.position.subarray(0, 3 * mesh.vertexCount), 3 * v);
    for (let c = 0; c < 3 * mesh.triangleCount; c++) triangle[3 * t + c] = mesh.triangle[c] + v;
    part.fill(label, t, t + mesh.triangleCount);
    v += mesh.vertexCount;
    t += mesh.triangleCount;
  });
  const parts: SurfacePart[] = surfaces.map(({ name }, label) => ({ label, name }));
  return {
    mesh: { vertexCount, triangleCount, position, triangle },
    vertexFields: joinFields(
      frames.map(({ vertexFields }) => vertexFields),
      vertexCounts,
    ),
    faceFields: {
      ...joinFields(
        frames.map(({ faceFields }) => faceFields),
        triangleCounts,
      ),
      part: { components: 1, unit: '1', values: part },
    },
    parts,
  };
}

function joinFields(
  sets: readonly Record<string, Field>[],
  counts: readonly number[],
): Record<string, Field> {
  const joined: Record<string, Field> = {};
  for (const name of new Set(sets.flatMap((fields) => Object.keys(fields)))) {
    const { components, unit, values } = sets.find((fields) => fields[name])![name];
    const out = new (values.constructor as new (length: number) => Field['values'])(components * sum(counts));
    let at = 0;
    sets.forEach((fields, n) => {
      if (fields[name]) out.set(fields[name].values.subarray(0, components * counts[n]), at);
      at += components * counts[n];
    });
    joined[name] = { components, unit, values: out };
  }
  return joined;
}

const sum = (counts: readonly number[]) => counts.reduce((total, n) => total + n, 0);
