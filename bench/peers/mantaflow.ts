/**
 * Blender's Mantaflow, without a window: FLIP on a uniform grid, and its mesh. The clock runs over the bake
 * alone, the mesh included; the cache is on disk, as Blender keeps it.
 */
import { join } from 'node:path';
import type { BoxFlow, PeerResult } from './box-flow.ts';
import { findProgram, runProgram } from './program.ts';

/** Cells of the mesh across a cell of the flow: Blender's default. */
const MESH_SCALE = 2;

/** Sets the scene up, bakes it and prints seconds, volumes and fronts as one line of JSON. */
const SCRIPT = `
import bpy, json, sys, time
flow = json.loads(sys.argv[sys.argv.index('--') + 1])
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = flow['fps']
scene.frame_start, scene.frame_end = 1, flow['frames'] + 1
scene.gravity = flow['gravity']

def add_box(box, kind):
    low, high = box['min'], box['max']
    bpy.ops.mesh.primitive_cube_add(size=1, location=[(a + b) / 2 for a, b in zip(low, high)])
    made = bpy.context.object
    made.scale = [b - a for a, b in zip(low, high)]
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    modifier = made.modifiers.new('Fluid', 'FLUID')
    modifier.fluid_type = kind
    return made, modifier

tank, modifier = add_box(flow['domain'], 'DOMAIN')
domain = modifier.domain_settings
domain.domain_type = 'LIQUID'
longest = max(b - a for a, b in zip(flow['domain']['min'], flow['domain']['max']))
domain.resolution_max = round(longest / flow['spacing'])
domain.cache_type = 'ALL'
domain.cache_directory = flow['cache']
domain.cache_frame_start, domain.cache_frame_end = 1, flow['frames'] + 1
domain.use_mesh = True
domain.mesh_scale = flow['meshScale']
_, modifier = add_box(flow['water'], 'FLOW')
modifier.flow_settings.flow_type = 'LIQUID'
modifier.flow_settings.flow_behavior = 'GEOMETRY'
for solid in flow['solids']:
    _, modifier = add_box(solid, 'EFFECTOR')
    modifier.effector_settings.effector_type = 'COLLISION'

bpy.context.view_layer.objects.active = tank
start = time.time()
bpy.ops.fluid.bake_all()
seconds = time.time() - start
frames = []
for frame in range(flow['frames'] + 1):
    scene.frame_set(frame + 1)
    seen = tank.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = seen.to_mesh()
    mesh.calc_loop_triangles()
    at = [tank.matrix_world @ v.co for v in mesh.vertices]
    six = sum(at[t.vertices[0]].dot(at[t.vertices[1]].cross(at[t.vertices[2]])) for t in mesh.loop_triangles)
    frames.append({'time': frame / flow['fps'], 'volume': six / 6, 'front': max(p.x for p in at)})
    seen.to_mesh_clear()
print('RESULT ' + json.dumps({'seconds': seconds, 'frames': frames}))
`;

export const findBlender = () => findProgram('blender');

export async function runMantaflow(flow: BoxFlow, folder: string, threads: number): Promise<PeerResult> {
  const told = JSON.stringify({ ...flow, meshScale: MESH_SCALE, cache: join(folder, 'mantaflow') });
  const printed = await runProgram(
    'blender',
    [
      ['--background', '--factory-startup', '-noaudio', '--threads', `${threads}`],
      ['--python-exit-code', '1', '--python-expr', SCRIPT, '--', told],
    ].flat(),
    folder,
  );
  const line = printed.split('\n').find((each) => each.startsWith('RESULT '))!;
  return { program: 'Mantaflow', ...JSON.parse(line.slice('RESULT '.length)) };
}
