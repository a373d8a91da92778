/**
 * PLY polygon files and point clouds, ascii and binary of both byte orders, with any vertex and face
 * attributes.
 *
 * Reading: `x y z` are positions; properties `name_x name_y name_z` (or `nx ny nz`, and `vx vy vz`) become
 * one field of three components; everything else a scalar field. Units are read back from our own comments.
 * Writing: binary little-endian, or text; positions and float fields as float unless `double` is asked for; a
 * vector field `velocity` is written as velocity_x velocity_y velocity_z, and its unit as `comment unit
 * velocity m/s`. Surfaces that a mesh consists of are named by `comment part LABEL NAME`.
 */
import { InputError } from '../core/errors.ts';
import type { Field, ParticleFrame, SurfacePart } from '../mesh/fields.ts';
import type { TriMesh } from '../mesh/trimesh.ts';
import { showFloat } from './bytes.ts';
import { addPolygon, checkCorners, checkVertexId, F64List, type MeshFile } from './mesh-file.ts';
import {
  type PlyElement,
  type PlyHeader,
  type PlyProperty,
  readPlyHeader,
  SCALAR_SIZE,
} from './ply-header.ts';
import { AsciiPlySource, BinaryPlySource, type PlySource } from './ply-source.ts';

export interface PlyOptions {
  /** As text: readers such as meshio know further properties of faces only there. */
  readonly ascii?: boolean;
  /** Positions and Float64 fields as double instead of float. */
  readonly double?: boolean;
  /** Extra comment lines, without line ends. */
  readonly comments?: readonly string[];
  /** Names of the surfaces that the mesh consists of. */
  readonly parts?: readonly SurfacePart[] | undefined;
}

export function readPly(bytes: Uint8Array, fileName: string): MeshFile {
  const { header, vertexElement, vertices, faceElement, faces } = readElements(bytes, fileName);
  if (!faces || !faceElement) {
    throw new InputError(
      fileName,
      'no face element in the PLY header: a point cloud',
      'give a triangle mesh',
    );
  }
  const position = buildPositions(vertices, vertexElement.count, fileName);
  const { triangle, triangleToFace } = triangulate(position, faces, vertexElement.count, fileName);
  const faceScalars = mapRows(faces.scalars, triangleToFace);
  return {
    vertexCount: vertexElement.count,
    triangleCount: triangle.length / 3,
    position,
    triangle,
    attributes: buildFields(vertices, vertexElement, header),
    faceAttributes: buildFields(faceScalars, faceElement, header),
    ...(header.parts.length > 0 && { parts: header.parts }),
  };
}

/** A point cloud; faces that the file may have are passed over. */
export function readPlyPoints(bytes: Uint8Array, fileName: string): ParticleFrame {
  const { header, vertexElement, vertices } = readElements(bytes, fileName);
  const { count } = vertexElement;
  const position = buildPositions(vertices, count, fileName);
  return { count, position, fields: buildFields(vertices, vertexElement, header) };
}

interface PlyTables {
  readonly header: PlyHeader;
  readonly vertexElement: PlyElement;
  readonly vertices: Record<string, Float64Array>;
  readonly faceElement?: PlyElement | undefined;
  readonly faces?: FaceTable | undefined;
}

function readElements(bytes: Uint8Array, fileName: string): PlyTables {
  const header = readPlyHeader(bytes, fileName);
  const source =
    header.format === 'ascii'
      ? new AsciiPlySource(bytes, header.bodyOffset, header.lineCount, fileName)
      : new BinaryPlySource(bytes, header.bodyOffset, header.format === 'binary_little_endian', fileName);

  let vertices: Record<string, Float64Array> = {};
  let vertexElement: PlyElement | undefined;
  let faces: FaceTable | undefined;
  let faceElement: PlyElement | undefined;
  for (const element of header.elements) {
    if (element.name === 'vertex') {
      vertexElement = element;
      vertices = readScalars(source, element);
    } else if (element.name === 'face') {
      faceElement = element;
      faces = readFaces(source, element, fileName);
    } else if (element.properties.length > 0) {
      readScalars(source, element);
    }
  }
  if (!vertexElement)
    throw new InputError(fileName, 'no vertex element in the PLY header', 'give a mesh file');
  return { header, vertexElement, vertices, faceElement, faces };
}

interface FaceTable {
  /** CSR of corners. */
  readonly start: Int32Array;
  readonly corner: Int32Array;
  readonly scalars: Record<string, Float64Array>;
}

function readScalars(source: PlySource, element: PlyElement): Record<string, Float64Array> {
  if (!element.properties.some((p) => p.list)) {
    const table = source.readAlike?.(element, 0);
    if (table) return nameColumns(element, table);
  }
  return readRows(source, element, (property) => skipList(source, property));
}

/** Row by row: the columns of what is no list, and `readList` for what is one. */
function readRows(
  source: PlySource,
  element: PlyElement,
  readList: (property: PlyProperty, row: number) => void,
): Record<string, Float64Array> {
  const columns = element.properties.map((p) => (p.list ? undefined : new Float64Array(element.count)));
  for (let row = 0; row < element.count; row++) {
    for (let p = 0; p < element.properties.length; p++) {
      const property = element.properties[p];
      const column = columns[p];
      if (column) column[row] = source.read(property.type);
      else readList(property, row);
    }
    source.endRow();
  }
  return nameColumns(element, columns);
}

/** Columns of the properties that are no lists, by name. */
function nameColumns(
  element: PlyElement,
  columns: readonly (Float64Array | undefined)[],
): Record<string, Float64Array> {
  const named: Record<string, Float64Array> = {};
  element.properties.forEach((property, i) => {
    const column = columns[i];
    if (column && !property.list) named[property.name] = column;
  });
  return named;
}

function skipList(source: PlySource, property: PlyProperty): void {
  const count = source.read(property.list!);
  for (let i = 0; i < count; i++) source.read(property.type);
}

function readFaces(source: PlySource, element: PlyElement, fileName: string): FaceTable {
  const isCorners = (p: PlyProperty) =>
    p.list !== undefined && (p.name === 'vertex_indices' || p.name === 'vertex_index');
  if (!element.properties.some(isCorners)) {
    throw new InputError(fileName, 'faces have no list property vertex_indices', 'give a triangle mesh');
  }
  const start = new Int32Array(element.count + 1);
  const triangles = source.readAlike?.(element, 3);
  if (triangles) {
    for (let f = 0; f <= element.count; f++) start[f] = 3 * f;
    const corner = new Int32Array(triangles[element.properties.findIndex(isCorners)]);
    return { start, corner, scalars: nameColumns(element, triangles) };
  }
  const corner = new F64List();
  const scalars = readRows(source, element, (property, row) => {
    if (!isCorners(property)) {
      skipList(source, property);
      return;
    }
    const count = source.read(property.list!);
    if (!(count >= 3))
      throw new InputError(fileName, `face ${row} has ${count} corners`, 'remove faces with fewer than 3');
    checkCorners(`${fileName}, face ${row}`, count);
    for (let i = 0; i < count; i++) corner.push(source.read(property.type));
    start[row + 1] = corner.length;
  });
  return { start, corner: corner.toI32(), scalars };
}

function buildPositions(
  columns: Record<string, Float64Array>,
  count: number,
  fileName: string,
): Float64Array {
  const position = new Float64Array(3 * count);
  for (let k = 0; k < 3; k++) {
    const column = columns['xyz'[k]];
    if (!column) throw new InputError(fileName, `vertices have no property ${'xyz'[k]}`, 'give a mesh file');
    for (let v = 0; v < count; v++) position[3 * v + k] = column[v];
  }
  return position;
}

function triangulate(position: Float64Array, faces: FaceTable, vertexCount: number, fileName: string) {
  const { start, corner } = faces;
  const faceCount = start.length - 1;
  for (let i = 0; i < corner.length; i++) {
    if (corner[i] >= 0 && corner[i] < vertexCount) continue;
    checkVertexId(fileName, corner[i], vertexCount, start.findIndex((end) => end > i) - 1);
  }
  // Triangles only: nothing to split.
  if (corner.length === 3 * faceCount) return { triangle: corner, triangleToFace: undefined };
  const triangle = new F64List();
  const triangleToFace = new F64List();
  for (let f = 0; f < faceCount; f++) {
    if (start[f + 1] - start[f] === 3) {
      for (let i = start[f]; i < start[f + 1]; i++) triangle.push(corner[i]);
      triangleToFace.push(f);
      continue;
    }
    const count = addPolygon(position, Array.from(corner.subarray(start[f], start[f + 1])), triangle);
    for (let i = 0; i < count; i++) triangleToFace.push(f);
  }
  return { triangle: triangle.toI32(), triangleToFace: triangleToFace.toI32() };
}

/** Face values for the triangles that faces became; undefined rows: each face is a triangle. */
function mapRows(
  columns: Record<string, Float64Array>,
  rows: Int32Array | undefined,
): Record<string, Float64Array> {
  if (!rows) return columns;
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const mapped = new Float64Array(rows.length);
      for (let i = 0; i < rows.length; i++) mapped[i] = column[rows[i]];
      return [name, mapped];
    }),
  );
}

/** Groups columns into fields, in file order. */
function buildFields(
  columns: Record<string, Float64Array>,
  element: PlyElement,
  header: PlyHeader,
): Record<string, Field> {
  const fields: Record<string, Field> = {};
  const used = new Set(element.name === 'vertex' ? ['x', 'y', 'z'] : []);
  for (const { name, type } of element.properties) {
    const column = columns[name];
    if (!column || used.has(name)) continue;
    const vector = findVector(name, columns);
    const parts = vector ? vector.parts.map((part) => columns[part]) : [column];
    for (const part of vector?.parts ?? [name]) used.add(part);
    const fieldName = vector?.name ?? name;
    const values = createValues(type, parts.length * column.length);
    for (let k = 0; k < parts.length; k++) {
      for (let i = 0; i < column.length; i++) values[parts.length * i + k] = parts[k][i];
    }
    fields[fieldName] = { components: vector ? 3 : 1, unit: header.units[fieldName] ?? '', values };
  }
  return fields;
}

/** The vector field that a property is the x component of, if the file has all three. */
function findVector(name: string, columns: Record<string, Float64Array>) {
  const known: Record<string, string> = { nx: 'normal', vx: 'velocity' };
  let parts: string[] = [];
  let vector = '';
  if (name in known) {
    vector = known[name];
    parts = ['x', 'y', 'z'].map((axis) => name[0] + axis);
  } else if (name.endsWith('_x')) {
    vector = name.slice(0, -2);
    parts = ['x', 'y', 'z'].map((axis) => `${vector}_${axis}`);
  }
  return parts.length === 3 && parts.every((part) => part in columns) ? { name: vector, parts } : undefined;
}

function createValues(type: string, length: number): Field['values'] {
  if (type === 'float') return new Float32Array(length);
  // uint32 does not fit Int32Array; doubles hold every integer type exactly.
  if (type === 'double' || type === 'uint') return new Float64Array(length);
  return new Int32Array(length);
}

/** One column of the output: where its numbers lie and how they are stored. */
interface Column {
  readonly name: string;
  readonly type: 'float' | 'double' | 'int';
  readonly values: Field['values'];
  readonly stride: number;
  readonly offset: number;
}

export function writePly(
  mesh: TriMesh,
  vertexFields: Record<string, Field> = {},
  faceFields: Record<string, Field> = {},
  options: PlyOptions = {},
): Uint8Array<ArrayBuffer> {
  const vertexColumns = listVertexColumns(mesh.position, mesh.vertexCount, vertexFields, options);
  const faceColumns = Object.entries(faceFields).flatMap(([name, f]) =>
    buildColumns(name, f, mesh.triangleCount, options.double ?? false),
  );
  const header = buildHeader({ ...vertexFields, ...faceFields }, options, [
    `element vertex ${mesh.vertexCount}`,
    ...vertexColumns.map((c) => `property ${c.type} ${c.name}`),
    `element face ${mesh.triangleCount}`,
    'property list uchar int vertex_indices',
    ...faceColumns.map((c) => `property ${c.type} ${c.name}`),
  ]);

  if (options.ascii) return writeAscii(header, mesh, vertexColumns, faceColumns);
  const head = new TextEncoder().encode(header);
  const vertexStride = vertexColumns.reduce((sum, c) => sum + SCALAR_SIZE[c.type], 0);
  const faceStride = faceColumns.reduce((sum, c) => sum + SCALAR_SIZE[c.type], 13);
  const out = new Uint8Array(head.length + mesh.vertexCount * vertexStride + mesh.triangleCount * faceStride);
  out.set(head);
  const view = new DataView(out.buffer);
  writeColumns(view, head.length, vertexStride, mesh.vertexCount, vertexColumns);
  const faceStart = head.length + mesh.vertexCount * vertexStride;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const at = faceStart + t * faceStride;
    view.setUint8(at, 3);
    for (let i = 0; i < 3; i++) view.setInt32(at + 1 + 4 * i, mesh.triangle[3 * t + i], true);
  }
  writeColumns(view, faceStart + 13, faceStride, mesh.triangleCount, faceColumns);
  return out;
}

/** A point cloud: vertices alone. */
export function writePlyPoints(
  { count, position, fields }: ParticleFrame,
  options: Omit<PlyOptions, 'parts'> = {},
): Uint8Array<ArrayBuffer> {
  const columns = listVertexColumns(position, count, fields, options);
  const header = buildHeader(fields, options, [
    `element vertex ${count}`,
    ...columns.map((c) => `property ${c.type} ${c.name}`),
  ]);
  if (options.ascii) {
    const none: TriMesh = { vertexCount: count, triangleCount: 0, position, triangle: new Int32Array(0) };
    return writeAscii(header, none, columns, []);
  }
  const head = new TextEncoder().encode(header);
  const stride = columns.reduce((sum, c) => sum + SCALAR_SIZE[c.type], 0);
  const out = new Uint8Array(head.length + count * stride);
  out.set(head);
  writeColumns(new DataView(out.buffer), head.length, stride, count, columns);
  return out;
}

function listVertexColumns(
  values: Float64Array,
  count: number,
  fields: Record<string, Field>,
  { double = false }: PlyOptions,
): Column[] {
  const position: Field = { components: 3, unit: 'm', values };
  return [
    ...buildColumns('', position, count, double),
    ...Object.entries(fields).flatMap(([name, f]) => buildColumns(name, f, count, double)),
  ];
}

function buildHeader(
  fields: Record<string, Field>,
  { ascii, comments = [], parts = [] }: PlyOptions,
  elements: readonly string[],
): string {
  const units = Object.entries(fields).filter(([, field]) => field.unit !== '');
  return [
    'ply',
    `format ${ascii ? 'ascii' : 'binary_little_endian'} 1.0`,
    ...comments.map((c) => `comment ${c.replace(/[\r\n]+/g, ' ')}`),
    ...units.map(([name, field]) => `comment unit ${name} ${field.unit}`),
    ...parts.map(({ label, name }) => `comment part ${label} ${checkName(name)}`),
    ...elements,
    'end_header\n',
  ].join('\n');
}

/** Numbers in the shortest decimals that read back as the same float or double. */
function writeAscii(
  header: string,
  mesh: TriMesh,
  vertexColumns: readonly Column[],
  faceColumns: readonly Column[],
): Uint8Array<ArrayBuffer> {
  const lines: string[] = [];
  const show = ({ type, values, stride, offset }: Column, i: number): string => {
    const value = values[stride * i + offset];
    return type === 'float' ? showFloat(value) : String(value);
  };
  for (let v = 0; v < mesh.vertexCount; v++) lines.push(vertexColumns.map((c) => show(c, v)).join(' '));
  for (let t = 0; t < mesh.triangleCount; t++) {
    const corners = mesh.triangle.subarray(3 * t, 3 * t + 3).join(' ');
    lines.push(['3', corners, ...faceColumns.map((c) => show(c, t))].join(' '));
  }
  return new TextEncoder().encode(`${header}${lines.map((line) => `${line}\n`).join('')}`);
}

function buildColumns(name: string, field: Field, count: number, double: boolean): Column[] {
  const { components, values } = field;
  if (values.length < components * count) {
    throw new InputError(
      `PLY field ${name}`,
      `it has ${values.length} numbers for ${count} elements of ${components}`,
      'give one value per element',
    );
  }
  const type =
    values instanceof Int32Array ? 'int' : double && values instanceof Float64Array ? 'double' : 'float';
  if (components === 1) return [{ name: checkName(name), type, values, stride: 1, offset: 0 }];
  return ['x', 'y', 'z'].map((axis, offset) => ({
    name: name === '' ? axis : `${checkName(name)}_${axis}`,
    type,
    values,
    stride: 3,
    offset,
  }));
}

/** PLY separates words by spaces, so a name may hold none. */
function checkName(name: string): string {
  if (/^\S+$/.test(name)) return name;
  throw new InputError(`PLY field "${name}"`, 'its name is empty or holds a space', 'rename the field');
}

function writeColumns(view: DataView, begin: number, stride: number, count: number, columns: Column[]): void {
  let offset = begin;
  for (const column of columns) {
    const { values, stride: step, offset: first, type } = column;
    for (let i = 0; i < count; i++) {
      const at = offset + i * stride;
      if (type === 'float') view.setFloat32(at, values[step * i + first], true);
      else if (type === 'double') view.setFloat64(at, values[step * i + first], true);
      else view.setInt32(at, values[step * i + first], true);
    }
    offset += SCALAR_SIZE[type];
  }
}
