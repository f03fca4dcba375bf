import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../server/src/version.ts'
import { BUNDLED_PACKAGES, ROOT } from './prepare.js'

/** @param {string} path */
const manifest = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

/**
 * Whether a package's range of Node versions includes a version. Supports only the formats that occur.
 * @param {string} version
 * @param {string} range
 */
function runsOn(version, range) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return range.split('||').some((one) => {
    if (one.trim() === '*') return true
    const [, sign, ...numbers] = /^(>=|\^) ?(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(one.trim().replace('.x', '')) ?? []
    if (sign === undefined) throw new Error(`unsupported range: ${range}`)
    const [wanted = 0, wantedMinor = 0, wantedPatch = 0] = numbers.map((number) => Number(number ?? 0))
    if (major !== wanted) return sign === '>=' && major > wanted
    return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch)
  })
}

const root = manifest('package.json')

describe('npm package', () => {
  const server = manifest('server/package.json')

  it('gives the packages, the program, and the latest changelog entry the same version', () => {
    const [, released] = /^## \[(\d[^\]]*)\]/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? []
    expect([root.version, manifest('package-lock.json').version]).toEqual([VERSION, VERSION])
    expect(released).toBe(VERSION)
  })

  it.each([...root.workspaces, 'web/testing'])('gives workspace %s the same version as the root package', (folder) => {
    const { name, version, dependencies = {} } = manifest(`${folder}/package.json`)
    const own = Object.entries(dependencies).filter(([dependency]) => dependency.startsWith('@parley/'))
    expect([version, ...own.map(([, wanted]) => wanted)]).toEqual([VERSION, ...own.map(() => VERSION)])
    const [lock, path] = root.workspaces.includes(folder) ? ['', folder] : [`${folder}/`, '']
    expect(manifest(`${lock}package-lock.json`).packages[path]).toMatchObject({ name, version })
  })

  it('names the current version of the client package in its README', () => {
    expect(readFileSync(join(ROOT, 'client/README.md'), 'utf8')).toContain(`dist/parley-client-${VERSION}.tgz`)
  })

  it('depends on every dependency of the server that is not bundled', () => {
    // The launcher of the database is built separately and loads the driver itself.
    const outside = Object.entries(server.dependencies).filter(
      ([name]) => name === 'pg' || !BUNDLED_PACKAGES.includes(name),
    )
    expect(root.dependencies).toEqual(Object.fromEntries(outside))
    expect(root.optionalDependencies).toEqual(server.optionalDependencies)
  })

  it('pins the previous PostgreSQL package for each platform by checksum', () => {
    const platforms = Object.keys(root.optionalDependencies)
    const major = Number.parseInt(root.optionalDependencies[platforms[0] ?? ''], 10) - 1
    const older = manifest(`server/older-postgres/${major}/package.json`)
    const { packages } = manifest(`server/older-postgres/${major}/package-lock.json`)
    expect(Object.keys(older.optionalDependencies)).toEqual(platforms)
    for (const name of platforms) {
      const { version, integrity } = packages[`node_modules/${name}`]
      expect([name, version, integrity]).toEqual([
        name,
        older.optionalDependencies[name],
        expect.stringMatching(/^sha512-/),
      ])
      expect(Number.parseInt(version, 10)).toBe(major)
    }
    for (const file of ['package.json', 'package-lock.json'])
      expect(root.files).toContain(`server/older-postgres/*/${file}`)
  })

  it('depends only on packages that run on the oldest supported Node', () => {
    const oldest = root.engines.node.replace('>=', '')
    const packages = Object.entries(manifest('package-lock.json').packages)
    const refusing = packages.flatMap(([name, { dev, engines, version }]) =>
      name === '' || dev === true || runsOn(oldest, engines?.node ?? '*')
        ? []
        : [`${name} ${version}: ${engines.node}`],
    )
    expect(refusing).toEqual([])
    expect(['>= 22.x', '^22', '>=20.20 || ^18'].filter((range) => runsOn(oldest, range))).toEqual([])
    expect(['*', '>=20', '^20.19.0', '^16 || ^18 || >=20'].filter((range) => !runsOn(oldest, range))).toEqual([])
  })

  it('packages every source file that the server loads outside its bundle', () => {
    const sources = [
      'documents/documents',
      'mail/reading',
      'markdown/emoji/names',
      'pages/serve',
      'pictures/decoder',
    ].map((name) => readFileSync(join(ROOT, `server/src/platform/${name}.ts`), 'utf8'))
    const loaded = sources.flatMap((source) =>
      Array.from(source.matchAll(/#(server\/[\w./-]+)/g), ([, path = '']) => path),
    )
    expect(loaded.length).toBeGreaterThan(sources.length)
    const beside = loaded.flatMap((path) =>
      path.endsWith('.js')
        ? [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^(?:import|export|}).* from '(\.[^']+)'/gm)].map(
            ([, to = '']) => join(dirname(path), to),
          )
        : [],
    )
    expect(beside).toContain('server/src/platform/html/encoding.js')
    for (const path of [...loaded, ...beside]) {
      expect(root.files.some((/** @type {string} */ file) => `${path}/`.startsWith(`${file}/`))).toBe(true)
    }
  })
})

describe('commands in documents', () => {
  const RUNNERS =
    /\b(?:npx|bunx|npm (?:exec|x|init|create)|pnpm (?:dlx|exec|create)|yarn (?:dlx|create))[ \t]+(?:(?:-p|--package)[ \t=]+|-\S+[ \t]+)*([@\w./-]+)/g
  const INSTALLERS = /(?:^|`|&& |sudo )(?:npm|pnpm|yarn|bun) (?:i|install|add)\b([^`\n#&|;]*)/gm
  const OWN = new Set(Object.keys({ ...root.dependencies, ...root.devDependencies }))
  const SKIPPED = new Set(['node_modules', 'dist', '.git', 'CHANGELOG.md'])

  /** Finds packages that a command would fetch, because the clone does not install them. @param {string} text */
  const fetched = (text) => [
    ...[...text.matchAll(RUNNERS)]
      .map(([, name = '']) => name)
      .filter((name) => !OWN.has(name) || !existsSync(join(ROOT, 'node_modules/.bin', name))),
    ...[...text.matchAll(INSTALLERS)].flatMap(([, rest = '']) =>
      rest
        .replace(/--prefix \S+/, '')
        .split(/\s+/)
        .filter((word) => /^@?[a-z][\w/.@-]*$/.test(word)),
    ),
  ]

  /** @param {string} folder @returns {string[]} */
  const documentsIn = (folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter(({ name }) => !SKIPPED.has(name))
      .flatMap((entry) => {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) return documentsIn(path)
        return entry.name.endsWith('.md') ? [path] : []
      })

  it('finds no command in documents that fetches a package from npm by name', () => {
    const documents = documentsIn('.')
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'client/README.md', 'docs/operating/commands.md']))
    const wrong = documents.flatMap((path) =>
      fetched(readFileSync(join(ROOT, path), 'utf8')).map((name) => `${path}: ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    '`npx parley doctor`',
    'npx --yes something',
    'npm install parley',
    'npm i -g @scope/name',
    'npm exec other',
    'npx vitest-other run',
    'npx -p other parley',
    'npx --package=other parley',
    // A package that is installed only as a dependency of others.
    'npx nanoid',
    'npm create other',
    'yarn add other',
    'pnpm add -D other',
  ])('detects a command that fetches a package: %s', (text) => {
    expect(fetched(text)).toHaveLength(1)
  })

  it.each([
    '`npx vitest run`',
    'npm install ./a.tgz',
    '`npm install` of a package',
    'npm install --prefix /opt/x /tmp/a.tgz',
  ])('accepts a command that fetches no package: %s', (text) => {
    expect(fetched(text)).toEqual([])
  })
})
