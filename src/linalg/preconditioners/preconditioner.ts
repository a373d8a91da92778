/** What a Krylov method asks of a preconditioner: a symmetric positive definite approximation of the inverse. */
export interface Preconditioner {
  readonly name: string;
  /** z = M^-1 r; returns r . z */
  apply(r: Float64Array, outZ: Float64Array): number;
}
