/* Builds the web client into a folder: hashed scripts and styles, compressed, and `shell.html`, which links them. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { removeSchemasPlugin } from '../client/build.js'

const TARGET = ['es2023', 'chrome120', 'firefox121', 'safari17.4']

const ENTRY = 'web/src/main.tsx'
/** Inlined in the page: requests the state while other scripts load. */
const EARLY = 'web/src/platform/sync/early.ts'
const RENDERING_WORKER = 'web/src/rendering-worker/index.ts'
const SOLVING_WORKER = 'web/src/solving-worker/index.ts'

/** Compressing smaller files saves less than a packet. */
const WORTH_COMPRESSING_BYTES = 1_000

/** Open tabs continue to use the build with which they started, so its files are kept for this time. */
const KEEP_MILLISECONDS = 30 * 86_400_000

/** @param {string} root @param {string} folder @returns {Promise<import('esbuild').Metafile>} */
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
    loader: { '.txt': 'file', '.woff2': 'file' },
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  }
  // Built separately: a worker shares no scripts with the client or another worker.
  const worker = await esbuild.build({ ...options, entryPoints: { renderer: RENDERING_WORKER } })
  const solver = await esbuild.build({ ...options, entryPoints: { solver: SOLVING_WORKER } })
  const client = await esbuild.build({
    ...options,
    entryPoints: { app: ENTRY },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: {
      RENDERING_WORKER: JSON.stringify(`/assets/${builtFrom(RENDERING_WORKER, worker.metafile)}`),
      SOLVING_WORKER: JSON.stringify(`/assets/${builtFrom(SOLVING_WORKER, solver.metafile)}`),
    },
    plugins: [bundleLazyParts(root), removeSchemasPlugin(root)],
  })
  const { metafile } = client
  mkdirSync(folder, { recursive: true })
  const first = firstFiles(metafile)
  const styles = await esbuild.build({
    ...options,
    entryPoints: ['app', 'later'],
    plugins: [bundleStyles(root, metafile)],
  })
  const files = new Map(
    [
      ...client.outputFiles.filter(({ path }) => !path.endsWith('.css')),
      ...styles.outputFiles,
      ...worker.outputFiles,
      ...solver.outputFiles,
    ].map(({ path, contents }) => /** @type {const} */ ([basename(path), contents])),
  )
  const build = createHash('sha256')
    .update([...files.keys()].join())
    .digest('hex')
    .slice(0, 12)
  for (const [name, contents] of files) write(join(folder, name), contents)
  // The font's license must accompany each copy.
  const license = createRequire(join(root, 'package.json')).resolve('@fontsource-variable/inter/LICENSE')
  replace(join(folder, 'inter-license.txt'), readFileSync(license))
  write(join(folder, 'sw.js'), await serviceWorker(esbuild, root, [...files.keys()].filter(isNotFont), build))
  // Written last, because it links the other files.
  const [style, laterStyle] = ['app', 'later'].map((entry) => builtFrom(`styles:${entry}`, styles.metafile))
  const page = shell(root, { ...first, style, laterStyle }, await earlyScript(esbuild, root), build)
  write(join(folder, 'shell.html'), Buffer.from(page))
  forget(folder, new Set(files.keys()))
  return metafile
}

/**
 * Font files are compressed already, and only pages whose reader chose the font load them.
 * @param {string} name
 */
function isNotFont(name) {
  return !name.endsWith('.woff2')
}

/** @param {string} entry @param {import('esbuild').Metafile} metafile */
function builtFrom(entry, { outputs }) {
  const [path = ''] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? []
  return basename(path)
}

/** Inlined in the page. @param {typeof import('esbuild')} esbuild @param {string} root */
async function earlyScript(esbuild, root) {
  const { outputFiles } = await esbuild.build({ ...standaloneOptions(root), entryPoints: [EARLY] })
  return outputFiles[0]?.text.trim() ?? ''
}

/** For a script that shares nothing with others. @param {string} root */
function standaloneOptions(root) {
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
 * The service worker caches these files in the browser.
 * @param {typeof import('esbuild')} esbuild @param {string} root
 * @param {readonly string[]} names of the built files @param {string} build
 */
async function serviceWorker(esbuild, root, names, build) {
  const { outputFiles } = await esbuild.build({
    ...standaloneOptions(root),
    entryPoints: ['web/src/service-worker/index.ts'],
    define: { ASSETS: JSON.stringify(names.map((name) => `/assets/${name}`)), BUILD: JSON.stringify(build) },
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

/** Modules that load languages or the font, which the first view needs. Each of these is a separate script. */
const SEPARATELY_LOADING = [
  'capabilities/appearance/state.ts',
  'kernel/strings.ts',
  'kernel/administration.ts',
  'kernel/entrance-texts.ts',
  'kernel/later-texts.ts',
  'platform/refusals.ts',
]

/** Groups of parts with their own script, such as dialogs and signed-out pages. */
const APART = [
  /\/(?:administration|settings)\.tsx?$/,
  /\/screens\/(?:entrance|spectator)\//,
  /\/screens\/search\.tsx$/,
  /\/screens\/(?:reports|triage)\.tsx$/,
  /\/parts\/whole\.tsx$/,
  /\/(?:polls|todo-lists|snippets)\/parts\//,
  /\/(?:bans|community)\//,
  /\/onboarding\//,
  /\/clips\//,
  /\/reactions\/parts\/picker\.tsx$/,
  /\/(?:parts|overlay)\/(?:[a-z-]*dialog|new-[a-z-]+|crop|report|receipts|history|source|key-map|viewer)\.tsx$/,
  /\/(?:composer|message-edits)\/|\/messages\/copying\.ts$/,
]

/**
 * Bundles everything that loads later into one script, except languages, the font, and the groups of `APART`. With one
 * script each, the parts would share different chunks with the first screen, which would then consist of 56 scripts,
 * most too short to compress.
 * @param {string} root repository root
 * @returns {import('esbuild').Plugin}
 */
function bundleLazyParts(root) {
  const source = join(root, 'web/src')
  const loading = SEPARATELY_LOADING.map((path) => join(source, path))
  return {
    name: 'later-at-once',
    setup(build) {
      const lazy = [...lazilyImported(source, loading)]
      build.onResolve({ filter: /^\./ }, ({ kind, importer, path, resolveDir }) => {
        if (kind !== 'dynamic-import' || loading.includes(importer)) return undefined
        const part = join(resolveDir, path)
        if (!lazy.includes(part))
          return { errors: [{ text: `Write this as import('${path}'), which the build finds.` }] }
        return { path: String(kindOf(part)), namespace: 'later' }
      })
      // Each group is one module with the exports of its parts, because one module per part would need a request for a
      // script that only names the group's script. It also imports all parts without a group, and the whole main script,
      // because chunks shared only with that script would otherwise become separate scripts.
      build.onLoad({ filter: /./, namespace: 'later' }, ({ path: group }) => {
        const own = lazy.filter((part) => String(kindOf(part)) === group)
        const imported = [join(root, ENTRY), ...lazy.filter((part) => kindOf(part) === undefined || own.includes(part))]
        return {
          contents: imported
            .map((part) => `import ${JSON.stringify(part)}`)
            .concat(own.map((part) => `export * from ${JSON.stringify(part)}`))
            .join('\n'),
          resolveDir: source,
          errors: exportedTwice(own).map((name) => ({
            text: `Two lazily imported modules export ${name}. Rename one: modules of a group share their names.`,
          })),
        }
      })
    },
  }
}

/** @param {readonly string[]} paths @returns names that `export *` would leave out without a warning */
function exportedTwice(paths) {
  const names = paths.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  )
  return names.filter((name, index) => names.indexOf(name) !== index)
}

/**
 * Bundles the styles of the first screen, and those of lazy parts, each in the order in which the scripts import them.
 * esbuild itself puts all styles into one file, because it loads no styles with lazy scripts.
 * @param {string} root repository root
 * @param {import('esbuild').Metafile} metafile of the client's scripts
 * @returns {import('esbuild').Plugin}
 */
function bundleStyles(root, { inputs, outputs }) {
  const all = Object.values(outputs).find(({ entryPoint }) => entryPoint === ENTRY)?.cssBundle ?? ''
  const first = new Set([ENTRY])
  for (const path of first) {
    for (const { path: imported, kind } of inputs[path]?.imports ?? [])
      if (kind === 'import-statement') first.add(imported)
  }
  const ordered = Object.keys(outputs[all]?.inputs ?? {})
  return {
    name: 'styles',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'entry-point' ? { path, namespace: 'styles' } : undefined,
      )
      build.onLoad({ filter: /./, namespace: 'styles' }, ({ path }) => ({
        contents: ordered
          .filter((style) => first.has(style) === (path === 'app'))
          .map((style) => `@import ${JSON.stringify(`./${style}`)};`)
          .join('\n'),
        loader: 'css',
        resolveDir: root,
      }))
    },
  }
}

/** @param {string} path */
function kindOf(path) {
  return APART.find((place) => place.test(path))
}

/** @param {string} source @param {readonly string[]} except files whose imports do not count */
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
 * @param {import('esbuild').Metafile} metafile
 * @returns {{ script: string, imported: readonly string[] }}
 */
function firstFiles({ outputs }) {
  const [script] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === ENTRY) ?? []
  const found = new Set(script === undefined ? [] : [script])
  for (const path of found) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') found.add(imported)
  }
  const [first = '', ...imported] = [...found].map((path) => basename(path))
  return { script: first, imported }
}

/**
 * @param {string} root
 * @param {ReturnType<typeof firstFiles> & { style?: string, laterStyle?: string }} files
 * @param {string} early inline script @param {string} build
 */
function shell(root, { script, style, laterStyle = '', imported }, early, build) {
  // Preloads make the browser fetch imports in parallel with the script.
  const preloads = imported.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`)
  return readFileSync(join(root, 'web/shell.html'), 'utf8')
    .replace('{{early}}', () => `<script>${early}</script>`)
    .replace('{{script}}', `/assets/${script}`)
    .replace('{{style}}', `/assets/${style}`)
    .replace('{{laterStyle}}', laterStyle)
    .replace('{{preloads}}', preloads.join('\n    '))
    .replace('{{build}}', build)
}

/** @param {string} path @param {Uint8Array} contents */
function write(path, contents) {
  if (contents.length >= WORTH_COMPRESSING_BYTES && isNotFont(path)) {
    replace(`${path}.gz`, gzipSync(contents, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    replace(`${path}.br`, brotliCompressSync(contents, { params }))
  }
  replace(path, contents)
}

/** @param {string} path @param {Uint8Array} contents */
function replace(path, contents) {
  writeFileSync(`${path}.new`, contents)
  renameSync(`${path}.new`, path)
}

/** Deletes files of builds that no open tab can still use. @param {string} folder @param {ReadonlySet<string>} built */
function forget(folder, built) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const isOld = existsSync(path) && statSync(path).mtimeMs < Date.now() - KEEP_MILLISECONDS
    if (isOld && !built.has(name.replace(/\.(gz|br)$/, ''))) rmSync(path)
  }
}
