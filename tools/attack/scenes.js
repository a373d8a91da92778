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
});
