/**
 * The WebAssembly kernels: hot loops over byte offsets into the heap, flat arguments only.
 * Every export is declared in src beside what uses it (core/kernels.ts), with a plain form in TypeScript that
 * gives the same bits. The arguments are begin, end, and the columns in the order declared. The order in
 * which the two SIMD lanes add up is part of a kernel's definition.
 */
export * from './apart';
export * from './block-sparse';
export * from './box-pairs';
export * from './expansions';
export * from './expansions-single';
export * from './moments';
export * from './near-faces';
export * from './panel-pairs';
export * from './point-sums';
export * from './single';
export * from './skin';
export * from './sparse';
export * from './vector';
