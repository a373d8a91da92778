"""Holds the exports of a run against the run itself, in Blender (Debian's package will do):

    meniscus export DIR --to glb && meniscus export DIR --to obj && meniscus export DIR --to ply
    blender -b --factory-startup --python tools/check-in-blender.py -- DIR

GLB: each frame shown at its own time, its vertices where the run's are (up is up), and moving from a quarter frame before to a quarter
after by the run's velocity; solids there, with their rotation at first, middle and last frame. OBJ and PLY: vertices where the run's are.
"""
import glob
import json
import math
import os
import sys

import bpy
import numpy as np

# Debian's glTF importer uses a name that its numpy no longer has.
np.bool = bool

run = sys.argv[sys.argv.index("--") + 1]
info = json.load(open(f"{run}/run.json"))
fps = info["fps"]
export = f"{run}/export"


def read_frame(n):
    """Positions and velocities of a frame of the run folder."""
    data = open(f"{run}/surface/{n:06d}.ply", "rb").read()
    begin = data.index(b"end_header\n") + len(b"end_header\n")
    head = data[:begin].decode().split("\n")
    start = next(n for n, line in enumerate(head) if line.startswith("element vertex"))
    count = int(head[start].split()[2])
    kinds = {"float": "<f4", "double": "<f8", "int": "<i4", "uint": "<u4", "uchar": "u1"}
    properties = []
    for line in head[start + 1 :]:
        if not line.startswith("property"):
            break
        _, kind, name = line.split()
        properties.append((name, kinds[kind]))
    table = np.frombuffer(data, dtype=properties, count=count, offset=begin)
    pick = lambda names: np.stack([table[name].astype(float) for name in names], axis=1)
    return pick("xyz"), pick([f"velocity_{axis}" for axis in "xyz"])


def read_vertices(thing):
    """World positions of an object as Blender would draw it now."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    flat = np.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", flat)
    matrix = np.array(evaluated.matrix_world)
    return flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def go_to(frame):
    bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))


def list_shown(things):
    return [thing for thing in things if thing.matrix_world.to_scale()[0] > 0.5]


def check_glb(file):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(fps)
    bpy.ops.import_scene.gltf(filepath=file)
    assert scene["fps"] == fps, scene["fps"]
    frames = [thing for thing in scene.objects if thing.name.startswith("frame ")]
    frames.sort(key=lambda thing: int(thing.name.split()[1]))
    offset = slip = fastest = 0
    for n, thing in enumerate(frames):
        position, velocity = read_frame(n)
        go_to(n)
        assert list_shown(frames) == [thing], f"frame {n}: {list_shown(frames)}"
        offset = max(offset, abs(read_vertices(thing) - position).max())
        ends = []
        low = 0 if n == 0 else -0.25
        for part in (low, 0.25):
            go_to(n + part)
            assert list_shown(frames) == [thing], f"frame {n + part}: {list_shown(frames)}"
            ends.append(read_vertices(thing))
        moved = (ends[1] - ends[0]) * fps / (0.25 - low)
        slip = max(slip, abs(moved - velocity).max())
        fastest = max(fastest, abs(velocity).max())
    print(f"glb: {len(frames)} frames, vertices off by at most {offset:.2g} m")
    print(f"glb: velocity off by at most {slip:.2g} of {fastest:.3g} m/s")
    for thing in scene.objects:
        if thing.type != "MESH" or thing in frames:
            continue
        poses = []
        for n in (0, (len(frames) - 1) // 2, len(frames) - 1):
            go_to(n)
            low, high = read_vertices(thing).min(axis=0), read_vertices(thing).max(axis=0)
            turn = math.degrees(thing.matrix_world.to_euler().z)
            poses.append(f"frame {n}: turned {turn:.2f} degrees about z, centre {np.round((low + high) / 2, 4)}")
        print(f"glb: solid {thing.name}: {'; '.join(poses)}")
    assert offset < 1e-5 and slip < 1e-4 * max(1, fastest)


def check_files(kind, read):
    worst = 0
    files = sorted(glob.glob(f"{export}/{kind}/*.{kind}"))
    for file in files:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        read(filepath=file)
        position, _ = read_frame(int(os.path.basename(file).split(".")[0]))
        worst = max(worst, abs(read_vertices(bpy.context.scene.objects[0]) - position).max())
    print(f"{kind}: {len(files)} frames, vertices off by at most {worst:.2g} m")
    assert worst < 1e-5


try:
    check_glb(glob.glob(f"{export}/*.glb")[0])
    check_files("obj", bpy.ops.wm.obj_import)
    check_files("ply", bpy.ops.import_mesh.ply)
except Exception as error:  # Blender would go on and end with 0.
    print(f"failed: {error}")
    sys.exit(1)
