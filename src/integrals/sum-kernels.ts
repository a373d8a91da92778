/**
 * The sums this folder computes, by name. With d = x - y, rho = sqrt(|d|^2 + delta^2) and G = 1 / (4 pi rho):
 *
 * | name          | strength of a source y     | sum at a target x                       |
 * |---------------|----------------------------|-----------------------------------------|
 * | `potential`   | q: charge                  | sum q G          (the single layer)     |
 * | `vectorPotential` | s: three charges        | sum s G                                 |
 * | `gradient`    | q                          | grad_x sum q G = -sum q d / (4 pi rho^3) |
 * | `biotSavart` | s: vorticity times volume | curl_x sum s G = sum s x d / (4 pi rho^3), [da-2017] eq.
 *   (15.3) |
 * | `doubleLayer` | m: density times normal | sum m . grad_y G = sum m . d / (4 pi rho^3), [da-2017] eq.
 *   (23.12) |
 *
 * delta = 0 gives the kernels without regularisation; a source that coincides with a target then adds nothing
 * to it.
 */
export type SumKernel = 'potential' | 'vectorPotential' | 'gradient' | 'biotSavart' | 'doubleLayer';

export interface SumKernelShape {
  /** Components of a source's strength. */
  readonly strengthSize: 1 | 3;
  /** Components of the sum. */
  readonly sumSize: 1 | 3;
  /** The sum falls off as distance to minus this. */
  readonly decay: 1 | 2;
}

export const sumKernelShapes: Record<SumKernel, SumKernelShape> = {
  potential: { strengthSize: 1, sumSize: 1, decay: 1 },
  vectorPotential: { strengthSize: 3, sumSize: 3, decay: 1 },
  gradient: { strengthSize: 1, sumSize: 3, decay: 2 },
  biotSavart: { strengthSize: 3, sumSize: 3, decay: 2 },
  doubleLayer: { strengthSize: 3, sumSize: 1, decay: 2 },
};

/** 1 / (4 pi), the factor of every kernel. */
export const INVERSE_FOUR_PI = 1 / (4 * Math.PI);

/** Kernels as numbers: what a task can be told. */
export const sumKernelCodes: Record<SumKernel, number> = {
  potential: 0,
  gradient: 1,
  biotSavart: 2,
  doubleLayer: 3,
  vectorPotential: 4,
};
