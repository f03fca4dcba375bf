/*
 * Whether a clone can be run as it is. Every start asks, so this takes a few milliseconds and loads next to nothing;
 * prepare.js does what is missing.
 */
const { createHash } = require('node:crypto')
const fs = require('node:fs')

const ROOT = require('node:path').dirname(__dirname)

const OLDEST_NODE = [20, 19]
const DEPENDENCY_KINDS = ['dependencies', 'devDependencies', 'optionalDependencies']
/** The program, one file. */
const MAIN = 'dist/main.cjs'
/** What starts the database server. */
const EMBEDDED = 'dist/embedded.cjs'

/** @param {string} version */
function refuseOldNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new Error(
    `Parley needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${version}. See https://nodejs.org`,
  )
}

/**
 * Whether prepare.js installed what package.json and package-lock.json ask for, and built the sources that are there.
 * @param {string} root
 */
const isReady = (root) => readIfThere(installStamp(root)) === dependencies(root).hash && isBuilt(root)

// ── Packages ──

/** Where is written what node_modules was installed for. @param {string} root */
const installStamp = (root) => `${root}/node_modules/.parley-install`

/**
 * What decides which packages belong in node_modules.
 * @param {string} root
 */
function dependencies(root) {
  const { workspaces = [] } = readJson(`${root}/package.json`)
  /** @type {Record<string, Record<string, unknown>>} */
  const declared = {}
  for (const folder of ['', ...workspaces]) {
    const manifest = readJson(`${root}/${folder}/package.json`)
    declared[folder] = Object.fromEntries(DEPENDENCY_KINDS.map((kind) => [kind, manifest[kind] ?? {}]))
  }
  const lock = readIfThere(`${root}/package-lock.json`) ?? ''
  return { declared, hash: createHash('sha256').update(JSON.stringify(declared)).update(lock).digest('hex') }
}

// ── The bundle ──

/** @param {string} root */
function isBuilt(root) {
  return readIfThere(buildStamp(root)) === fingerprint(root) && fs.existsSync(`${root}/${MAIN}`)
}

/** Where is written what the program was built from. @param {string} root */
const buildStamp = (root) => `${root}/dist/.parley-build`

/**
 * Changes when a file that may end up in dist/ does.
 * @param {string} root
 */
function fingerprint(root) {
  const hash = createHash('sha256')
  const lines = [...sourceFiles(root), 'tools/prepare.js'].map((file) => {
    const stat = fs.statSync(`${root}/${file}`, { throwIfNoEntry: false })
    return `${file} ${stat?.size} ${stat?.mtimeMs}`
  })
  return hash.update(lines.join('\n')).digest('hex')
}

/**
 * With their paths from the root.
 * @param {string} root
 */
function sourceFiles(root) {
  return ['server/src', 'client/src'].flatMap((folder) => filesIn(root, folder)).toSorted()
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(root, folder) {
  if (!fs.existsSync(`${root}/${folder}`)) return []
  return fs.readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : filesIn(root, path)
    return path.endsWith('.test.ts') ? [] : [path]
  })
}

// ── Files ──

/** @param {string} path */
function readIfThere(path) {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** @param {string} path */
const readJson = (path) => JSON.parse(fs.readFileSync(path, 'utf8'))

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && 'code' in error ? error.code : undefined)

module.exports = {
  ROOT,
  MAIN,
  EMBEDDED,
  OLDEST_NODE,
  refuseOldNode,
  isReady,
  installStamp,
  dependencies,
  isBuilt,
  buildStamp,
  fingerprint,
  readIfThere,
  codeOf,
}
