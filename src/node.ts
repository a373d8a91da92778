/**
 * What meniscus adds in Node: threads over one heap, and run folders on disk. Everything else: `meniscus`.
 */
export { createThreads } from './core/threads/node.ts';
export type { RunInfo, RunStatus } from './run/info.ts';
export { type DriveOptions, driveRun } from './run/node-drive.ts';
export { RunFolder, readStats } from './run/node-folder.ts';
export { describeMachine } from './run/node-machine.ts';
export { createResources, withResources } from './run/node-resources.ts';
export type { RefereeCase, RefereeContext, RefereeRow } from './run/referee.ts';
