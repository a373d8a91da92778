/** The cut plane as something to take hold of: a frame at its place and a knob that slides along its axis. */
import {
  BufferGeometry,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  MeshBasicMaterial,
  Plane,
  Raycaster,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import type { Backdrop } from './backdrop.ts';

export class CutHandle {
  /** The new offset in metres while the knob is dragged. */
  onDrag: (offset: number) => void = () => {};
  private readonly frame: LineLoop<BufferGeometry, LineBasicMaterial>;
  private readonly knob: Mesh<SphereGeometry, MeshBasicMaterial>;
  private axis: 0 | 1 | 2 = 0;
  private dragging = false;

  constructor(private readonly backdrop: Backdrop) {
    this.frame = new LineLoop(
      new BufferGeometry(),
      new LineBasicMaterial({ color: 0xff9a4d, transparent: true, opacity: 0.8 }),
    );
    this.knob = new Mesh(new SphereGeometry(1, 24, 12), new MeshBasicMaterial({ color: 0xff9a4d }));
    this.frame.visible = this.knob.visible = false;
    backdrop.overlay.add(this.frame, this.knob);
    const canvas = backdrop.renderer.domElement;
    // In the capture phase, ahead of the orbit controls.
    canvas.addEventListener('pointerdown', (event) => this.grab(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    canvas.addEventListener('pointerup', () => this.release(), { capture: true });
    canvas.addEventListener('pointercancel', () => this.release(), { capture: true });
  }

  show(visible: boolean): void {
    this.frame.visible = this.knob.visible = visible;
    this.backdrop.requestRender();
  }

  place(axis: 0 | 1 | 2, offset: number): void {
    this.axis = axis;
    const { min, max } = this.backdrop.bounds;
    const [u, v] = axis === 0 ? [1, 2] : axis === 1 ? [0, 2] : [0, 1];
    const corners = [
      [min[u], min[v]],
      [max[u], min[v]],
      [max[u], max[v]],
      [min[u], max[v]],
    ].map(([a, b]) => {
      const p = new Vector3();
      p.setComponent(axis, offset);
      p.setComponent(u, a);
      p.setComponent(v, b);
      return p;
    });
    this.frame.geometry.dispose();
    this.frame.geometry = new BufferGeometry().setFromPoints(corners);
    this.knob.position.copy(corners[2]).add(corners[3]).multiplyScalar(0.5);
    this.knob.scale.setScalar(this.backdrop.size * 0.014);
    this.backdrop.requestRender();
  }

  get busy(): boolean {
    return this.dragging;
  }

  private ray(event: PointerEvent): Raycaster {
    const box = this.backdrop.renderer.domElement.getBoundingClientRect();
    const raycaster = new Raycaster();
    raycaster.setFromCamera(
      new Vector2(
        ((event.clientX - box.left) / box.width) * 2 - 1,
        1 - ((event.clientY - box.top) / box.height) * 2,
      ),
      this.backdrop.camera,
    );
    return raycaster;
  }

  private grab(event: PointerEvent): void {
    if (!this.knob.visible) return;
    // A fingertip is thicker than the knob: accept a ray that passes within three radii.
    const near = this.ray(event).ray.distanceToPoint(this.knob.position) < 3 * this.knob.scale.x;
    if (!near) return;
    this.dragging = true;
    this.backdrop.controls.enabled = false;
    this.backdrop.renderer.domElement.setPointerCapture(event.pointerId);
    event.stopPropagation();
  }

  private move(event: PointerEvent): void {
    if (!this.dragging) return;
    const along = new Vector3().setComponent(this.axis, 1);
    const toEye = this.backdrop.camera.position.clone().sub(this.knob.position);
    // Follow the pointer on the plane that contains the axis and faces the eye best.
    const facing = toEye.addScaledVector(along, -toEye.dot(along)).normalize();
    const plane = new Plane().setFromNormalAndCoplanarPoint(facing, this.knob.position);
    const hit = this.ray(event).ray.intersectPlane(plane, new Vector3());
    if (hit) this.onDrag(hit.getComponent(this.axis));
    event.stopPropagation();
  }

  private release(): void {
    if (!this.dragging) return;
    this.dragging = false;
    this.backdrop.controls.enabled = true;
  }
}
