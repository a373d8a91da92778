/** Lines through many points by least squares. */
export class LineFit {
  private count = 0;
  private x = 0;
  private xx = 0;
  private y = 0;
  private xy = 0;

  add(x: number, y: number): void {
    this.count++;
    this.x += x;
    this.xx += x * x;
    this.y += y;
    this.xy += y * x;
  }

  slope(): number {
    const { count, x, xx, y, xy } = this;
    return (count * xy - x * y) / (count * xx - x * x);
  }
}
