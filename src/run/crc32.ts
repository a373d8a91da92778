/** CRC-32 (IEEE 802.3), four bytes per turn: about 1 GB/s. */
export function computeCrc32(bytes: Uint8Array): number {
  const [t0, t1, t2, t3] = getCrcTables();
  let crc = ~0;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc = t3[crc & 255] ^ t2[(crc >>> 8) & 255] ^ t1[(crc >>> 16) & 255] ^ t0[crc >>> 24];
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

let crcTables: Int32Array[] | undefined;

function getCrcTables(): Int32Array[] {
  crcTables ??= buildCrcTables();
  return crcTables;
}

function buildCrcTables(): Int32Array[] {
  const tables = [0, 1, 2, 3].map(() => new Int32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    tables[0][n] = c;
  }
  for (let k = 1; k < 4; k++) {
    for (let n = 0; n < 256; n++) {
      const c = tables[k - 1][n];
      tables[k][n] = tables[0][c & 255] ^ (c >>> 8);
    }
  }
  return tables;
}
