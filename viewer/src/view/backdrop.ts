/**
 * The backdrop: renderer, camera, light, floor and box, and the order of the passes. Draws only when
 * something changed. Distances are metres as in the run; near, far and grid spacing follow the size of the
 * domain, so a millimetre drop and a harbour look alike.
 */
import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  EdgesGeometry,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  ShadowMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Vec3 } from '../data/types.ts';
import { fitCamera, type ViewDirection } from './camera.ts';
import { BACKGROUND_FRAGMENT, BACKGROUND_VERTEX, FLOOR_FRAGMENT, FLOOR_VERTEX } from './shaders.ts';
import { SCENE_THEMES, type SceneTheme, type ThemeName } from './theme.ts';

/** Something that needs passes of its own (water): it draws the finished picture itself. */
export interface Composer {
  readonly active: boolean;
  render(backdrop: Backdrop): void;
}

/** Where the eye is and what it looks at, metres. */
export interface CameraPlace {
  readonly position: Vec3;
  readonly target: Vec3;
}

export interface Insets {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Nearest depth drawn: a share of the scene's size, or of the way to its box where that is more. */
const NEAREST = { ofScene: 0.02, ofWay: 0.3 };

const SUN = new Vector3(0.45, -0.6, 1).normalize();

/**
 * Of the pixels shown, in each direction, when pictures are drawn in a hurry; without the shadow on the floor
 * too, which costs more than the films.
 */
const HURRIED_PIXELS = 0.7;

const CONTEXT: WebGLContextAttributes = { antialias: true, stencil: true };

/**
 * The page's one drawing context, or null where there is no WebGL 2. One made on another canvas, only to ask,
 * would be freed by the garbage collector while a run goes on, and the page would wait for the graphics
 * process to let it go: 0.3 to 0.5 s where a processor draws.
 */
export function openContext(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  return canvas.getContext('webgl2', CONTEXT);
}

export class Backdrop {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  /** Everything opaque, and transparent things that water need not refract. */
  readonly scene = new Scene();
  /** Drawn last, over the finished picture: markers and handles. */
  readonly overlay = new Scene();
  readonly solids = new Group();
  readonly sunDirection = SUN;
  theme: SceneTheme = SCENE_THEMES.dark;
  /** At most one of them is active. */
  readonly composers: Composer[] = [];
  /** Somebody has turned, shifted or zoomed the view since it was last fitted. */
  private moved = false;
  /** That somebody has let go. */
  onMoved: () => void = () => {};
  private inHurry = false;
  /** Pixels drawn for one shown, in each direction, when there is no hurry. */
  private fullPixelRatio = 1;
  private floorShown = true;
  private insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
  private readonly sun = new DirectionalLight(0xffffff, 2.0);
  private readonly hemisphere = new HemisphereLight(0xdfeeff, 0x3a3f48, 1.4);
  private readonly background: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly floor: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shadowCatcher: Mesh<PlaneGeometry, ShadowMaterial>;
  private readonly box: LineSegments<EdgesGeometry, LineBasicMaterial>;
  private pending = 0;
  private boundsMin: Vec3 = [0, 0, 0];
  private boundsMax: Vec3 = [1, 1, 1];

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, ...CONTEXT });
    this.renderer.autoClear = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    // Shadows of sliced materials.
    this.renderer.localClippingEnabled = true;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.requestRender());
    this.controls.addEventListener('end', () => {
      this.moved = true;
      this.onMoved();
    });

    this.background = new Mesh(
      new PlaneGeometry(2, 2),
      new ShaderMaterial({
        vertexShader: BACKGROUND_VERTEX,
        fragmentShader: BACKGROUND_FRAGMENT,
        uniforms: {
          inverseViewProjection: { value: this.camera.matrixWorld.clone() },
          backdropLow: { value: new Color() },
          backdropHigh: { value: new Color() },
        },
        depthTest: false,
        depthWrite: false,
      }),
    );
    this.background.frustumCulled = false;
    this.background.renderOrder = -10;
    this.floor = new Mesh(
      new PlaneGeometry(1, 1),
      new ShaderMaterial({
        vertexShader: FLOOR_VERTEX,
        fragmentShader: FLOOR_FRAGMENT,
        uniforms: {
          floorColor: { value: new Color() },
          gridColor: { value: new Color() },
          centre: { value: new Vector2() },
          radius: { value: 1 },
          spacing: { value: 0.1 },
        },
        transparent: true,
        depthWrite: false,
      }),
    );
    this.floor.renderOrder = -9;
    this.shadowCatcher = new Mesh(
      new PlaneGeometry(1, 1),
      new ShadowMaterial({ transparent: true, depthWrite: false }),
    );
    this.shadowCatcher.receiveShadow = true;
    this.shadowCatcher.renderOrder = -8;
    this.box = new LineSegments(
      new EdgesGeometry(new BoxGeometry(1, 1, 1)),
      new LineBasicMaterial({ transparent: true, opacity: 0.55 }),
    );
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 4;
    this.scene.add(
      this.background,
      this.floor,
      this.shadowCatcher,
      this.box,
      this.sun,
      this.sun.target,
      this.hemisphere,
      new AmbientLight(0xffffff, 0.25),
      this.solids,
    );
    this.setTheme('dark');
  }

  /** Whether pictures are drawn by the processor. */
  get isSoftware(): boolean {
    const gl = this.renderer.getContext();
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    return /swiftshader|llvmpipe|software/i.test(name);
  }

  setTheme(name: ThemeName): void {
    this.theme = SCENE_THEMES[name];
    const background = this.background.material.uniforms;
    background['backdropLow'].value.copy(this.theme.backdropLow);
    background['backdropHigh'].value.copy(this.theme.backdropHigh);
    const floor = this.floor.material.uniforms;
    floor['floorColor'].value.copy(this.theme.floor);
    floor['gridColor'].value.copy(this.theme.grid);
    this.box.material.color.copy(this.theme.box);
    this.shadowCatcher.material.opacity = this.theme.shadow;
    this.requestRender();
  }

  /** The box the scene lives in: floor, grid, shadow and camera limits follow it. */
  setBounds(min: Vec3, max: Vec3): void {
    this.boundsMin = min;
    this.boundsMax = max;
    const size = this.size;
    const centre = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    const radius = size * 2.2;
    const floor = this.floor.material.uniforms;
    floor['centre'].value.set(centre.x, centre.y);
    floor['radius'].value = radius;
    floor['spacing'].value = niceSpacing(size / 12);
    // A hair under the domain so that liquid lying on the bottom does not fight with the floor for depth.
    const ground = min[2] - 0.002 * size;
    this.floor.scale.set(2 * radius, 2 * radius, 1);
    this.floor.position.set(centre.x, centre.y, ground);
    this.shadowCatcher.scale.copy(this.floor.scale);
    this.shadowCatcher.position.set(centre.x, centre.y, ground);
    this.box.scale.set(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
    this.box.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(SUN, size * 1.5);
    this.sun.target.position.copy(centre);
    const shadow = this.sun.shadow.camera;
    const reach = size * 0.75;
    shadow.left = shadow.bottom = -reach;
    shadow.right = shadow.top = reach;
    shadow.near = size * 0.1;
    shadow.far = size * 3;
    shadow.updateProjectionMatrix();
    this.sun.shadow.bias = -0.002;
    this.sun.shadow.normalBias = size * 0.004;
    this.controls.minDistance = size * 0.02;
    this.controls.maxDistance = size * 12;
    this.markShadowsDirty();
  }

  /** Diagonal of the bounds, metres. */
  get size(): number {
    const [a, b] = [this.boundsMin, this.boundsMax];
    return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) || 1;
  }

  get bounds(): { min: Vec3; max: Vec3 } {
    return { min: this.boundsMin, max: this.boundsMax };
  }

  fit(view: ViewDirection): void {
    const { left, right, top, bottom } = this.insets;
    const size = this.renderer.getSize(new Vector2());
    const share = [1 - (left + right) / size.x, 1 - (top + bottom) / size.y] as const;
    const target = fitCamera(this.camera, this.boundsMin, this.boundsMax, view, share);
    this.controls.target.copy(target);
    this.controls.update();
    this.moved = false;
    this.requestRender();
  }

  markMoved(): void {
    this.moved = true;
  }

  /** Where the camera was moved to; null while it shows the whole domain. */
  get cameraPlace(): CameraPlace | null {
    return this.moved
      ? { position: this.camera.position.toArray(), target: this.controls.target.toArray() }
      : null;
  }

  placeCamera({ position, target }: CameraPlace): void {
    this.camera.position.set(...position);
    this.controls.target.set(...target);
    this.controls.update();
    this.moved = true;
    this.requestRender();
  }

  /** Pixels that bars and panels cover: the picture's middle moves to the middle of what they leave free. */
  setInsets(insets: Insets): void {
    this.insets = insets;
    this.applyInsets();
    this.requestRender();
  }

  private applyInsets(): void {
    const { left, right, top, bottom } = this.insets;
    const { x, y } = this.renderer.getSize(new Vector2());
    this.camera.setViewOffset(x, y, (right - left) / 2, (bottom - top) / 2, x, y);
  }

  /** 0..1: water throws a lighter shadow than what light cannot pass. */
  setShadowStrength(strength: number): void {
    this.sun.shadow.intensity = strength;
  }

  showBox(visible: boolean): void {
    this.box.visible = visible;
    this.requestRender();
  }

  showFloor(visible: boolean): void {
    this.floorShown = visible;
    this.floor.visible = visible;
    this.shadowCatcher.visible = visible && !this.inHurry;
    this.requestRender();
  }

  resize(width: number, height: number, pixelRatio: number): void {
    this.fullPixelRatio = pixelRatio;
    this.renderer.setSize(width, height, false);
    this.applyPixelRatio();
    this.camera.aspect = width / Math.max(1, height);
    this.applyInsets();
    this.requestRender();
  }

  private applyPixelRatio(): void {
    this.renderer.setPixelRatio(this.fullPixelRatio * (this.inHurry ? HURRIED_PIXELS : 1));
  }

  /** A run in this page needs the processor that draws: no graphics card, and pictures may be plainer. */
  get hurried(): boolean {
    return this.inHurry;
  }

  set hurried(on: boolean) {
    if (on === this.inHurry) return;
    this.inHurry = on;
    this.applyPixelRatio();
    this.showFloor(this.floorShown);
  }

  markShadowsDirty(): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.requestRender();
  }

  requestRender(): void {
    if (this.pending !== 0) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.renderNow();
    });
  }

  /** As little empty depth before the scene as may be: sheets that meet are told apart by depth alone. */
  private sharpenDepth(): void {
    const { camera } = this;
    const [min, max] = [new Vector3(...this.boundsMin), new Vector3(...this.boundsMax)];
    const distance = camera.position.clone().clamp(min, max).distanceTo(camera.position);
    // The floor comes nearer than the box does, but not by more than this.
    camera.near = Math.max(NEAREST.ofScene * this.size, NEAREST.ofWay * distance);
    camera.updateProjectionMatrix();
  }

  /** Draws at once, so that the canvas may be read in the same task; pictures to keep show no handles. */
  renderNow(withOverlay = true): void {
    if (this.pending !== 0) cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.sharpenDepth();
    this.camera.updateMatrixWorld();
    const inverse = this.background.material.uniforms['inverseViewProjection'].value;
    inverse.multiplyMatrices(this.camera.matrixWorld, this.camera.projectionMatrixInverse);
    const composer = this.composers.find(({ active }) => active);
    if (composer) {
      composer.render(this);
    } else {
      this.renderer.setRenderTarget(null);
      this.renderer.clear();
      this.renderer.render(this.scene, this.camera);
    }
    if (withOverlay) {
      this.renderer.clearDepth();
      this.renderer.render(this.overlay, this.camera);
    }
  }
}

/** The 1-2-5 number nearest below. */
export function niceSpacing(about: number): number {
  const decade = 10 ** Math.floor(Math.log10(about));
  const lead = about / decade;
  return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}
