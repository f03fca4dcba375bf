import { posix } from 'node:path'

/** File with a path relative to server/src. */
export interface Source {
  readonly path: string
  readonly text: string
}

const PLATFORM_TABLES: Readonly<Record<string, readonly string[]>> = {
  'platform/db': ['migrations'],
  'platform/consumers': ['consumers', 'known_consumers'],
  'platform/log': ['events', 'database_place'],
  'platform/queues': ['queues'],
  'platform/limits': ['failed_attempts'],
  'platform/moving': ['imports', 'imported_topics'],
}

export const isTest = (path: string): boolean =>
  path.endsWith('.test.ts') || path.startsWith('testing/') || /^capabilities\/[^/]+\/testing\//.test(path)
export const isContract = (path: string): boolean => /^(capabilities\/[^/]+\/)?contract(\.ts$|\/)/.test(path)
export const isZod = (target: string): boolean => /^zod(\/|$)/.test(target)

export function productionSources(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ path }) => path.endsWith('.ts') && !path.startsWith('../') && !isTest(path))
}

export function clientSources(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ path }) => /^\.\.\/\.\.\/client\/src\/(?!testing\/).*\.ts$/.test(path) && !isTest(path))
}

const LEXEMES = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

export function codeOnly(text: string): string {
  return text.replace(LEXEMES, (lexeme) => (/^\/[/*]/.test(lexeme) ? '' : lexeme))
}

export function namesOnly(text: string): string {
  return text.replace(LEXEMES, '')
}

interface Import {
  /** Path as in `Source`, or name of a package. */
  readonly target: string
  readonly typeOnly: boolean
}

export function importsOf({ path, text }: Source): Import[] {
  const source = codeOnly(text)
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

/** Returns a file and everything it imports from kernel and contracts. */
export function reachable(from: Source, byPath: ReadonlyMap<string, Source>): Source[] {
  const reached = new Set([from])
  for (const source of reached) {
    for (const { target, typeOnly } of importsOf(source)) {
      const next = typeOnly ? undefined : byPath.get(target)
      if (next !== undefined) reached.add(next)
    }
  }
  return [...reached]
}

export function capabilityOrder(sources: readonly Source[]): string[] {
  const list = codeOnly(sources.find(({ path }) => path === 'capabilities.ts')?.text ?? '')
  const imports = /^import (?:\* as (\w+)|\{ (?:\w+ as )?(\w+) \}) from '\.\/capabilities\/([\w-]+)\/index\.ts'/gm
  const folders = new Map([...list.matchAll(imports)].map(([, star, named, folder = '']) => [star ?? named, folder]))
  const names = /\bcapabilities\b[^=]*=\s*\[([^\]]*)\]/.exec(list)?.[1]?.match(/\w+/g) ?? []
  return names.map((name) => folders.get(name) ?? name)
}

export function mayImport(path: string, { target, typeOnly }: Import, order: readonly string[]): boolean {
  const [zone, name = ''] = path.split('/')
  const [targetZone, targetName = ''] = target.split('/')
  const isPackage = !target.startsWith('../') && !target.endsWith('.ts') && !target.endsWith('.json')
  if (zone === 'kernel') {
    return targetZone === 'kernel' || isZod(target) || target.startsWith('node:') || (isPackage && typeOnly)
  }
  if (zone === 'platform') return isPackage || targetZone === 'kernel' || targetZone === 'platform'
  if (zone === 'capabilities') {
    if (targetZone !== 'capabilities') return isPackage || targetZone === 'kernel' || targetZone === 'platform'
    const [kind, targetKind] = [kindOf(path), kindOf(target)]
    if (isKnowledge(kind)) return isKnowledge(targetKind) && (targetName === name || isBefore(order, targetName, name))
    return targetName === name || (order.includes(targetName) && (isKnowledge(targetKind) || targetKind === 'actions'))
  }
  return true
}

/** Returns a part such as `queries`, also for files in its folder. */
export function kindOf(path: string): string {
  return path.split('/')[2]?.replace(/\.ts$/, '') ?? ''
}

export function isKnowledge(kind: string): boolean {
  return ['contract', 'tables', 'rules', 'queries'].includes(kind)
}

export function isBefore(order: readonly string[], name: string, other: string): boolean {
  return order.includes(name) && order.indexOf(name) < order.indexOf(other)
}

export function tableOwners(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const claims = [
    ...Object.entries(PLATFORM_TABLES),
    ...sources.flatMap(({ path, text }): [string, readonly string[]][] => {
      const module = /^(capabilities\/[^/]+)\/index\.ts$/.exec(path)?.[1]
      const list = /\btables:\s*\[([^\]]*)\]/.exec(codeOnly(text))?.[1] ?? ''
      return module === undefined ? [] : [[module, list.match(/\w+/g) ?? []]]
    }),
  ]
  const owners = new Map<string, string[]>()
  for (const [module, tables] of claims) {
    for (const table of tables) owners.set(table, [...(owners.get(table) ?? []), module])
  }
  return owners
}

export function tablesWrittenIn(text: string): string[] {
  const source = codeOnly(text)
  const found = [
    ...source.matchAll(/\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*['"`](\w+)/g),
    // Shared functions for job rows (platform/jobs/pieces.ts).
    ...source.matchAll(/\b(?:beginPiece|delayPiece|putBackPiece)\(\s*tx,\s*['"`](\w+)/g),
    ...source.matchAll(/\b(?:insert\s+into|delete\s+from|merge\s+into|truncate)\s+(?:only\s+|table\s+)?"?(\w+)/gi),
    ...source.matchAll(/\bupdate\s+(?:only\s+)?"?(\w+)"?\s+(?:as\s+)?(?:\w+\s+)?set\b/gi),
  ]
  return [...new Set(found.map(([, table = '']) => table))]
}

export function containsFunction(text: string): boolean {
  return /=>|\bfunction\b|\)\s*\{/.test(namesOnly(text))
}

/** The handler is undefined if inline. */
export function routesIn(source: Source): { endpoint: string; handler: string | undefined }[] {
  if (!importsOf(source).some(({ target }) => target === 'platform/capability.ts')) return []
  const routes = /(?<![.\w])(?:command|query|direct|open)\(\s*(?:\w+\.)?(\w+),\s*(?:(?:\w+\.)?(\w+),?\s*[){])?/g
  return [...codeOnly(source.text).matchAll(routes)].map(([, endpoint = '', handler]) => ({ endpoint, handler }))
}

export function circlesAmong(sources: readonly Source[]): string[][] {
  const known = new Set(sources.map(({ path }) => path))
  const targets = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .map(({ target }) => target)
        .filter((target) => known.has(target) && target !== source.path),
    ]),
  )
  const reached = new Map([...known].map((path) => [path, reachedFrom(path, targets)]))
  const circles = new Map<string, string[]>()
  for (const [path, others] of reached) {
    if (!others.has(path)) continue
    const circle = [...others].filter((other) => reached.get(other)?.has(path) === true).toSorted()
    circles.set(circle.join(), circle)
  }
  return [...circles.values()]
}

/** Includes the file itself only if it is part of a cycle. */
function reachedFrom(path: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(targets.get(path))
  for (const next of reached) for (const target of targets.get(next) ?? []) reached.add(target)
  return reached
}

export function glossaryOf(sources: readonly Source[]): ReadonlyMap<string, string> {
  const text = sources.find(({ path }) => path.endsWith('docs/glossary.md'))?.text ?? ''
  const rows = text.matchAll(/^\| `(\w+)` +\|[^|\n]*\| `([^`\n]+)` +\|$/gm)
  return new Map([...rows].map(([, name = '', path = '']) => [name, path]))
}

/** Returns lowercase words, each also without a trailing `s`. */
export function wordsIn(name: string): string[] {
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
  return [...words, ...words.map((word) => word.replace(/s$/, ''))]
}

export function tablesReadIn(text: string, tables: ReadonlySet<string>): string[] {
  const source = codeOnly(text)
  const found = [
    ...source.matchAll(/\b(?:selectFrom|(?:inner|left|right|full|cross)Join(?:Lateral)?)\(\s*\[?['"`](\w+)/g),
    ...source.matchAll(/\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?"?(\w+)/gi),
  ]
  return [...new Set(found.map(([, table = '']) => table))].filter((table) => tables.has(table))
}

export function listedNames(name: 'reads' | 'limits', { text }: Source): string[] {
  return new RegExp(`\\b${name}:\\s*\\[([^\\]]*)\\]`).exec(codeOnly(text))?.[1]?.match(/\w+/g) ?? []
}

export function columnsDeclaredIn(sources: readonly Source[], module: string): string[] {
  const text = sources.find(({ path }) => path === `${module}/tables.ts`)?.text ?? ''
  return Array.from(codeOnly(text).matchAll(/^ {4}(\w+): \{/gm), ([, table = '']) => table)
}
