import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as contracts from '../../server/src/contract.ts'
import type { Endpoint } from '../../server/src/kernel/endpoint.ts'
import { functionsLongerThan } from '../../server/src/testing/architecture/functions.ts'
import { retiredNamesIn } from '../../server/src/testing/architecture/retired-words.ts'
import { MAX_FUNCTION_LINES, MAX_LINES, rules } from '../../server/src/testing/architecture/rules.ts'
import { circlesAmong } from '../../server/src/testing/architecture/sources.ts'

const SOURCE_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../src')

/** Layers, lowest first. Each can import itself and the layers before it. */
const LAYERS = ['strings', 'kernel', 'platform', 'capabilities', 'screens'] as const

/** Files of UI strings can be longer than code, because strings are looked up by key, not read from top to bottom. */
const MAX_STRINGS_FILE_LINES = 1_500

const RESTRICTED_APIS: readonly { readonly what: RegExp; readonly files: readonly string[]; readonly why: string }[] = [
  {
    what: /\b(innerHTML|outerHTML|insertAdjacentHTML|createHTML|DOMParser|document\.write)\b/,
    files: ['platform/dom/html.ts'],
    why: 'handles HTML outside platform/dom/html.ts',
  },
  {
    what: /\b(localStorage|sessionStorage|document\.cookie)\b/,
    // Data that IndexedDB cannot hold: the theme and the build with stored state are read before it opens, the return
    // address belongs to one tab, and refusals of notifications must outlast a sign-out.
    files: [
      'capabilities/appearance/looks.ts',
      'capabilities/notifications/asking.tsx',
      'platform/return-address.ts',
      'platform/sync/build-with-state.ts',
    ],
    why: 'uses storage that scripts can read',
  },
  { what: /\bindexedDB\b|from 'idb'/, files: ['platform/cache.ts'], why: 'opens IndexedDB' },
  { what: /\beval\(|new Function\(/, files: [], why: 'evaluates text as code' },
  {
    what: /type="password"/,
    files: ['platform/dom/password-field.tsx'],
    why: 'has a password field without a button that shows the password',
  },
  { what: /https?:\/\//, files: [], why: 'names another host' },
]

/** Endpoints that require a confirmation only for some parameters. */
const SOMETIMES_CONFIRMED_ENDPOINTS = ['createInviteLink', 'updateBot', 'updateSettings', 'updateUser']

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'errors' in value && 'path' in value
}

function readSources(): ReadonlyMap<string, string> {
  const paths = readdirSync(SOURCE_FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(paths.map((path) => [relative(SOURCE_FOLDER, path), readFileSync(path, 'utf8')]))
}

function findViolations(files: ReadonlyMap<string, string>): string[] {
  const circles = circlesAmong([...files].map(([path, text]) => ({ path, text })))
  const ofEach = [...files].flatMap(([path, text]) => [
    ...findUpwardImports(path, text),
    ...RESTRICTED_APIS.filter(({ what, files: doors }) => what.test(text) && !doors.includes(path)).map(
      ({ why }) => `${path} ${why}`,
    ),
    ...findHardCodedTexts(path, text),
    ...retiredNamesIn({ path, text }),
    ...(text.split('\n').length > maxLines(path) ? [`${path} is longer than ${maxLines(path)} lines`] : []),
    ...functionsLongerThan(MAX_FUNCTION_LINES, { path, text }).map(
      ({ line, lines }) => `${path} has a function of ${lines} lines at line ${line}`,
    ),
  ])
  const typeNames = rules.typeNames.violations([...files].map(([path, text]) => ({ path, text })))
  return [...circles.map((paths) => `${paths.join(', ')} form an import cycle`), ...ofEach, ...typeNames]
}

function maxLines(path: string): number {
  return path.startsWith('strings/') ? MAX_STRINGS_FILE_LINES : MAX_LINES
}

function layerOf(path: string): number {
  return LAYERS.findIndex((layer) => path.startsWith(`${layer}/`))
}

function findUpwardImports(path: string, text: string): string[] {
  const own = layerOf(path)
  // Files outside the layers may import all of them.
  if (own === -1) return []
  return [...text.matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm)].flatMap(
    ([, from, lazily]) => {
      const target = relative('.', join(dirname(path), from ?? lazily ?? ''))
      return layerOf(target) > own ? [`${path} imports ${target}`] : []
    },
  )
}

/** Finds hard-coded text in markup and attributes; text belongs in the UI strings. */
function findHardCodedTexts(path: string, text: string): string[] {
  if (!path.endsWith('.tsx')) return []
  const found = [
    ...text.matchAll(/(?:aria-label|title|placeholder|alt)="([^"]*\p{L}[^"]*)"/gu),
    ...text.matchAll(/^\s*>?\s*(\p{Lu}\p{Ll}+ [\p{L} ]+)\s*<?\/?.*$/gmu),
  ]
  return found
    .filter(([line]) => !/^\s*(\/?\*|\/\/|import|export|return|const|const|type)/.test(line) && !line.includes('*/'))
    .map(([, words]) => `${path} contains the text “${words ?? ''}”`)
}

describe('web client sources', () => {
  it('follows the rules for layers, file sizes, and restricted APIs', () => {
    const files = readSources()
    expect(files.size).toBeGreaterThan(50)
    expect(findViolations(files)).toEqual([])
  })

  it('detects an import cycle, including a cycle through type imports', () => {
    const circle = new Map([
      ['screens/x.tsx', "import type { Y } from './y.tsx'"],
      ['screens/y.tsx', "import { x } from './x.tsx'"],
    ])
    expect(findViolations(circle)).toEqual(['screens/x.tsx, screens/y.tsx form an import cycle'])
  })

  it('implements every command and action that a preset assigns keys to', () => {
    const files = readSources()
    const presets = files.get('platform/keys/choices.ts') ?? ''
    const named = [...presets.matchAll(/^ {4}'?([\w.]+)'?: \[/gm)].map(([, id]) => id)
    const others = [...files].filter(([path]) => path.startsWith('capabilities/')).map(([, text]) => text)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((id) => !others.some((text) => text.includes(`'${id}'`)))).toEqual([])
  })

  it('calls each endpoint that always requires confirmation through `withConfirmation`', () => {
    const required = new Set<string>()
    for (const endpoint of Object.values(contracts).flatMap((contract) => Object.values<unknown>(contract))) {
      if (!isEndpoint(endpoint) || !endpoint.errors.includes('CONFIRMATION_REQUIRED')) continue
      if (!SOMETIMES_CONFIRMED_ENDPOINTS.includes(endpoint.id)) required.add(endpoint.id)
    }
    const calls = [...readSources()].flatMap(([path, text]) =>
      [...text.matchAll(/\b(?:call|ask)\((?:SESSION, )?\w+\.(\w+)/g)]
        .filter(([, id = '']) => required.has(id))
        .map(({ index, 1: id }) => ({
          name: `${path}: ${id}`,
          isRepeated: text.slice(Math.max(index - 60, 0), index).includes('withConfirmation('),
        })),
    )
    expect(calls.length).toBeGreaterThan(15)
    expect(calls.filter(({ isRepeated }) => !isRepeated).map(({ name }) => name)).toEqual([])
  })

  it.each([
    ['kernel/time.ts', "import { store } from '../platform/client.ts'", 'kernel/time.ts imports platform/client.ts'],
    [
      'capabilities/flags/index.ts',
      "import { Inbox } from '../../screens/inbox.tsx'",
      'capabilities/flags/index.ts imports screens/inbox.tsx',
    ],
    [
      'platform/keys.ts',
      "const later = import('../capabilities/users/state.ts')",
      'platform/keys.ts imports capabilities/users/state.ts',
    ],
    ['screens/x.tsx', 'element.innerHTML = html', 'screens/x.tsx handles HTML outside platform/dom/html.ts'],
    ['platform/x.ts', "localStorage.setItem('key', key)", 'platform/x.ts uses storage that scripts can read'],
    ['platform/x.ts', "import { openDB } from 'idb'", 'platform/x.ts opens IndexedDB'],
    ['kernel/x.ts', 'eval(text)', 'kernel/x.ts evaluates text as code'],
    [
      'screens/x.tsx',
      '<input type="password" />',
      'screens/x.tsx has a password field without a button that shows the password',
    ],
    ['screens/x.tsx', 'fetch("https://example.com")', 'screens/x.tsx names another host'],
    ['screens/x.tsx', '<button aria-label="Close">', 'screens/x.tsx contains the text “Close”'],
    ['screens/x.tsx', '<p>\n  Nothing here\n</p>', 'screens/x.tsx contains the text “Nothing here”'],
    ['screens/x.tsx', 'interface Told {}', 'screens/x.tsx has a type named Told'],
    ['screens/x.tsx', 'const tellTabs = open()', 'screens/x.tsx has a name with tell: write notify, send, or report'],
    ['screens/x.tsx', 'const EARLY_LIMIT = 1', 'screens/x.tsx has a name with early: write prefetched'],
    ['screens/x.tsx', 'x\n'.repeat(401), 'screens/x.tsx is longer than 400 lines'],
    ['strings/en/x.ts', 'x\n'.repeat(1_501), 'strings/en/x.ts is longer than 1500 lines'],
    [
      'screens/x.tsx',
      `\nfunction X() {\n${'  x()\n'.repeat(79)}}\n`,
      'screens/x.tsx has a function of 81 lines at line 2',
    ],
  ])('detects a violation in %s: %s', (path, text, violation) => {
    expect(findViolations(new Map([[path, text]]))).toContain(violation)
  })
})
