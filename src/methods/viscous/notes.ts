/** What the viscous method leaves out of a scene. */
import type { Ignored } from '../../scene/method-info.ts';
import type { Scene } from '../../scene/scene.ts';
import { listMaterials } from './model.ts';
import { viscousOptions } from './options.ts';

/** Reynolds numbers need a viscosity; below this one, Pa s, `lattice` keeps more of a splash. */
const THIN = 0.01;

export const ignores: readonly Ignored[] = [
  { parts: ['materials.surfaceTension'], notes: noteTension },
  { parts: ['materials.viscosity'], notes: noteViscosity },
  { parts: ['viscous.sizing'], notes: noteSizing },
  { parts: ['viscous.contactAngle'], notes: noteAngle },
];

/** Sizes are for embedded meshes. */
function noteSizing(scene: Scene): string[] {
  const { mesh, sizing } = viscousOptions.parse(scene.options);
  if (mesh === 'embedded' || (sizing.fields.length === 0 && sizing.surfaceLevels === 0)) return [];
  return [
    'viscous.sizing is read by embedded meshes alone: this one is stuffed, and finest at the whole surface',
  ];
}

/** The angle acts through surface tension, on stuffed meshes. */
function noteAngle(scene: Scene): string[] {
  const { contactAngle, mesh, order } = viscousOptions.parse(scene.options);
  if (contactAngle === 90) return [];
  if (mesh === 'stuffed' && order === 'coupled' && listMaterials(scene)[0].surfaceTension > 0) return [];
  return [
    'viscous.contactAngle acts through surface tension, in the coupled order, on stuffed meshes: here it does nothing',
  ];
}

function noteTension(scene: Scene): string[] {
  const { order } = viscousOptions.parse(scene.options);
  const materials = listMaterials(scene);
  const tensions = [...new Set(materials.map((m) => m.surfaceTension))];
  if (order !== 'coupled')
    return tensions.some((t) => t > 0)
      ? [
          'the viscous method has surface tension only where velocity and pressure are coupled: here there is none',
        ]
      : [];
  if (tensions.length <= 1) return [];
  return [
    `the viscous method has one surface tension: that of ${materials[0].name}, ${tensions[0]} N/m, counts for all liquids`,
  ];
}

function noteViscosity(scene: Scene): string[] {
  const { viscosityField } = viscousOptions.parse(scene.options);
  const materials = listMaterials(scene);
  if (viscosityField)
    return materials.some((m) => m.viscosity > 0 || m.fields?.['rheology'])
      ? ['viscous.viscosityField stands in place of the viscosities of the materials']
      : [];
  return materials
    .filter(({ viscosity, fields }) => viscosity < THIN && !fields?.['rheology'])
    .map(
      ({ name, viscosity }) =>
        `${name} with ${viscosity} Pa s is hardly viscous: the lattice method keeps more of its waves and splashes`,
    );
}
