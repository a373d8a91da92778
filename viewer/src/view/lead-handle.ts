/**
 * Solids as something to take hold of: one that a live run lets a person lead follows the pointer, on the
 * plane through the point that was taken that faces the eye.
 */
import { type Group, Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { Backdrop } from './backdrop.ts';

/** What was taken, and where it was then. */
interface Held {
  readonly solid: number;
  readonly plane: Plane;
  readonly point: Vector3;
  readonly displacement: Vector3;
}

export class LeadHandle {
  /** A solid by its number in the scene is wanted at a displacement from its place at rest, m. */
  onLead: (solid: number, to: [number, number, number]) => void = () => {};
  /** Whether anything may be led now. */
  isOpen: () => boolean = () => false;
  private held: Held | null = null;
  private solids: Group | null = null;

  constructor(private readonly backdrop: Backdrop) {
    const canvas = backdrop.renderer.domElement;
    // In the capture phase, ahead of the orbit controls.
    canvas.addEventListener('pointerdown', (event) => this.grab(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    canvas.addEventListener('pointerup', () => this.release(), { capture: true });
    canvas.addEventListener('pointercancel', () => this.release(), { capture: true });
  }

  get busy(): boolean {
    return this.held !== null;
  }

  setSolids(group: Group | null): void {
    this.solids = group;
    this.release();
  }

  private ray({ clientX, clientY }: PointerEvent): Raycaster {
    const box = this.backdrop.renderer.domElement.getBoundingClientRect();
    const raycaster = new Raycaster();
    this.backdrop.camera.updateMatrixWorld();
    raycaster.setFromCamera(
      new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2),
      this.backdrop.camera,
    );
    return raycaster;
  }

  private grab(event: PointerEvent): void {
    if (event.button !== 0 || !this.solids || !this.isOpen()) return;
    const leadable = this.solids.children.filter(({ userData }) => 'handle' in userData);
    const [hit] = this.ray(event).intersectObjects(leadable, true);
    const carrier = leadable.find((child) => child === hit?.object.parent);
    if (!hit || !carrier) return;
    const facing = this.backdrop.camera.getWorldDirection(new Vector3());
    this.held = {
      solid: carrier.userData['handle'] as number,
      plane: new Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
      point: hit.point.clone(),
      displacement: new Vector3().setFromMatrixPosition(carrier.matrix),
    };
    this.backdrop.controls.enabled = false;
    this.backdrop.renderer.domElement.setPointerCapture(event.pointerId);
    event.stopPropagation();
  }

  private move(event: PointerEvent): void {
    if (!this.held) return;
    const { solid, plane, point, displacement } = this.held;
    const at = this.ray(event).ray.intersectPlane(plane, new Vector3());
    if (at) this.onLead(solid, at.sub(point).add(displacement).toArray());
    event.stopPropagation();
  }

  private release(): void {
    if (!this.held) return;
    this.held = null;
    this.backdrop.controls.enabled = true;
  }
}
