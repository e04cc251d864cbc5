// test.mjs: the tests of what needs no VS Code, in test/*.test.ts. Arguments go to node.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const outdir = 'dist/test';
rmSync(outdir, { recursive: true, force: true });
const entryPoints = readdirSync('test')
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name}`);
await build({ entryPoints, outdir, bundle: true, platform: 'node', target: 'node20', sourcemap: 'inline', logLevel: 'warning' });
const files = readdirSync(outdir).map((name) => `${outdir}/${name}`);
const args = ['--enable-source-maps', '--test', '--test-reporter=dot', ...process.argv.slice(2), ...files];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
