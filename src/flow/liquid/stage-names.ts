/** What the page calls the stages that steps of liquids on stuffed tetrahedra have in common. */
export const liquidStages = {
  extend: 'velocity around the mesh',
  surface: 'surface and its volumes',
  ledger: 'ledger',
  mesh: 'tetrahedra',
  advect: 'advection',
  pressure: 'pressure',
};
