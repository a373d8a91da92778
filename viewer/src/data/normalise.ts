/** Vectors of three to length 1, in place; those without length stay as they are. */
export function normalise(vectors: Float32Array): Float32Array {
  for (let v = 0; v < vectors.length; v += 3) {
    const length = Math.hypot(vectors[v], vectors[v + 1], vectors[v + 2]) || 1;
    vectors[v] /= length;
    vectors[v + 1] /= length;
    vectors[v + 2] /= length;
  }
  return vectors;
}
