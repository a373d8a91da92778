/**
 * Plots the volume of runs against what was emitted, from their stats.jsonl, as an SVG:
 *   node tools/plot-volume.js OUT.svg "with thickening=runs/spray" "without=runs/spray-bare"
 * 1 is the volume at the start plus what the emitters have given since.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [out, ...named] = process.argv.slice(2);
if (!out || named.length === 0) {
  console.error('usage: node tools/plot-volume.js OUT.svg LABEL=RUN_FOLDER...');
  process.exit(2);
}
const COLOURS = ['#0b6fb8', '#c2410c', '#4d7c0f', '#7c3aed'];
const WIDTH = 720;
const HEIGHT = 400;
const EDGE = { left: 64, right: 24, top: 32, bottom: 48 };

/** m^3 that a flow, constant or linear between [time, flow] pairs, gives until a time. */
function integrate(flow, time) {
  if (typeof flow === 'number') return flow * time;
  let sum = 0;
  let [from, before] = [0, flow[0][1]];
  for (const [t, after] of [...flow, [Number.POSITIVE_INFINITY, flow[flow.length - 1][1]]]) {
    if (t <= from) {
      before = after;
      continue;
    }
    const end = Math.min(t, time);
    if (end <= from) break;
    const there =
      t === Number.POSITIVE_INFINITY ? after : before + ((after - before) * (end - from)) / (t - from);
    sum += 0.5 * (before + there) * (end - from);
    [from, before] = [end, there];
  }
  return sum;
}

const emittedUntil = (scene, time) =>
  scene.emitters.reduce((sum, emitter) => sum + integrate(emitter.flow, time), 0);

const series = named.map((item) => {
  const cut = item.indexOf('=');
  const folder = item.slice(cut + 1);
  const { scene } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  const records = readFileSync(join(folder, 'stats.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const first = records[0].volume;
  return {
    label: item.slice(0, cut),
    points: records.map(({ time, volume }) => [time, volume / (first + emittedUntil(scene, time))]),
  };
});

const all = series.flatMap((s) => s.points);
const lastTime = Math.max(...all.map((p) => p[0]));
const low = Math.min(0.9, ...all.map((p) => p[1]));
const high = Math.max(1.06, ...all.map((p) => p[1]));
const x = (t) => EDGE.left + (t / lastTime) * (WIDTH - EDGE.left - EDGE.right);
const y = (v) => HEIGHT - EDGE.bottom - ((v - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
const parts = [
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="13">`,
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
  `<rect x="${x(0)}" y="${y(1.05)}" width="${x(lastTime) - x(0)}" height="${y(0.95) - y(1.05)}" fill="#e6f2e6"/>`,
  `<text x="${WIDTH / 2}" y="20" text-anchor="middle">volume / emitted volume (band: 5 %)</text>`,
];
for (let v = Math.ceil(low / 0.02) * 0.02; v <= high; v += 0.02)
  parts.push(
    `<line x1="${x(0)}" x2="${x(lastTime)}" y1="${y(v).toFixed(1)}" y2="${y(v).toFixed(1)}" stroke="#ccc"/>`,
    `<text x="${EDGE.left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${v.toFixed(2)}</text>`,
  );
for (let t = 0; t <= lastTime + 1e-9; t += 0.05)
  parts.push(
    `<text x="${x(t).toFixed(1)}" y="${HEIGHT - EDGE.bottom + 20}" text-anchor="middle">${t.toFixed(2)} s</text>`,
  );
series.forEach(({ label, points }, n) => {
  const path = points.map(([t, v]) => `${x(t).toFixed(1)},${y(v).toFixed(1)}`).join(' ');
  parts.push(
    `<polyline points="${path}" fill="none" stroke="${COLOURS[n % COLOURS.length]}" stroke-width="2"/>`,
    `<text x="${EDGE.left + 12}" y="${HEIGHT - EDGE.bottom - 12 - 18 * n}" fill="${COLOURS[n % COLOURS.length]}">${label}</text>`,
  );
});
writeFileSync(out, `${parts.join('\n')}\n</svg>\n`);
