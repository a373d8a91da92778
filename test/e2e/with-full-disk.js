/** Loaded into the built command line with --import: the disk is full after FULL_AFTER bytes of frames. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let left = Number(process.env.FULL_AFTER);
const write = fs.writeSync;
fs.writeSync = (file, bytes, ...rest) => {
  if (file > 2) left -= bytes.length;
  if (left < 0) {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
  }
  return write(file, bytes, ...rest);
};
syncBuiltinESMExports();
