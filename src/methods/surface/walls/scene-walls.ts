/** The walls of a scene with their contact angles: sides of the domain that are not open, then solids. */
import { InputError } from '../../../core/errors.ts';
import type { Scene } from '../../../scene/scene.ts';
import type { ContactAngleSpec, SurfaceOptions } from '../options.ts';
import { buildSide, buildSolid, type ContactAngles, SIDES, type SolidWall } from './solids.ts';
import { MOST_WALLS } from './wall-vertices.ts';

/** Name of all sides of the domain under surface.contactAngles. */
const DOMAIN = 'domain';

export function buildWalls(
  { domain, solids, resolution, emitters }: Scene,
  { contactAngle, contactAngles, open }: SurfaceOptions,
): SolidWall[] {
  for (const name of Object.keys(contactAngles))
    if (name !== DOMAIN && !solids.some((solid) => solid.name === name))
      throw new InputError(
        `surface.contactAngles.${name}`,
        'no solid has that name',
        `name one of: ${[DOMAIN, ...solids.map((solid) => solid.name)].join(', ')}`,
      );
  const anglesOf = (name: string) => toCosines(contactAngles[name] ?? contactAngle);
  const sides = SIDES.map((_, n) => n).filter((n) => !open.includes(SIDES[n]));
  const walls = [
    ...sides.map((n) => buildSide(domain, n, anglesOf(DOMAIN))),
    ...solids.map((solid) => buildSolid(solid, resolution, anglesOf(solid.name))),
  ];
  if (walls.length + emitters.length > MOST_WALLS)
    throw new InputError(
      'solids',
      `${walls.length} walls and ${emitters.length} emitters`,
      `the surface method knows ${MOST_WALLS} together: make unions of meshes, or open sides of the domain`,
    );
  return walls;
}

function toCosines(angle: ContactAngleSpec): ContactAngles {
  const { advancing, receding } = typeof angle === 'number' ? { advancing: angle, receding: angle } : angle;
  return { advancing: cosineOf(advancing), receding: cosineOf(receding) };
}

const cosineOf = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
