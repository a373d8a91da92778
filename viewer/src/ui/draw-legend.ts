/** The legend drawn into a picture that is kept, where the page's own cannot follow. */
import { findColorMap } from '../view/colormap.ts';
import type { ThemeName } from '../view/theme.ts';
import type { Legend } from '../view/viewer.ts';
import { formatNumber } from './dom.ts';

export function drawLegend(context: CanvasRenderingContext2D, legend: Legend, theme: ThemeName): void {
  const { width, height } = context.canvas;
  const unit = Math.max(11, Math.round(Math.min(width, height) / 42));
  const bar = { x: 1.5 * unit, y: height - 3.4 * unit, width: 16 * unit, height: 0.8 * unit };
  const { bytes } = findColorMap(legend.map);
  const gradient = context.createLinearGradient(bar.x, 0, bar.x + bar.width, 0);
  for (let i = 0; i <= 32; i++) {
    const k = 4 * Math.round((i / 32) * 255);
    gradient.addColorStop(i / 32, `rgb(${bytes[k]} ${bytes[k + 1]} ${bytes[k + 2]})`);
  }
  context.fillStyle = gradient;
  context.fillRect(bar.x, bar.y, bar.width, bar.height);
  context.fillStyle = theme === 'dark' ? '#e6edf5' : '#17212d';
  context.font = `600 ${unit}px system-ui, sans-serif`;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  context.fillText(`${legend.field}  ${legend.unit}`, bar.x, bar.y - 0.6 * unit);
  context.font = `${Math.round(0.9 * unit)}px system-ui, sans-serif`;
  const middle = (legend.min + legend.max) / 2;
  for (const [value, share, align] of [
    [legend.min, 0, 'left'],
    [middle, 0.5, 'center'],
    [legend.max, 1, 'right'],
  ] as const) {
    context.textAlign = align;
    context.fillText(formatNumber(value), bar.x + share * bar.width, bar.y + bar.height + 1.1 * unit);
  }
}
