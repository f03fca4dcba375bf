/*
 * Each rule is a function from sources to violations. `architecture.test.ts` applies the rules to this tree and to
 * seeded violations. Regular expressions are sufficient for consistently formatted code; only function lengths need a
 * parser.
 */
import { functionsLongerThan } from './functions.ts'
import { outgoing } from './outgoing.ts'
import { retiredNamesIn } from './retired-words.ts'
import {
  capabilityOrder,
  circlesAmong,
  clientSources,
  codeOnly,
  columnsDeclaredIn,
  glossaryOf,
  containsFunction,
  importsOf,
  isBefore,
  isContract,
  isKnowledge,
  isTest,
  isZod,
  kindOf,
  listedNames,
  mayImport,
  namesOnly,
  productionSources,
  reachable,
  routesIn,
  tableOwners,
  tablesReadIn,
  tablesWrittenIn,
  type Source,
} from './sources.ts'
import { statementNames, typeNames } from './names.ts'

export const MAX_LINES = 400
export const MAX_FUNCTION_LINES = 80

const LONG_FILES: Readonly<Record<string, string>> = {}

const PROCESS_USERS: Readonly<Record<string, string>> = {
  'main.ts': 'reads arguments, environment, and signals',
  'capabilities/server-health/queries/index.ts': 'shows administrators the Node version',
  'platform/embedded/': 'starts, finds, and stops database processes',
  'platform/documents/worker.js': 'runs as its own process',
  'platform/pictures/worker.js': 'runs as its own process',
  'platform/files/s3/store.ts': 'suppresses a warning of the storage library about the Node version',
  'platform/log/organization-log.ts': 'waits a tick until the pool has sent a statement',
}

const FOREIGN_WRITES: readonly { module: string; table: string; reason: string }[] = [
  { module: 'platform/log', table: 'organizations', reason: 'the log assigns positions from the row it locks' },
  { module: 'platform/log', table: 'queues', reason: 'a restored database has no queues' },
  { module: 'capabilities/messages', table: 'organizations', reason: 'one statement sends a batch of messages' },
  { module: 'capabilities/messages', table: 'events', reason: 'one statement sends a batch of messages' },
  { module: 'capabilities/messages', table: 'message_flags', reason: 'one statement sends a batch of messages' },
]

/** Exceptions to the rule that passive parts read only tables of earlier capabilities. */
const READS_OF_LATER_TABLES: readonly { path: string; table: string; reason: string }[] = [
  {
    path: 'capabilities/users/queries/shared-rooms.ts',
    table: 'subscriptions',
    reason: 'people visible to limited guests are needed before channels',
  },
  {
    path: 'capabilities/users/queries/shared-rooms.ts',
    table: 'conversation_members',
    reason: 'people visible to limited guests are needed before messages',
  },
]

const FORBIDDEN_NAME = /^(utils?|helpers?|common|managers?|services?|repositor(y|ies))$/

/**
 * An action too large for one file is a folder. Its main file has the folder's name; next to it are its tests, its
 * `parts`, and the SQL `statements` that these generate.
 */
const LARGE_ACTION_FILE =
  /^(capabilities\/[^/]+\/actions\/([\w-]+)\/)((parts\/)?[\w-]+((\.generated|\.sweep)?\.test)?\.ts|statements\/[\w-]+\.sql)$/

function isLargeActionFile(path: string, sources: readonly Source[]): boolean {
  const [, folder = '', action = ''] = LARGE_ACTION_FILE.exec(path) ?? []
  return folder !== '' && sources.some((source) => source.path === `${folder}${action}.ts`)
}

const TEST_NAME = /^((contract|actions|queries|rules|jobs|consumers)\/)?[\w-]+(\.generated|\.sweep)?\.test\.ts$/

const EXPORTED_DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:class|const|function\*?|interface|type) (\w+)/gm

interface Rule {
  readonly promise: string
  violations(sources: readonly Source[]): string[]
}

export const rules = {
  imports: {
    promise: 'keeps imports within the layers and the order of capabilities',
    violations: (sources) => {
      const order = capabilityOrder(sources)
      const folders = new Set(sources.flatMap(({ path }) => /^capabilities\/([^/]+)\//.exec(path)?.[1] ?? []))
      return [
        ...[...folders].filter((name) => !order.includes(name)).map((name) => `capabilities.ts does not list ${name}`),
        ...order
          .filter((name) => !folders.has(name))
          .map((name) => `capabilities.ts lists ${name}, which has no folder`),
        ...productionSources(sources).flatMap((source) =>
          importsOf(source)
            .filter((imported) => !mayImport(source.path, imported, order))
            .map(({ target }) => `${source.path} imports ${target}`),
        ),
      ]
    },
  },

  'parts for tests': {
    promise: 'imports no test code in production code',
    violations: (sources) =>
      [...productionSources(sources), ...clientSources(sources)].flatMap((source) =>
        importsOf(source)
          .filter(({ target }) => isTest(target) || target.includes('server/src/testing/'))
          .map(({ target }) => `${source.path} imports ${target}, which is test code`),
      ),
  },

  circles: {
    promise: 'has no import cycles, not even between types',
    violations: (sources) =>
      circlesAmong(productionSources(sources)).map((paths) => `${paths.join(', ')} form an import cycle`),
  },

  browser: {
    promise: 'keeps contracts free of Node and server code',
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
    promise: 'uses process only in main.ts and listed modules',
    violations: (sources) =>
      productionSources(sources)
        .filter(({ path }) => !Object.keys(PROCESS_USERS).some((user) => path.startsWith(user)))
        .filter(({ text }) =>
          /(?<![.\w$])process\s*(\?\.|\.(?=\s*\w)|\[)|['"](node:)?process['"]|=\s*process\b/.test(codeOnly(text)),
        )
        .map(({ path }) => `${path} uses process`),
  },

  outgoing,
  typeNames,
  statementNames,

  names: {
    promise: 'allows only known kinds of files in a capability',
    violations: (sources) =>
      sources
        .filter(({ path }) => path.startsWith('capabilities/'))
        .map(({ path }) => ({ path, inside: path.split('/').slice(2).join('/') }))
        .filter(
          ({ inside }) =>
            !/^((contract|actions|queries|rules|jobs|consumers)(\/[\w-]+)?|tables|index)\.ts$/.test(inside),
        )
        .filter(({ inside }) => !TEST_NAME.test(inside))
        .filter(({ inside }) => !/^testing\/([\w-]+\.ts|(promises|additions)\.json)$/.test(inside))
        .filter(({ path }) => !isLargeActionFile(path, sources))
        .map(({ path }) => `${path} is not a file that capabilities can have`),
  },

  suites: {
    promise: 'gives tests that scale with effort the suffix .generated or .sweep',
    violations: (sources) =>
      sources
        .filter(({ path }) => /(?<!\.generated|\.sweep)\.test\.ts$/.test(path))
        .filter(({ text }) => /\b(?:effort|someOf)\(/.test(namesOnly(text)))
        .map(({ path }) => `${path} calls effort()`),
  },

  'one place for a kind': {
    promise: 'keeps each part of a capability in a file or a folder, never both',
    violations: (sources) => {
      const paths = new Set(sources.map(({ path }) => path))
      return [...paths]
        .filter((path) => /^capabilities\/[^/]+\/[^/]+\.ts$/.test(path))
        .filter((path) => [...paths].some((other) => other.startsWith(`${path.replace(/\.ts$/, '')}/`)))
        .map((path) => `${path} exists beside a folder of the same name`)
    },
  },

  length: {
    promise: `limits files to ${MAX_LINES} lines`,
    violations: (sources) => {
      const isLong = ({ text }: Source): boolean => text.trimEnd().split('\n').length > MAX_LINES
      const long = sources.filter((source) => source.path.endsWith('.ts') && isLong(source)).map(({ path }) => path)
      return [
        ...long.filter((path) => LONG_FILES[path] === undefined).map((path) => `${path} is too long`),
        ...Object.keys(LONG_FILES)
          .filter((path) => sources.some((source) => source.path === path) && !long.includes(path))
          .map((path) => `${path} is short enough: remove its exception`),
      ]
    },
  },

  functions: {
    promise: `limits functions of server and client to ${MAX_FUNCTION_LINES} lines`,
    violations: (sources) =>
      [...productionSources(sources), ...clientSources(sources)].flatMap((source) =>
        functionsLongerThan(MAX_FUNCTION_LINES, source).map(
          ({ line, lines }) => `${source.path} has a function of ${lines} lines at line ${line}`,
        ),
      ),
  },

  tables: {
    promise: 'lets only the owning capability declare, create, and write to a table',
    violations: (sources) => {
      const owners = tableOwners(sources)
      const doubled = [...owners].flatMap(([table, modules]) =>
        modules.length > 1 ? [`${table} belongs to ${modules.join(' and ')}`] : [],
      )
      const trespasses = productionSources(sources)
        .filter(({ path }) => !path.includes('/migrations/'))
        .flatMap(({ path, text }) =>
          tablesWrittenIn(text)
            .filter((table) => !owners.get(table)?.some((module) => path.startsWith(`${module}/`)))
            .filter(
              (table) => !FOREIGN_WRITES.some((write) => path.startsWith(`${write.module}/`) && write.table === table),
            )
            .map((table) => `${path} writes ${table}, which belongs to ${owners.get(table)?.[0] ?? 'no module'}`),
        )
      const undeclared = [...owners].flatMap(([table, [module = '']]) =>
        !module.startsWith('capabilities/') || columnsDeclaredIn(sources, module).includes(table)
          ? []
          : [`${module}/tables.ts does not declare ${table}`],
      )
      const unlisted = sources
        .filter(
          ({ path, text }) => /^capabilities\/[^/]+\/tables\.ts$/.test(path) && /\bmigrations\b/.test(codeOnly(text)),
        )
        .map(({ path }) => path.replace('tables.ts', 'index.ts'))
        .filter((index) => !/^ {2}migrations,$/m.test(sources.find(({ path }) => path === index)?.text ?? ''))
        .map((index) => `${index} does not list its migrations, so they never run`)
      return [...doubled, ...trespasses, ...undeclared, ...unlisted]
    },
  },

  limits: {
    promise: 'lists each limit in its capability and names it in a test',
    violations: (sources) =>
      sources.flatMap(({ path, text }) => {
        const folder = /^capabilities\/[^/]+\//.exec(path)?.[0]
        const declared = Array.from(codeOnly(text).matchAll(/^export const (\w+): Limit\b/gm), ([, name = '']) => name)
        return declared.flatMap((name) => {
          const mentions = (other: Source): boolean => new RegExp(`\\b${name}\\b`).test(namesOnly(other.text))
          const own = sources.filter((other) => folder === undefined || other.path.startsWith(folder))
          return [
            ...(own.some((other) => other.path.endsWith('/index.ts') && listedNames('limits', other).includes(name))
              ? []
              : [`${path}: no capability lists ${name}`]),
            ...(own.some((other) => isTest(other.path) && mentions(other)) ? [] : [`${path}: no test names ${name}`]),
          ]
        })
      }),
  },

  reads: {
    promise: 'lists exactly the tables of other capabilities that a capability reads',
    violations: (sources) => {
      const owners = tableOwners(sources)
      const tables = new Set(owners.keys())
      return sources.flatMap((index) => {
        const module = /^(capabilities\/[^/]+)\/index\.ts$/.exec(index.path)?.[1]
        if (module === undefined) return []
        const declared = listedNames('reads', index)
        const read = new Set(
          productionSources(sources)
            .filter(({ path }) => path.startsWith(`${module}/`))
            // A migration reads tables as they were at its time, regardless of later changes.
            .filter(({ path }) => kindOf(path) !== 'tables')
            .flatMap(({ text }) => tablesReadIn(text, tables))
            .filter((table) => owners.get(table)?.includes(module) !== true),
        )
        return [
          ...[...read]
            .filter((table) => !declared.includes(table))
            .map((table) => `${module} reads ${table} without declaring it`),
          ...declared.filter((table) => !read.has(table)).map((table) => `${module} declares but never reads ${table}`),
        ]
      })
    },
  },

  'order of reads': {
    promise: 'lets queries and rules read only tables of their own and earlier capabilities',
    violations: (sources) => {
      const owners = tableOwners(sources)
      const order = capabilityOrder(sources)
      return productionSources(sources)
        .filter(({ path }) => path.startsWith('capabilities/') && isKnowledge(kindOf(path)))
        .flatMap(({ path, text }) => {
          const name = path.split('/')[1] ?? ''
          return tablesReadIn(text, new Set(owners.keys()))
            .filter((table) => !READS_OF_LATER_TABLES.some((read) => read.path === path && read.table === table))
            .flatMap((table) => {
              const [zone, owner = ''] = owners.get(table)?.[0]?.split('/') ?? []
              const isAllowed = zone !== 'capabilities' || owner === name || isBefore(order, owner, name)
              return isAllowed ? [] : [`${path} reads ${table}, which belongs to ${owner}, a later capability`]
            })
        })
    },
  },

  errors: {
    promise: 'declares each error code that is used and tests each code of an endpoint',
    violations: (sources) => {
      const table = sources.find(({ path }) => path === 'kernel/refusal.ts')?.text ?? ''
      const entries = /\bERRORS = \{([\s\S]*?)\n\}/.exec(codeOnly(table))?.[1] ?? ''
      const known = new Set([...entries.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name))
      const tests = sources.filter(
        ({ path }) => isTest(path) && path.endsWith('.ts') && path !== 'architecture.test.ts',
      )
      const problems = productionSources(sources).flatMap(({ path, text }) => {
        const thrown = [...codeOnly(text).matchAll(/\bnew ApiError\(\s*['"]([A-Z][A-Z0-9_]*)['"]/g)]
        const declared = [...codeOnly(text).matchAll(/\berrors:\s*\[([^\]]*)\]/g)]
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

  'tables of contents': {
    promise: "keeps functions out of a capability's index.ts",
    violations: (sources) =>
      sources
        .filter(({ path, text }) => /^capabilities\/[^/]+\/index\.ts$/.test(path) && containsFunction(text))
        .map(({ path }) => `${path} contains a function`),
  },

  handlers: {
    promise: 'names each handler after its endpoint',
    violations: (sources) =>
      productionSources(sources).flatMap((source) =>
        routesIn(source)
          .filter(({ endpoint, handler }) => handler !== endpoint)
          .map(
            ({ endpoint, handler }) => `${source.path} handles ${endpoint} with ${handler ?? 'an unnamed function'}`,
          ),
      ),
  },

  glossary: {
    promise: 'declares glossary types once in the listed file and uses no retired words',
    violations: (sources) => {
      const exported = productionSources(sources).flatMap(({ path, text }) =>
        [...codeOnly(text).matchAll(EXPORTED_DECLARATION)].map(([, name = '']) => ({ name, path })),
      )
      const misplaced = [...glossaryOf(sources)].flatMap(([name, path]) => {
        const places = exported.filter((one) => one.name === name).map((one) => one.path)
        return places.join() === path
          ? []
          : [`${name} is declared in ${places.join(' and ') || 'no file'}, not in ${path} alone`]
      })
      return [...misplaced, ...productionSources(sources).flatMap(retiredNamesIn)]
    },
  },

  words: {
    promise: 'uses no vague names such as utils or helpers',
    violations: (sources) =>
      sources
        // These files are named after sections of the specification.
        .filter(({ path }) => !path.startsWith('testing/promises/'))
        .filter(({ path }) => path.split(/[/.-]/).some((word) => FORBIDDEN_NAME.test(word)))
        .map(({ path }) => `${path} has a vague name`),
  },
} satisfies Record<string, Rule>
