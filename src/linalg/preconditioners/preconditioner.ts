/**
 * What a Krylov method asks of a preconditioner: an approximation of the inverse. Conjugate gradients and
 * MINRES need a symmetric positive definite one; GMRES takes any.
 */
export interface Preconditioner {
  readonly name: string;
  /** z = M^-1 r; returns r . z */
  apply(r: Float64Array, outZ: Float64Array): number;
}
