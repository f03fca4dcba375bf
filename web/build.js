/*
 * Builds the web client into a folder: scripts and styles with hashed names, each beside its compressed forms, and
 * `shell.html`, which names them.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { withoutSchemas } from '../client/build.js'

/** The browsers for which it is built. */
const TARGET = ['es2023', 'chrome120', 'firefox121', 'safari17.4']

/** What is built, with all that it imports. Parts that are loaded later are entries too. */
const ENTRY = 'web/src/main.tsx'
/** What stands in the page itself, and asks for the state meanwhile. */
const EARLY = 'web/src/platform/sync/early.ts'
/** The script of the worker that renders messages. */
const RENDERING_WORKER = 'web/src/rendering-worker/index.ts'

/** Below which compressing a file saves less than a packet. */
const WORTH_COMPRESSING_BYTES = 1_000

/** A tab that is open goes on with the build with which it began: its files are kept for as long as a tab may be. */
const KEEP_MILLISECONDS = 30 * 86_400_000

/**
 * @param {string} root of the clone
 * @param {string} folder in which the built files are to be
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function buildWeb(root, folder) {
  /** @type {typeof import('esbuild')} */
  const esbuild = createRequire(join(root, 'package.json'))('esbuild')
  /** @satisfies {import('esbuild').BuildOptions} */
  const options = {
    absWorkingDir: root,
    outdir: folder,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: TARGET,
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    assetNames: '[name]-[hash]',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  }
  // It runs in a thread of its own, where nothing of the client is, so it shares no scripts with that.
  const worker = await esbuild.build({ ...options, entryPoints: { renderer: RENDERING_WORKER } })
  const client = await esbuild.build({
    ...options,
    entryPoints: { app: ENTRY },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { RENDERING_WORKER: JSON.stringify(`/assets/${builtFrom(RENDERING_WORKER, worker.metafile)}`) },
    plugins: [laterAtOnce(root), withoutSchemas(root)],
  })
  const { metafile } = client
  mkdirSync(folder, { recursive: true })
  const files = new Map(
    [...client.outputFiles, ...worker.outputFiles].map(({ path, contents }) => [basename(path), contents]),
  )
  const build = createHash('sha256')
    .update([...files.keys()].join())
    .digest('hex')
    .slice(0, 12)
  for (const [name, contents] of files) write(join(folder, name), contents)
  write(join(folder, 'sw.js'), await serviceWorker(esbuild, root, [...files.keys()], build))
  // The page last: it names the others.
  write(
    join(folder, 'shell.html'),
    Buffer.from(shell(root, firstFiles(metafile), await earlyScript(esbuild, root), build)),
  )
  forget(folder, new Set(files.keys()))
  return metafile
}

/**
 * The name of the script that an entry became.
 * @param {string} entry
 * @param {import('esbuild').Metafile} metafile
 */
function builtFrom(entry, { outputs }) {
  const [path = ''] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? []
  return basename(path)
}

/**
 * The script that stands in the page.
 * @param {typeof import('esbuild')} esbuild
 * @param {string} root
 */
async function earlyScript(esbuild, root) {
  const { outputFiles } = await esbuild.build({ ...alone(root), entryPoints: [EARLY] })
  return outputFiles[0]?.text.trim() ?? ''
}

/**
 * How a script is built that shares nothing with others.
 * @param {string} root
 */
function alone(root) {
  /** @satisfies {import('esbuild').BuildOptions & { write: false }} */
  const options = {
    absWorkingDir: root,
    write: /** @type {false} */ (false),
    bundle: true,
    format: 'iife',
    target: TARGET,
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  }
  return options
}

/**
 * The service worker, which keeps these files in the browser.
 * @param {typeof import('esbuild')} esbuild
 * @param {string} root
 * @param {readonly string[]} names of the built files
 * @param {string} build
 */
async function serviceWorker(esbuild, root, names, build) {
  const { outputFiles } = await esbuild.build({
    ...alone(root),
    entryPoints: ['web/src/service-worker/index.ts'],
    define: { ASSETS: JSON.stringify(names.map((name) => `/assets/${name}`)), BUILD: JSON.stringify(build) },
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

/** Those load languages, each of which is a script of its own. */
const LANGUAGES = ['strings', 'administration', 'entrance-texts', 'refusal-texts', 'security-texts'].map(
  (name) => `kernel/${name}.ts`,
)

/**
 * Where a part lies that comes in a script of its own, with the others of its kind: what only the settings and the palette load, the pages
 * without a session, and what saves a whole topic.
 */
const APART = [/\/(?:administration|settings)\.ts$/, /\/screens\/(?:entrance\/|sign-in\.)/, /\/parts\/whole\.tsx$/]

/**
 * Makes one script of all that is loaded later, but for languages and what comes apart. Each part of its own would share pieces with the first
 * screen, another set of pieces for each, and the first screen would be 56 scripts of which most are too short to compress.
 * @param {string} root of the clone
 * @returns {import('esbuild').Plugin}
 */
function laterAtOnce(root) {
  const source = join(root, 'web/src')
  const languages = LANGUAGES.map((path) => join(source, path))
  return {
    name: 'later-at-once',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, importer, path, resolveDir }) =>
        kind === 'dynamic-import' && !languages.includes(importer)
          ? { path: join(resolveDir, path), namespace: 'later' }
          : undefined,
      )
      // Each part is a module that gives what was asked for, and comes with all others, and what comes apart comes with those too. All of
      // them import the first script, whole: otherwise what they share with it, and not with each other, would be further scripts.
      build.onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
        contents: [join(root, ENTRY), ...lazilyImported(source, languages)]
          .filter((part) => [undefined, kindOf(path)].includes(kindOf(part)))
          .map((part) => `import ${JSON.stringify(part)}`)
          .concat(`export * from ${JSON.stringify(path)}`)
          .join('\n'),
        resolveDir: source,
      }))
    },
  }
}

/**
 * With which parts a part comes, if it comes apart.
 * @param {string} path
 */
function kindOf(path) {
  return APART.find((place) => place.test(path))
}

/**
 * The files that sources import when they are needed.
 * @param {string} source
 * @param {readonly string[]} except files of which the imports do not count
 */
function lazilyImported(source, except) {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return new Set(
    files
      .filter((file) => !except.includes(file))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path = '']) =>
          join(file, '..', path),
        ),
      ),
  )
}

/**
 * The names of the files that the first screen needs: the script, its style, and the scripts that it imports.
 * @param {import('esbuild').Metafile} metafile
 * @returns {{ script: string, style: string, imported: readonly string[] }}
 */
function firstFiles({ outputs }) {
  const [script, { cssBundle = '' } = {}] =
    Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === ENTRY) ?? []
  const found = new Set(script === undefined ? [] : [script])
  for (const path of found) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') found.add(imported)
  }
  const [first = '', ...imported] = [...found].map((path) => basename(path))
  return { script: first, style: basename(cssBundle), imported }
}

/**
 * @param {string} root
 * @param {ReturnType<typeof firstFiles>} first
 * @param {string} early the script that stands in it
 * @param {string} build
 */
function shell(root, { script, style, imported }, early, build) {
  // Named in the page, they are fetched beside the script and not after it.
  const preloads = imported.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`)
  return readFileSync(join(root, 'web/shell.html'), 'utf8')
    .replace('{{early}}', () => `<script>${early}</script>`)
    .replace('{{script}}', `/assets/${script}`)
    .replace('{{style}}', `/assets/${style}`)
    .replace('{{preloads}}', preloads.join('\n    '))
    .replace('{{build}}', build)
}

/**
 * @param {string} path
 * @param {Uint8Array} contents
 */
function write(path, contents) {
  if (contents.length >= WORTH_COMPRESSING_BYTES) {
    replace(`${path}.gz`, gzipSync(contents, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    replace(`${path}.br`, brotliCompressSync(contents, { params }))
  }
  replace(path, contents)
}

/**
 * Puts a whole file in place of another, so that no reader sees half of it.
 * @param {string} path
 * @param {Uint8Array} contents
 */
function replace(path, contents) {
  writeFileSync(`${path}.new`, contents)
  renameSync(`${path}.new`, path)
}

/**
 * Removes what no build of late made.
 * @param {string} folder
 * @param {ReadonlySet<string>} built
 */
function forget(folder, built) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const isOld = existsSync(path) && statSync(path).mtimeMs < Date.now() - KEEP_MILLISECONDS
    if (isOld && !built.has(name.replace(/\.(gz|br)$/, ''))) rmSync(path)
  }
}
