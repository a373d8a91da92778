/**
 * Water as a composer: backdrop, thickness, refracting front faces (see shaders.ts). Absorption is scaled to
 * the size of the scene, because real water at the scale of a glass has no colour at all and a picture wants
 * some.
 */
import {
  AddEquation,
  type BufferGeometry,
  Color,
  CustomBlending,
  DepthTexture,
  DoubleSide,
  FrontSide,
  HalfFloatType,
  LinearFilter,
  Matrix3,
  Mesh,
  NearestFilter,
  OneFactor,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  WebGLRenderTarget,
} from 'three';
import type { Backdrop, Composer } from './backdrop.ts';
import {
  COPY_FRAGMENT,
  COPY_VERTEX,
  THICKNESS_FRAGMENT,
  THICKNESS_VERTEX,
  WATER_FRAGMENT,
  WATER_VERTEX,
} from './shaders.ts';

/** Red goes first, as in real water: share of light lost per scene length. */
const ABSORPTION_PER_SIZE = [3.8, 1.2, 0.6] as const;
/** Turbidity: how soon the water's own colour takes over, per scene length. */
const SCATTER_PER_SIZE = 1.6;

export class Water implements Composer {
  active = false;
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly backdrop: WebGLRenderTarget;
  private readonly thickness: WebGLRenderTarget;
  private readonly liquidScene = new Scene();
  private readonly copyScene = new Scene();
  private readonly material: ShaderMaterial;
  private readonly thicknessMaterial: ShaderMaterial;

  constructor(geometry: BufferGeometry) {
    const half = { type: HalfFloatType, minFilter: LinearFilter, magFilter: LinearFilter };
    this.backdrop = new WebGLRenderTarget(1, 1, { ...half, samples: 4 });
    this.backdrop.depthTexture = new DepthTexture(1, 1);
    this.backdrop.depthTexture.minFilter = this.backdrop.depthTexture.magFilter = NearestFilter;
    this.thickness = new WebGLRenderTarget(1, 1, { ...half, depthBuffer: false });
    const shared = {
      backdropDepth: { value: this.backdrop.depthTexture },
      invResolution: { value: new Vector2() },
      nearFar: { value: new Vector2() },
    };
    this.material = new ShaderMaterial({
      vertexShader: WATER_VERTEX,
      fragmentShader: WATER_FRAGMENT,
      side: FrontSide,
      uniforms: {
        ...shared,
        backdrop: { value: this.backdrop.texture },
        thicknessMap: { value: this.thickness.texture },
        flatShading: { value: false },
        absorption: { value: new Vector3() },
        bodyColor: { value: new Color() },
        scatter: { value: 1 },
        maxThickness: { value: 1 },
        projection: { value: null },
        viewToWorld: { value: new Matrix3() },
        skyZenith: { value: new Color() },
        skyHorizon: { value: new Color() },
        skyGround: { value: new Color() },
        sunDirection: { value: new Vector3() },
      },
    });
    this.thicknessMaterial = new ShaderMaterial({
      vertexShader: THICKNESS_VERTEX,
      fragmentShader: THICKNESS_FRAGMENT,
      side: DoubleSide,
      depthTest: false,
      depthWrite: false,
      transparent: true,
      blending: CustomBlending,
      blendEquation: AddEquation,
      blendSrc: OneFactor,
      blendDst: OneFactor,
      uniforms: { ...shared, depthOffset: { value: 0 } },
    });
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.liquidScene.add(this.mesh);
    const copy = new Mesh(
      new PlaneGeometry(2, 2),
      new ShaderMaterial({
        vertexShader: COPY_VERTEX,
        fragmentShader: COPY_FRAGMENT,
        uniforms: { backdrop: { value: this.backdrop.texture } },
        depthTest: false,
        depthWrite: false,
      }),
    );
    copy.frustumCulled = false;
    this.copyScene.add(copy);
  }

  setFlatShading(flat: boolean): void {
    this.material.uniforms['flatShading'].value = flat;
  }

  render(backdrop: Backdrop): void {
    const { renderer, camera } = backdrop;
    this.updateUniforms(backdrop);
    // The opaque world, to be seen through the water.
    renderer.setRenderTarget(this.backdrop);
    renderer.clear();
    renderer.render(backdrop.scene, camera);
    // Metres of water behind each pixel.
    this.mesh.material = this.thicknessMaterial;
    renderer.setRenderTarget(this.thickness);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(this.liquidScene, camera);
    this.mesh.material = this.material;
    // The picture: the world, and the water over it.
    renderer.setRenderTarget(null);
    renderer.clear();
    renderer.render(this.copyScene, camera);
    renderer.render(this.liquidScene, camera);
  }

  private updateUniforms(backdrop: Backdrop): void {
    const { camera, renderer, theme, size } = backdrop;
    const pixels = renderer.getDrawingBufferSize(new Vector2());
    if (this.backdrop.width !== pixels.x || this.backdrop.height !== pixels.y) {
      this.backdrop.setSize(pixels.x, pixels.y);
      this.thickness.setSize(pixels.x, pixels.y);
    }
    const u = this.material.uniforms;
    u['invResolution'].value.set(1 / pixels.x, 1 / pixels.y);
    u['nearFar'].value.set(camera.near, camera.far);
    u['absorption'].value.fromArray(ABSORPTION_PER_SIZE).divideScalar(size);
    u['scatter'].value = SCATTER_PER_SIZE / size;
    u['maxThickness'].value = size;
    u['projection'].value = camera.projectionMatrix;
    u['viewToWorld'].value.setFromMatrix4(camera.matrixWorld);
    u['bodyColor'].value.copy(theme.water);
    u['skyZenith'].value.copy(theme.skyZenith);
    u['skyHorizon'].value.copy(theme.skyHorizon);
    u['skyGround'].value.copy(theme.skyGround);
    u['sunDirection'].value.copy(backdrop.sunDirection);
    // Half floats are finest near zero: measure depth from the middle of the scene.
    const { min, max } = backdrop.bounds;
    const middle = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    this.thicknessMaterial.uniforms['depthOffset'].value = -middle.applyMatrix4(camera.matrixWorldInverse).z;
  }
}
