/**
 * Loaded with --import before any program: as the process ends it tells on file 3 what it needed over all its
 * threads.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const told = { processor: (userCPUTime + systemCPUTime) / 1e6, residentBytes: maxRSS * 1024 };
    writeSync(3, JSON.stringify(told));
  });
