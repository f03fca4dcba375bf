/*
 * The rules of the house, each a function from sources to violations. architecture.test.ts applies them to this tree
 * and to planted violations. They read text, not syntax trees: enough for code that is formatted by one formatter.
 */
import { posix } from 'node:path'

export const MAX_LINES = 400

/** Files that may be longer, with the reason. */
const LONG_FILES: Readonly<Record<string, string>> = {}

/** Who may use `process`, with the reason; everything else is told what it needs. */
const PROCESS_USERS: Readonly<Record<string, string>> = {
  'main.ts': 'arguments, environment and signals enter the program here',
  'platform/embedded/': 'starts, finds and stops the processes of the database server',
  'platform/log/organization-log.ts': 'waits a tick, until the pool has sent a statement',
}

/** Tables of the platform; a capability lists its own as `tables: [...]` in its index.ts. */
const PLATFORM_TABLES: Readonly<Record<string, readonly string[]>> = {
  'platform/db': ['migrations'],
  'platform/log': ['events', 'database_place'],
  'platform/queues': ['queues'],
}

/** Writes to somebody else's table, with the reason. */
const FOREIGN_WRITES: readonly { module: string; table: string; reason: string }[] = [
  { module: 'platform/log', table: 'organizations', reason: 'the log takes its positions from the row it locks' },
  { module: 'platform/log', table: 'queues', reason: 'a restored database has no queues' },
  { module: 'capabilities/messages', table: 'organizations', reason: 'a batch of sends is one statement' },
  { module: 'capabilities/messages', table: 'events', reason: 'a batch of sends is one statement' },
  { module: 'capabilities/messages', table: 'message_flags', reason: 'a batch of sends is one statement' },
]

const FORBIDDEN_NAME = /^(utils?|helpers?|common|managers?|services?|repositor(y|ies))$/

/** A file, its path counted from server/src with forward slashes. */
export interface Source {
  readonly path: string
  readonly text: string
}

interface Rule {
  readonly promise: string
  violations(sources: readonly Source[]): string[]
}

export const rules = {
  imports: {
    promise: 'the kernel knows itself and zod, the platform the kernel, a capability those above it in the list',
    violations: (sources) => {
      const order = capabilityOrder(sources)
      const folders = new Set(sources.flatMap(({ path }) => /^capabilities\/([^/]+)\//.exec(path)?.[1] ?? []))
      return [
        ...[...folders].filter((name) => !order.includes(name)).map((name) => `capabilities.ts does not list ${name}`),
        ...order
          .filter((name) => !folders.has(name))
          .map((name) => `capabilities.ts lists ${name}, which has no folder`),
        ...production(sources).flatMap((source) =>
          importsOf(source)
            .filter((imported) => !mayImport(source.path, imported, order))
            .map(({ target }) => `${source.path} imports ${target}`),
        ),
      ]
    },
  },

  browser: {
    promise: 'a contract runs in the browser',
    violations: (sources) => {
      const byPath = new Map(sources.map((source) => [source.path, source]))
      return sources
        .filter(({ path }) => isContract(path))
        .flatMap((source) => {
          const outside = importsOf(source)
            .filter(({ target }) => !isZod(target) && !target.startsWith('kernel/') && !isContract(target))
            .map(({ target }) => `${source.path} imports ${target}`)
          const nodeUsers = reachable(source, byPath).flatMap((reached) =>
            importsOf(reached).some(({ target, typeOnly }) => target.startsWith('node:') && !typeOnly)
              ? [`${source.path} needs Node through ${reached.path}`]
              : [],
          )
          return [...outside, ...nodeUsers]
        })
    },
  },

  process: {
    promise: 'only main.ts touches the process',
    violations: (sources) =>
      production(sources)
        .filter(({ path }) => !Object.keys(PROCESS_USERS).some((user) => path.startsWith(user)))
        .filter(({ text }) => /(?<![.\w$])process\s*(\?\.|[.[])|['"](node:)?process['"]|=\s*process\b/.test(code(text)))
        .map(({ path }) => `${path} uses process`),
  },

  names: {
    promise: 'a capability has contract, actions, queries, rules, jobs, index and tests',
    violations: (sources) =>
      sources
        .filter(({ path }) => path.startsWith('capabilities/'))
        .map(({ path }) => ({ path, inside: path.split('/').slice(2).join('/') }))
        .filter(({ inside }) => !/^((contract|actions|queries|rules|jobs)(\/[\w-]+)?|index)\.ts$/.test(inside))
        .filter(({ inside }) => !/^((contract|actions|queries|rules|jobs)\/)?[\w-]+\.test\.ts$/.test(inside))
        .map(({ path }) => `${path} is none of a capability's files`),
  },

  length: {
    promise: `a file has at most ${MAX_LINES} lines`,
    violations: (sources) => {
      const isLong = ({ text }: Source): boolean => text.trimEnd().split('\n').length > MAX_LINES
      const long = sources.filter((source) => source.path.endsWith('.ts') && isLong(source)).map(({ path }) => path)
      return [
        ...long.filter((path) => LONG_FILES[path] === undefined).map((path) => `${path} is too long`),
        ...Object.keys(LONG_FILES)
          .filter((path) => sources.some((source) => source.path === path) && !long.includes(path))
          .map((path) => `${path} is short enough and needs no exception`),
      ]
    },
  },

  tables: {
    promise: 'a table is written by its owner',
    violations: (sources) => {
      const owners = tableOwners(sources)
      const doubled = [...owners].flatMap(([table, modules]) =>
        modules.length > 1 ? [`${table} belongs to ${modules.join(' and ')}`] : [],
      )
      const trespasses = production(sources)
        .filter(({ path }) => !path.includes('/migrations/'))
        .flatMap(({ path, text }) =>
          tablesWrittenIn(text)
            .filter((table) => !owners.get(table)?.some((module) => path.startsWith(`${module}/`)))
            .filter(
              (table) => !FOREIGN_WRITES.some((write) => path.startsWith(`${write.module}/`) && write.table === table),
            )
            .map((table) => `${path} writes ${table}, which belongs to ${owners.get(table)?.[0] ?? 'nobody'}`),
        )
      return [...doubled, ...trespasses]
    },
  },

  errors: {
    promise: 'an error code is declared before it is used, and tested once an endpoint declares it',
    violations: (sources) => {
      const table = sources.find(({ path }) => path === 'kernel/refusal.ts')?.text ?? ''
      const entries = /\bERRORS = \{([\s\S]*?)\n\}/.exec(code(table))?.[1] ?? ''
      const known = new Set([...entries.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name))
      const tests = sources.filter(({ path }) => isTest(path) && path !== 'architecture.test.ts')
      const problems = production(sources).flatMap(({ path, text }) => {
        const thrown = [...code(text).matchAll(/\b(?:new Refusal|refuse)\(\s*['"]([A-Z][A-Z0-9_]*)['"]/g)]
        const declared = [...code(text).matchAll(/\berrors:\s*\[([^\]]*)\]/g)]
          .flatMap(([, list = '']) => [...list.matchAll(/['"](\w+)['"]/g)])
          .map(([, name = '']) => name)
        return [
          ...[...thrown.map(([, name = '']) => name), ...declared]
            .filter((name) => !known.has(name))
            .map((name) => `${path} uses ${name}, which kernel/refusal.ts does not declare`),
          ...declared
            .filter((name) => !tests.some(({ text: test }) => new RegExp(`\\b${name}\\b`).test(test)))
            .map((name) => `${path} declares ${name}, which no test mentions`),
        ]
      })
      return [...new Set(problems)]
    },
  },

  words: {
    promise: 'nothing is called utils, helpers, common, manager, services or repositories',
    violations: (sources) =>
      sources
        // The files there are called as the sections of the specification are.
        .filter(({ path }) => !path.startsWith('testing/promises/'))
        .filter(({ path }) => path.split(/[/.-]/).some((word) => FORBIDDEN_NAME.test(word)))
        .map(({ path }) => `${path} has a name that says nothing`),
  },
} satisfies Record<string, Rule>

// ── Reading the sources ──

const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.startsWith('testing/')
const isContract = (path: string): boolean => /^(capabilities\/[^/]+\/)?contract(\.ts$|\/)/.test(path)
const isZod = (target: string): boolean => /^zod(\/|$)/.test(target)

/** The server's own code, without tests. */
function production(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ path }) => path.endsWith('.ts') && !path.startsWith('../') && !isTest(path))
}

/** The text without comments. */
function code(text: string): string {
  const lexemes = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
  return text.replace(lexemes, (lexeme) => (/^\/[/*]/.test(lexeme) ? '' : lexeme))
}

interface Import {
  /** A path as in `Source`, or the name of a package. */
  readonly target: string
  readonly typeOnly: boolean
}

function importsOf({ path, text }: Source): Import[] {
  const source = code(text)
  const found = [
    ...source.matchAll(/^(?:import|export)\s+(type\s+)?[\w\s{},*$]*?\bfrom\s*['"]([^'"]+)['"]/gm),
    ...source.matchAll(/^import()\s*['"]([^'"]+)['"]/gm),
    ...source.matchAll(/\bimport()\(\s*['"`]([^'"`]+)['"`]/g),
  ]
  return found.map(([, type = '', specifier = '']) => ({
    target: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier,
    typeOnly: type !== '',
  }))
}

/** The file and all it loads of kernel and contracts. */
function reachable(from: Source, byPath: ReadonlyMap<string, Source>): Source[] {
  const reached = new Set([from])
  for (const source of reached) {
    for (const { target, typeOnly } of importsOf(source)) {
      const next = typeOnly ? undefined : byPath.get(target)
      if (next !== undefined) reached.add(next)
    }
  }
  return [...reached]
}

/** The folders of `export const capabilities = [organizations, …]`, in that order. */
function capabilityOrder(sources: readonly Source[]): string[] {
  const list = code(sources.find(({ path }) => path === 'capabilities.ts')?.text ?? '')
  const imports = /^import (?:\* as (\w+)|\{ (?:\w+ as )?(\w+) \}) from '\.\/capabilities\/([\w-]+)\/index\.ts'/gm
  const folders = new Map([...list.matchAll(imports)].map(([, star, named, folder = '']) => [star ?? named, folder]))
  const names = /\bcapabilities\b[^=]*=\s*\[([^\]]*)\]/.exec(list)?.[1]?.match(/\w+/g) ?? []
  return names.map((name) => folders.get(name) ?? name)
}

function mayImport(path: string, { target, typeOnly }: Import, order: readonly string[]): boolean {
  const [zone, name = ''] = path.split('/')
  const [targetZone, targetName = ''] = target.split('/')
  const isPackage = !target.startsWith('../') && !target.endsWith('.ts') && !target.endsWith('.json')
  if (zone === 'kernel') {
    return targetZone === 'kernel' || isZod(target) || target.startsWith('node:') || (isPackage && typeOnly)
  }
  if (zone === 'platform') return isPackage || targetZone === 'kernel' || targetZone === 'platform'
  if (zone === 'capabilities') {
    if (targetZone !== 'capabilities') return isPackage || targetZone === 'kernel' || targetZone === 'platform'
    return targetName === name || (order.includes(targetName) && order.indexOf(targetName) < order.indexOf(name))
  }
  return true
}

/** The modules that call a table their own. */
function tableOwners(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const claims = [
    ...Object.entries(PLATFORM_TABLES),
    ...sources.flatMap(({ path, text }): [string, readonly string[]][] => {
      const module = /^(capabilities\/[^/]+)\/index\.ts$/.exec(path)?.[1]
      const list = /\btables:\s*\[([^\]]*)\]/.exec(code(text))?.[1] ?? ''
      return module === undefined ? [] : [[module, list.match(/\w+/g) ?? []]]
    }),
  ]
  const owners = new Map<string, string[]>()
  for (const [module, tables] of claims) {
    for (const table of tables) owners.set(table, [...(owners.get(table) ?? []), module])
  }
  return owners
}

/** Through Kysely or in SQL. */
function tablesWrittenIn(text: string): string[] {
  const source = code(text)
  const found = [
    ...source.matchAll(/\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*['"`](\w+)/g),
    ...source.matchAll(/\b(?:insert\s+into|delete\s+from|merge\s+into|truncate)\s+(?:only\s+|table\s+)?"?(\w+)/gi),
    ...source.matchAll(/\bupdate\s+(?:only\s+)?"?(\w+)"?\s+(?:as\s+)?(?:\w+\s+)?set\b/gi),
  ]
  return [...new Set(found.map(([, table = '']) => table))]
}
