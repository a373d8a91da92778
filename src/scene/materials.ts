import type { Material } from './scene.ts';

/**
 * Liquids by name, at 20 degrees Celsius unless said otherwise: density kg/m^3, dynamic viscosity Pa s,
 * surface tension against air N/m. Rounded handbook values; a scene that needs better gives its own under
 * `materials`.
 */
export const materialPresets: Readonly<Record<string, Material>> = Object.freeze({
  water: { name: 'water', density: 998.2, viscosity: 1.002e-3, surfaceTension: 0.0728 },
  seawater: { name: 'seawater', density: 1025, viscosity: 1.08e-3, surfaceTension: 0.0736 },
  ethanol: { name: 'ethanol', density: 789, viscosity: 1.2e-3, surfaceTension: 0.0221 },
  milk: { name: 'milk', density: 1030, viscosity: 2.0e-3, surfaceTension: 0.047 },
  'olive-oil': { name: 'olive-oil', density: 911, viscosity: 0.084, surfaceTension: 0.032 },
  oil: { name: 'oil', density: 890, viscosity: 0.3, surfaceTension: 0.031 },
  glycerol: { name: 'glycerol', density: 1261, viscosity: 1.412, surfaceTension: 0.0634 },
  honey: { name: 'honey', density: 1420, viscosity: 10, surfaceTension: 0.06 },
  syrup: { name: 'syrup', density: 1370, viscosity: 2.5, surfaceTension: 0.078 },
  chocolate: { name: 'chocolate', density: 1280, viscosity: 3, surfaceTension: 0.03 },
  // Melts: just above the melting point (wax 65, lead 340 degrees).
  wax: { name: 'wax', density: 780, viscosity: 5e-3, surfaceTension: 0.026 },
  lead: { name: 'lead', density: 10650, viscosity: 2.6e-3, surfaceTension: 0.45 },
  mercury: { name: 'mercury', density: 13546, viscosity: 1.55e-3, surfaceTension: 0.485 },
  // One face of the film: the film itself pulls with twice this.
  'soap-film': { name: 'soap-film', density: 1000, viscosity: 1e-3, surfaceTension: 0.025 },
});
