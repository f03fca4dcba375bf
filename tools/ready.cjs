/*
 * Whether a clone can be run as it is. Every start asks, so this takes ten to twenty milliseconds for two thousand files and loads nothing; prepare.js
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
const isReady = (root) => isPackage(root) || (fs.existsSync(installStamp(root)) && isBuilt(root))

/**
 * Whether npm installed this as a package, which has the built program and nothing to build it with.
 * @param {string} root
 */
const isPackage = (root) => !fs.existsSync(`${root}/tools/prepare.js`)

// ── Packages ──

/** Where is written what node_modules was installed for. @param {string} root */
const installStamp = (root) => `${root}/node_modules/.parley-install`

// ── The bundle ──

/**
 * Looks at what the last build was of, as listing the folders again takes twice as long: where a file came or went, the
 * folder changed.
 * @param {string} root
 */
function isBuilt(root) {
  const stamp = readIfThere(buildStamp(root))
  if (stamp === undefined || !fs.existsSync(`${root}/${MAIN}`)) return false
  if (stamp.split('\n').every((line) => line === stateOf(root, line.slice(0, line.indexOf(' '))))) return true
  // A folder also changes with what is not built, such as a test.
  const now = fingerprint(root)
  if (ofFiles(stamp) !== ofFiles(now)) return false
  try {
    fs.writeFileSync(buildStamp(root), now)
  } catch {
    // The clone is not ours to write, and the next start looks as long.
  }
  return true
}

/** @param {string} stamp */
const ofFiles = (stamp) => stamp.replaceAll(/^\S*\/ .*\n/gm, '')

/** What the packages and the program depend on, beside the sources. */
const MANIFESTS = [
  'package.json',
  'package-lock.json',
  'server/package.json',
  'client/package.json',
  'web/package.json',
]

/** What decides how the program and the web client are built. */
const BUILDERS = ['tools/prepare.js', 'client/build.js', 'web/build.js', 'web/shell.html']

/** Where is written what the program was built from. @param {string} root */
const buildStamp = (root) => `${root}/dist/.parley-build`

/**
 * Changes when a file does that decides what ends up in node_modules or dist/.
 * @param {string} root
 */
function fingerprint(root) {
  const sources = ['server/src', 'client/src', 'client/build', 'web/src'].flatMap((folder) => pathsIn(root, folder))
  return [...sources, ...BUILDERS, ...MANIFESTS].map((path) => stateOf(root, path)).join('\n')
}

/**
 * @param {string} root
 * @param {string} path from there, without spaces
 */
function stateOf(root, path) {
  const stat = fs.statSync(`${root}/${path}`, { throwIfNoEntry: false })
  return `${path} ${stat?.size} ${stat?.mtimeMs}`
}

/**
 * A folder, with a slash at the end, and all in it, with their paths from the root.
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function pathsIn(root, folder) {
  if (!fs.existsSync(`${root}/${folder}`)) return []
  const inside = fs.readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : pathsIn(root, path)
    return /\.test\.tsx?$/.test(path) ? [] : [path]
  })
  return [`${folder}/`, ...inside]
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
