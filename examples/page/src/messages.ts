/** What the worker tells the page. */
export type Message =
  | { type: 'started'; threads: number; frames: number; note: string }
  /** The surface of a frame: positions (3 numbers a vertex, m) and triangles (3 vertices each). */
  | { type: 'surface'; position: Float32Array; triangle: Uint32Array; frame: number; time: number }
  | { type: 'done' }
  | { type: 'failed'; message: string };
