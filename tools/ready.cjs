/*
 * Whether a clone can be run as it is. Every start asks, so this takes a few milliseconds and loads nothing; prepare.js
 * does what is missing.
 */
const fs = require('node:fs')

const ROOT = require('node:path').dirname(__dirname)

const OLDEST_NODE = [20, 19]
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
 * Whether prepare.js built what is there, which it does when it has installed the packages.
 * @param {string} root
 */
const isReady = (root) => fs.existsSync(installStamp(root)) && isBuilt(root)

// ── Packages ──

/** Where is written what node_modules was installed for. @param {string} root */
const installStamp = (root) => `${root}/node_modules/.parley-install`

// ── The bundle ──

/** @param {string} root */
function isBuilt(root) {
  return readIfThere(buildStamp(root)) === fingerprint(root) && fs.existsSync(`${root}/${MAIN}`)
}

/** What the packages and the program depend on, beside the sources. */
const MANIFESTS = ['package.json', 'package-lock.json', 'server/package.json', 'client/package.json']

/** Where is written what the program was built from. @param {string} root */
const buildStamp = (root) => `${root}/dist/.parley-build`

/**
 * Changes when a file does that decides what ends up in node_modules or dist/.
 * @param {string} root
 */
function fingerprint(root) {
  const lines = [...sourceFiles(root), 'tools/prepare.js', ...MANIFESTS].map((file) => {
    const stat = fs.statSync(`${root}/${file}`, { throwIfNoEntry: false })
    return `${file} ${stat?.size} ${stat?.mtimeMs}`
  })
  return lines.join('\n')
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
  isBuilt,
  buildStamp,
  fingerprint,
  readIfThere,
  codeOf,
}
