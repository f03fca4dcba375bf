/* Every start runs this, so it takes only 10 to 20 ms for 2,000 files. prepare.js runs the missing steps. */
const fs = require('node:fs')

const ROOT = require('node:path').dirname(__dirname)

const OLDEST_NODE = [20, 19]
const MAIN = 'dist/main.cjs'
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

/** @param {string} root */
const isReady = (root) => isPackage(root) || (fs.existsSync(installStamp(root)) && isBuilt(root))

/** An npm package contains the built program and cannot be built. @param {string} root */
const isPackage = (root) => !fs.existsSync(`${root}/tools/prepare.js`)

/** File that records the packages for which node_modules was installed. @param {string} root */
const installStamp = (root) => `${root}/node_modules/.parley-install`

/** Checks only the files of the last build, because listing all folders takes twice as long. @param {string} root */
function isBuilt(root) {
  const stamp = readIfThere(buildStamp(root))
  if (stamp === undefined || !fs.existsSync(`${root}/${MAIN}`)) return false
  if (stamp.split('\n').every((line) => line === fileState(root, line.slice(0, line.indexOf(' '))))) return true
  // A folder's time also changes with files that are not built, such as tests.
  const now = fingerprint(root)
  if (withoutFolders(stamp) !== withoutFolders(now)) return false
  try {
    fs.writeFileSync(buildStamp(root), now)
  } catch {
    // The clone is not writable.
  }
  return true
}

/** @param {string} stamp */
const withoutFolders = (stamp) => stamp.replaceAll(/^\S*\/ .*\n/gm, '')

/** Files besides the sources that determine the packages and the program. */
const MANIFESTS = [
  'package.json',
  'package-lock.json',
  'server/package.json',
  'client/package.json',
  'web/package.json',
]

const BUILDERS = ['tools/prepare.js', 'client/build.js', 'web/build.js', 'web/shell.html']

/** File that records the sources of the build. @param {string} root */
const buildStamp = (root) => `${root}/dist/.parley-build`

/** Returns a text that changes with any file that affects node_modules or dist/. @param {string} root */
function fingerprint(root) {
  const sources = ['server/src', 'client/src', 'client/build', 'web/src'].flatMap((folder) => pathsIn(root, folder))
  return [...sources, ...BUILDERS, ...MANIFESTS].map((path) => fileState(root, path)).join('\n')
}

/** @param {string} root @param {string} path relative to root, without spaces */
function fileState(root, path) {
  const stat = fs.statSync(`${root}/${path}`, { throwIfNoEntry: false })
  return `${path} ${stat?.size} ${stat?.mtimeMs}`
}

/** Folders end with a slash. @param {string} root @param {string} folder @returns {string[]} */
function pathsIn(root, folder) {
  if (!fs.existsSync(`${root}/${folder}`)) return []
  const inside = fs.readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : pathsIn(root, path)
    return /\.test\.tsx?$/.test(path) ? [] : [path]
  })
  return [`${folder}/`, ...inside]
}

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
