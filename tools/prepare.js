/* Installs packages and builds dist/ if it is missing or stale, using only Node, because packages can be missing. */
import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import {
  buildStamp,
  codeOf,
  EMBEDDED,
  fingerprint,
  installStamp,
  isBuilt,
  MAIN,
  OLDEST_NODE,
  readIfThere,
  refuseOldNode,
  ROOT,
} from './ready.cjs'
import { run } from './run.js'

export { refuseOldNode, ROOT }

/** Age after which a lock is ignored, because the process that took it has probably died. */
const LOCK_LIMIT_SECONDS = 600
const DEPENDENCY_KINDS = ['dependencies', 'devDependencies', 'optionalDependencies']
const WEB_BUILDER = 'web/build.js'
const EMBEDDED_SOURCE = 'server/src/platform/embedded/index.ts'

/** @param {{ root?: string, build?: boolean }} [options] `build: false` only installs */
export async function prepare({ root = ROOT, build = true } = {}) {
  refuseOldNode()
  const ready = () => isInstalled(root) && (!build || isBuilt(root))
  if (ready()) return
  try {
    await withPrepareLock(root, async () => {
      if (!isInstalled(root)) await installDependencies(root)
      if (build && !isBuilt(root)) await buildBundles(root)
    })
  } catch (error) {
    if (!isUnwritable(error)) throw error
    const runnable = fs.existsSync(join(root, 'node_modules')) && (!build || fs.existsSync(join(root, MAIN)))
    if (!runnable) throw new Error(`${root} is not writable; run \`npm start\` once as its owner.`, { cause: error })
    console.error('Parley: the clone is not writable, so it runs as it was last built.')
  }
}

/** @param {string} root */
function isInstalled(root) {
  const wanted = readDependencies(root)
  if (readIfThere(installStamp(root)) === wanted.hash) return true
  // If the packages were installed manually, the stamp is missing or old.
  if (!isInSync(root, wanted.declared)) return false
  try {
    fs.writeFileSync(installStamp(root), wanted.hash)
  } catch (error) {
    if (!isUnwritable(error)) throw error
  }
  return true
}

/** Reads everything that determines the contents of node_modules. @param {string} root */
function readDependencies(root) {
  const { workspaces = [] } = readJson(join(root, 'package.json'))
  /** @type {Record<string, Record<string, unknown>>} */
  const declared = {}
  for (const folder of ['', ...workspaces]) {
    const manifest = readJson(join(root, folder, 'package.json'))
    declared[folder] = Object.fromEntries(DEPENDENCY_KINDS.map((kind) => [kind, manifest[kind] ?? {}]))
  }
  const lock = readIfThere(join(root, 'package-lock.json')) ?? ''
  return { declared, hash: hashOf(JSON.stringify(declared), lock) }
}

/** Whether the package lists match. @param {string} root @param {Record<string, Record<string, unknown>>} declared */
function isInSync(root, declared) {
  const installed = readIfThere(join(root, 'node_modules/.package-lock.json'))
  const locked = readIfThere(join(root, 'package-lock.json'))
  if (installed === undefined || locked === undefined) return false
  const have = JSON.parse(installed).packages
  const want = JSON.parse(locked).packages
  const locksDeclared = Object.entries(declared).every(([folder, kinds]) =>
    Object.entries(kinds).every(([kind, list]) => isDeepStrictEqual(want[folder]?.[kind] ?? {}, list)),
  )
  // Ignores optional packages for other systems, which npm does not install.
  const holdsLocked = Object.keys(want).every((path) =>
    path in have ? isDeepStrictEqual(have[path], want[path]) : path === '' || want[path].optional === true,
  )
  return locksDeclared && holdsLocked
}

/** @param {string} root */
async function installDependencies(root) {
  console.error('Parley: installing packages; once, about a minute …')
  // No package needs its install script. The development packages contain the builder.
  const args = 'ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error'.split(' ')
  const npm = process.env.npm_execpath ?? ''
  const inside = npm.endsWith('npm-cli.js')
  const code = await run(inside ? process.execPath : 'npm', inside ? [npm, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: !inside && process.platform === 'win32',
  })
  if (code !== 0) throw new Error('`npm ci` failed; its reason is above.')
  fs.writeFileSync(installStamp(root), readDependencies(root).hash)
}

/** @param {string} root */
async function buildBundles(root) {
  // Takes the fingerprint before the build, so that files changed during the build cause another build.
  const stamp = fingerprint(root)
  const dist = join(root, 'dist')
  const started = Date.now()
  /** @type {typeof import('esbuild')} */
  const esbuild = createRequire(join(root, 'package.json'))('esbuild')
  /** @type {import('esbuild').BuildOptions & { write: false }} */
  const options = {
    absWorkingDir: root,
    write: false,
    bundle: true,
    platform: 'node',
    // Node 20 caches compiled code of scripts, but not of modules (see `load.cjs`).
    format: 'cjs',
    define: { 'import.meta.url': '__filename' },
    supported: {
      // A script with cached code cannot import(), so it require()s external packages.
      'dynamic-import': false,
      // Otherwise, the builder would generate code that creates these regular expressions on each use.
      'regexp-unicode-property-escapes': true,
    },
    target: `node${OLDEST_NODE.join('.')}`,
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    // Omits license comments, because the packages themselves contain the licenses.
    legalComments: 'none',
    logLevel: 'warning',
  }
  const main = await esbuild.build({
    ...options,
    entryPoints: ['server/src/main.ts'],
    outfile: MAIN,
    plugins: [
      externalEmbeddedPlugin,
      externalPackagesPlugin,
      hideResponsePlugin,
      assignFieldsPlugin,
      escapeNonAsciiPlugin,
    ],
    // load.cjs distinguishes builds of equal length by the comment, and calls the function.
    banner: { js: `/* ${hashOf(stamp)} */ (function (exports, require, module, __filename) {` },
    footer: { js: '})' },
  })
  const embedded = fs.existsSync(join(root, EMBEDDED_SOURCE))
    ? await esbuild.build({ ...options, entryPoints: [EMBEDDED_SOURCE], outfile: EMBEDDED, packages: 'external' })
    : { outputFiles: [] }
  if (fs.existsSync(join(root, WEB_BUILDER))) {
    const { buildWeb } = await import(pathToFileURL(join(root, WEB_BUILDER)).href)
    await buildWeb(root, join(dist, 'web'))
  }
  // Ends the builder's service process, which would otherwise run as long as the server.
  await esbuild.stop()
  if (!main.outputFiles.every(({ path, contents }) => path.endsWith('.map') || isAscii(contents)))
    throw new Error(`${MAIN} is not ASCII`)

  const earlier = fs.existsSync(dist) ? fs.readdirSync(dist).filter((name) => /^main-|\.js(\.map)?$/.test(name)) : []
  for (const name of earlier) fs.rmSync(join(dist, name), { force: true })
  // The program is written last, and each file after its source map.
  const byLength = [...embedded.outputFiles, ...main.outputFiles].toSorted(
    (one, other) => other.path.length - one.path.length,
  )
  for (const file of byLength) replaceFile(file.path, file.contents)
  replaceFile(buildStamp(root), stamp)
  console.error(`Parley: built in ${Date.now() - started} ms.`)
}

/** Builds the database launcher separately, because it is loaded first. @type {import('esbuild').Plugin} */
const externalEmbeddedPlugin = {
  name: 'embedded-apart',
  setup(build) {
    build.onResolve({ filter: /\/embedded\/index\.ts$/ }, () => ({ path: `./${basename(EMBEDDED)}`, external: true }))
  },
}

/** Packages that load twice as fast from the bundle, are patched below, or have large unused dependencies. */
export const BUNDLED_PACKAGES = [
  'altcha-lib',
  'content-disposition',
  'find-my-way',
  'kysely',
  'linkify-it',
  'markdown-it',
  'markdown-it-cjk-friendly',
  'pg',
  'pino',
  'range-parser',
  'tar-stream',
  'zod',
]

/** Keeps all packages except our workspaces and BUNDLED_PACKAGES out of the bundle. @type {import('esbuild').Plugin} */
const externalPackagesPlugin = {
  name: 'packages-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./#]/ }, ({ path, kind, importer }) => {
      const isOurs = kind === 'entry-point' || path.startsWith('@parley/')
      // pg's native driver is optional and not installed.
      const isInside =
        path !== 'pg-native' &&
        (BUNDLED_PACKAGES.includes(path.split('/')[0] ?? '') || /[\\/]node_modules[\\/]/.test(importer))
      return isOurs || isInside ? undefined : { path, external: true }
    })
  },
}

/** Hides `Response` from pg: any access makes Node load all of fetch(). @type {import('esbuild').Plugin} */
const hideResponsePlugin = {
  name: 'without-fetch',
  setup(build) {
    build.onLoad({ filter: /[\\/]pg[\\/]lib[\\/]stream\.js$/ }, ({ path }) => ({
      contents: `const Response = undefined\n${fs.readFileSync(path, 'utf8')}`,
    }))
  },
}

/**
 * Replaces markdown-it's helper for class fields, which supports old engines, with assignments. The helper is called a
 * dozen times per token, and takes a third of the time of rendering a message with markup.
 * @type {import('esbuild').Plugin}
 */
const assignFieldsPlugin = {
  name: 'fields-assigned',
  setup(build) {
    build.onLoad({ filter: /[\\/]markdown-it[\\/]dist[\\/]markdown-it\.mjs$/ }, ({ path }) => ({
      contents: escapeNonAscii(fs.readFileSync(path, 'utf8').replace(FIELD_HELPER_CALL, 'this.$<name> = $<value>;')),
    }))
  },
}

const FIELD_HELPER_CALL =
  /\b_defineProperty\(\s*this,\s*(?:\/\*(?:[^*]|\*(?!\/))*\*\/\s*)?"(?<name>\w+)",\s*(?<value>[^()]*?)\s*\);/g

/** Escapes non-ASCII characters, which the builder keeps in regular expressions. @param {string} code */
function escapeNonAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Escapes characters in template literals: ASCII programs load faster. @type {import('esbuild').Plugin} */
const escapeNonAsciiPlugin = {
  name: 'ascii-only',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = fs.readFileSync(path)
      if (isAscii(source)) return undefined
      const { code } = await build.esbuild.transform(source, {
        loader: 'ts',
        sourcefile: basename(path),
        sourcemap: 'inline',
        supported: { 'template-literal': false },
      })
      return { contents: code, loader: 'js' }
    })
  },
}

/** Replaces a file atomically. @param {string} path @param {string | Uint8Array} contents */
function replaceFile(path, contents) {
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.writeFileSync(`${path}.new`, contents)
  fs.renameSync(`${path}.new`, path)
}

/** Runs work while no other process prepares the same clone. @param {string} root @param {() => Promise<void>} work */
async function withPrepareLock(root, work) {
  const lock = join(root, 'dist/.preparing')
  fs.mkdirSync(dirname(lock), { recursive: true })
  const deadline = Date.now() + LOCK_LIMIT_SECONDS * 1000
  while (!acquireLock(lock)) {
    const holder = Number(readIfThere(lock))
    if (holder > 0 && !isAlive(holder)) fs.rmSync(lock, { force: true })
    if (Date.now() > deadline) throw new Error(`Process ${holder} seems to prepare this clone; if not, delete ${lock}.`)
    await sleep(100)
  }
  try {
    await work()
  } finally {
    fs.rmSync(lock, { force: true })
  }
}

/** @param {string} lock */
function acquireLock(lock) {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @param {readonly string[]} texts */
function hashOf(...texts) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex')
}

/** @param {string} path */
const readJson = (path) => JSON.parse(fs.readFileSync(path, 'utf8'))

/** @param {unknown} error */
const isUnwritable = (error) => ['EACCES', 'EPERM', 'EROFS'].includes(String(codeOf(error)))
