import type { Command } from 'commander';

/** What a person would type, for the end of every --help. */
const EXAMPLES: Readonly<Record<string, readonly (readonly [command: string, what: string])[]>> = {
  meniscus: [
    ['meniscus run lattice/dam-break', 'a scene that is bundled'],
    ['meniscus view', 'look at all runs below ./runs'],
    ['meniscus export runs/dam-break --to glb', 'for Blender and others'],
  ],
  scenes: [
    ['meniscus scenes', ''],
    ['meniscus scenes | grep films/', 'in a pipe: a plain line for each'],
    ['meniscus scenes --json', ''],
  ],
  run: [
    ['meniscus run lattice/dam-break', 'into runs/dam-break'],
    ['meniscus run my.jsonc -o runs/try --until 0.5', 'a file of your own, half a second'],
    ['meniscus run lattice/dam-break --setting fine', 'a setting that the scene names'],
    ['meniscus run my.jsonc --set resolution=0.02 --set fps=60', 'other values'],
    ['meniscus run my.jsonc --resume --strict', 'go on; fail where volume is lost'],
  ],
  resume: [
    ['meniscus resume runs/dam-break', 'after Ctrl-C or a kill'],
    ['meniscus resume runs/dam-break --until 3', 'for longer than it was meant'],
    ['meniscus resume runs/dam-break --from 20', 'back to frame 20, then on'],
  ],
  check: [
    ['meniscus check my.jsonc', 'before a long run'],
    ['meniscus check lattice/dam-break --set resolution=0.01', 'what finer cells would need'],
    ['meniscus check my.jsonc --json', ''],
  ],
  mesh: [
    ['meniscus mesh bunny.obj --size 0.002 -o bunny.vtu', 'tetrahedra for a closed surface'],
    ['meniscus mesh sphere:0.5 --size 0.05 -o ball.vtu', 'or for a simple shape'],
    ['meniscus mesh box:1,1,2 --size 0.1 --interior uniform -o box.ply', 'only the boundary'],
  ],
  view: [
    ['meniscus view', 'the runs below ./runs, and scenes live'],
    ['meniscus view runs/dam-break', 'one run'],
    ['meniscus view runs/dam-break --no-open --port 8080', 'print the address only'],
  ],
  export: [
    ['meniscus export runs/dam-break --to usda', 'one file with all frames'],
    ['meniscus export runs/dam-break --to obj --frames 10:20', 'a file for each of these'],
    ['meniscus export runs/dam-break --to glb -o dam.glb', ''],
  ],
  render: [
    ['meniscus render runs/dam-break -o last.png', 'the last frame'],
    ['meniscus render runs/dam-break -o dam.mp4 --size 1920x1080', 'a film'],
    ['meniscus render runs/dam-break -o in.png --mode cut --cut y:0.4', 'a look inside'],
    ['meniscus render runs/dam-break -o v.png --color velocity --range 0:3', ''],
  ],
  validate: [
    ['meniscus validate --list', 'what there is'],
    ['meniscus validate films', 'all cases of a method'],
    ['meniscus validate --json', 'all of them, for a script'],
  ],
  bench: [
    ['meniscus bench --list', 'what there is'],
    ['meniscus bench kernels', 'only these'],
    ['meniscus bench --json', 'all of them, for a script'],
  ],
};

/** Adds them to a command and all below it. */
export function addExamples(command: Command): void {
  const examples = EXAMPLES[command.name()] ?? [];
  const lines = examples.map(([text, what]) => (what === '' ? `  ${text}` : `  ${text}\n      ${what}`));
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  for (const child of command.commands) addExamples(child);
}
