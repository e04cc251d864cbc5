// build.mjs [--minify]: the extension as one file, dist/extension.js.
import { build } from 'esbuild';

const minify = process.argv.includes('--minify');
await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  conditions: ['node'],
  minify,
  sourcemap: minify ? false : 'linked',
  logLevel: 'warning',
});
