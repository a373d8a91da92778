/**
 * Small scenes of all methods, for attacks on what a run leaves on disk. `volume`: frames between two meshes
 * of tetrahedra; `timeStep` of the tracking scene, s.
 */
export const composeScenes = (volume, timeStep) => ({
  lattice: {
    method: 'lattice',
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: 0.125,
    liquids: [{ shape: { type: 'sphere', centre: [0.5, 0.5, 0.6], radius: 0.25 } }],
    output: { volume },
  },
  tracking: {
    method: 'tracking',
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: 0.1,
    tracking: {
      start: [{ type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.2 }],
      flows: [{ type: 'normal', speed: 0.1 }],
      timeStep,
    },
  },
  films: {
    method: 'films',
    domain: { min: [-0.05, -0.05, -0.05], max: [0.05, 0.05, 0.05] },
    resolution: 0.01,
    fps: 200,
    films: { start: [{ type: 'boxes', min: [-0.02, -0.02, -0.02], max: [0.02, 0.02, 0.02] }], damping: 1e-4 },
  },
  flip: {
    method: 'flip',
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: 0.125,
    liquids: [{ shape: { type: 'sphere', centre: [0.5, 0.5, 0.3], radius: 0.25 } }],
    output: { volume, particles: 1 },
  },
  viscous: {
    method: 'viscous',
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: 0.125,
    materials: { honey: { density: 1400, viscosity: 10 } },
    liquids: [{ shape: { type: 'sphere', centre: [0.5, 0.5, 0.35], radius: 0.25 }, material: 'honey' }],
    output: { volume },
  },
  surface: {
    method: 'surface',
    fps: 1000,
    gravity: [0, 0, 0],
    domain: { min: [-0.004, -0.004, -0.004], max: [0.004, 0.004, 0.004] },
    resolution: 0.0006,
    liquids: [{ shape: { type: 'sphere', centre: [0, 0, 0], radius: 0.0015 } }],
  },
});
