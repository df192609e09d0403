// The program as a few files in `.cache/bundle`: a start that reads these costs half of one that reads the sources. The bundle is made
// by the first start after the sources or the packages changed. Where that fails, the program runs from its sources.
'use strict';

const { createHash, randomBytes } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

/** What runs as a process or a thread of its own, below `src/`. Keep in step with the callers of `scriptAt`. */
const scripts = [
  'main.ts',
  'commands/progress/telling.ts',
  'commands/trial/child.ts',
  'commands/trial/watch.ts',
  'extensions/secsuite/parts/passwords/strength-thread.ts',
];

/** Packages that are not bundled: some have native code or files of their own, and the others are large and rarely needed. */
const external = [
  '@faker-js/faker',
  '@ip-location-db/geo-whois-asn-country-mmdb',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
  '@zxcvbn-ts/*',
  'esbuild',
  'pg',
  'sharp',
  'swagger-ui-dist',
];

/** How many bundles stay: a site that is running loads parts of its bundle later, after the program was updated beneath it. */
const bundlesKept = 3;

/** Where the bundle lies, or `undefined` when the program must run from its sources. `warn` is told why. */
async function bundle(root, warn) {
  if (!fs.existsSync(path.join(root, 'node_modules/esbuild'))) return undefined;
  const places = path.join(root, '.cache/bundle');
  try {
    const id = fingerprint(root);
    const place = path.join(places, id);
    if (isWhole(place)) return place;
    const isDamaged = fs.existsSync(place);
    await make(root, places, id);
    if (isDamaged) warn('The bundle of the program was damaged and was made again.');
    return place;
  } catch (error) {
    warn(`Gatehouse runs from its sources, which makes each start slower: ${reason(error, root)}`);
    return undefined;
  }
}

/** Changes with every file that a bundle is made of, and with the folder of the program, which stands in the bundle. */
function fingerprint(root) {
  const hash = createHash('sha256').update(`${root}\n`);
  const add = (file) => {
    const { size, mtimeMs } = fs.statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  };
  const within = (folder) => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) within(file);
      else if (!entry.name.endsWith('.test.ts')) add(file);
    }
  };
  within(path.join(root, 'src'));
  for (const name of ['bin/bundle.js', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'])
    add(path.join(root, name));
  return hash.digest('hex').slice(0, 16);
}

const listed = 'bundle.json';

/** Whether each file of the bundle is as it was written. */
function isWhole(place) {
  try {
    const files = Object.entries(JSON.parse(fs.readFileSync(path.join(place, listed), 'utf8')));
    return files.length > 0 && files.every(([name, state]) => stateOf(path.join(place, name)) === state);
  } catch {
    return false;
  }
}

/** In whole seconds, because the layers of container images keep no more. */
function stateOf(file) {
  const { size, mtimeMs } = fs.statSync(file);
  return `${size} ${Math.trunc(mtimeMs / 1000)}`;
}

/** Made beside its place and moved there when it is whole. Starts at the same time each make one, and the first one stays. */
async function make(root, places, id) {
  fs.mkdirSync(places, { recursive: true });
  discardOld(places);
  const token = randomBytes(6).toString('hex');
  const beside = path.join(places, `new-${token}`);
  const place = path.join(places, id);
  try {
    fs.mkdirSync(beside);
    await build(root, beside, place);
    const files = namesWithin(beside).map((name) => [name, stateOf(path.join(beside, name))]);
    fs.writeFileSync(path.join(beside, listed), JSON.stringify(Object.fromEntries(files)));
    if (fs.existsSync(place) && !isWhole(place)) fs.renameSync(place, path.join(places, `old-${token}`));
    try {
      fs.renameSync(beside, place);
    } catch (error) {
      if (!isWhole(place)) throw error;
    }
  } finally {
    discard(beside);
    discard(path.join(places, `old-${token}`));
  }
}

/** What an interrupted start left, and bundles of earlier versions. */
function discardOld(places) {
  const all = fs
    .readdirSync(places)
    .map((name) => ({ folder: path.join(places, name), isPart: /^(?:new|old)-/.test(name) }))
    .map((one) => ({ ...one, changed: fs.statSync(one.folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const anHourAgo = Date.now() - 3_600_000;
  for (const { folder, isPart, changed } of all) if (isPart && changed < anHourAgo) discard(folder);
  const whole = all.filter(({ isPart }) => !isPart).sort((one, other) => other.changed - one.changed);
  for (const { folder } of whole.slice(bundlesKept - 1)) discard(folder);
}

function discard(folder) {
  try {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The next bundle tries again.
  }
}

const namesWithin = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));

async function build(root, to, place) {
  const esbuild = require(path.join(root, 'node_modules/esbuild'));
  const src = path.join(root, 'src');
  try {
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: scripts.map((name) => path.join(src, name)).filter((file) => fs.existsSync(file)),
      outbase: src,
      outdir: to,
      chunkNames: 'parts/[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'esnext',
      tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true, useDefineForClassFields: true } },
      external,
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 160,
      sourcemap: 'external',
      sourcesContent: false,
      legalComments: 'none',
      logLevel: 'silent',
      // CommonJS packages ask for modules of Node when they run.
      banner: {
        js: "import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url);",
      },
      define: {
        bundleFolder: JSON.stringify(place),
        ...Object.fromEntries(ownPlaces.map(({ name, as }) => [name, as])),
      },
      plugins: [placesOfSources, requiredHttp],
    });
  } finally {
    await esbuild.stop();
  }
}

/** What a file calls its own place. In a bundle that is still the place of the source: files beside it are read from there. */
const ownPlaces = [
  { name: 'import.meta.url', as: 'urlOfSource', value: (file) => pathToFileURL(file).href },
  { name: 'import.meta.dirname', as: 'folderOfSource', value: (file) => path.dirname(file) },
  { name: 'import.meta.filename', as: 'pathOfSource', value: (file) => file },
  { name: '__dirname', as: 'folderOfSource', value: (file) => path.dirname(file) },
  { name: '__filename', as: 'pathOfSource', value: (file) => file },
];

/**
 * Failures are told apart by the names of their classes, and the bundler renames a class where two have one name. Its own `keepNames`
 * would also name each function again whenever a request makes it.
 */
const withName = (code) => code.replace(/^((?:export )?class (\w+) extends [\w.]+ \{)/gm, '$1 static name = "$2";');

const placesOfSources = {
  name: 'places of sources',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path: file }) => {
      const isTypeScript = file.endsWith('.ts');
      const text = fs.readFileSync(file, 'utf8');
      const code = isTypeScript ? withName(text) : text;
      const constants = ownPlaces
        .filter(({ name }) => code.includes(name))
        .map(({ as, value }) => `const ${as} = ${JSON.stringify(value(file))};`);
      if (constants.length === 0 && code === text) return undefined;
      return {
        contents: `${[...new Set(constants)].join(' ')} ${code}`,
        loader: isTypeScript ? 'ts' : 'js',
        resolveDir: path.dirname(file),
      };
    });
  },
};

/** An `import` of `node:http` reads all its exports, and some of them load Node's own `fetch`, which this program does not need. */
const requiredHttp = {
  name: 'node:http by require',
  setup(build) {
    const namespace = 'required';
    build.onResolve({ filter: /^node:http$/ }, ({ kind, path: name }) =>
      kind === 'import-statement' ? { path: name, namespace } : undefined,
    );
    build.onLoad({ filter: /^/, namespace }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(name)});`,
    }));
  },
};

function reason(error, root) {
  if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM')
    return `it may not write to ${path.join(root, '.cache')}. Start it once as the owner of that folder.`;
  if (error.code === 'ENOSPC' || /no space left/i.test(error.message))
    return `there is no room left on the disk of ${root}.`;
  return `the bundle could not be made (${error.message.split('\n').slice(0, 2).join(' ')}).`;
}

module.exports = { bundle };
