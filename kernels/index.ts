/**
 * The WebAssembly kernels: hot loops over byte offsets into the heap, flat arguments only.
 * Every export has a plain TypeScript twin in src/core/kernel-twins.ts that gives the same bits; the order in which the two
 * SIMD lanes add up is part of each kernel's definition.
 */
export * from './apart';
export * from './block-sparse';
export * from './box-pairs';
export * from './expansions';
export * from './expansions-single';
export * from './moments';
export * from './near-faces';
export * from './point-sums';
export * from './single';
export * from './sparse';
export * from './vector';
