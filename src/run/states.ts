/** The page of what a checkpoint of each method holds, from the records the methods declare. */
import { describeRecord, type RecordType } from '../core/records.ts';

const HEAD = `# States

What a checkpoint of each method holds, column by column. Written from the declarations by \`node tools/write-states.js\`; do not edit. How the bytes lie:
[formats.md](formats.md). \`number\` is a double, \`f64\`, \`f32\`, \`i32\`, \`u8\` are arrays; "vertex x 3" has three numbers for every vertex. A checkpoint in which a column is missing, of another
type or of another length is refused.
`;

interface Described {
  readonly name: string;
  readonly record?: RecordType;
}

export function describeStatePage(methods: readonly Described[]): string {
  const sections = methods.flatMap(({ name, record }) =>
    record ? [`## \`${name}\`\n\n${describeRecord(record)}\n`] : [],
  );
  return [HEAD, ...sections].join('\n');
}
