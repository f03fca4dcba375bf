/*
 * Requires linear time of every regular expression: inputs can be 2 MiB long, and an expression that restarts at each
 * character would block the event loop for minutes. Checks each expression statically and on hostile input.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES } from './platform/http/body.ts'
import type { Source } from './testing/architecture/sources.ts'
import { effort, someOf } from './testing/effort.ts'
import { superlinearReason, expressionsIn } from './testing/expressions.ts'

const SERVER = import.meta.dirname
const ROOT = join(SERVER, '../..')

function productionSources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(SERVER, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }))
    .filter(({ path }) => !/(^|\/)testing\//.test(path))
}

const { expressions, made } = expressionsIn(
  [SERVER, join(ROOT, 'client/src'), join(ROOT, 'bin')].flatMap(productionSources),
)

/** Examples of expressions built at run time, or the reason why they need no check. */
const RUN_TIME_EXPRESSIONS: Readonly<Record<string, readonly RegExp[] | string>> = {
  'kernel/characters.ts': [
    /(?<=[\p{Script=Arabic}\p{Script=Bengali}])[\u200C\u200D](?=[\p{Script=Arabic}\p{Script=Bengali}])/gu,
  ],
  'capabilities/bot-commands/rules.ts': [/^[a-z0-9_-]{1,32}$/, /^\/([a-z0-9_-]{1,32})(?!\S)/],
  'platform/markdown/extensions/emoji.ts': [
    /\p{Regional_Indicator}{2}|[0-9#*]\uFE0F\u20E3|\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?[\u{E0020}-\u{E007F}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)*/gu,
  ],
  'kernel/words.ts': [
    /(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Lana}\p{sc=Tale}\p{sc=Talu}\p{sc=Tavt}])[\p{L}\p{Nd}\p{Nl}]/u,
    /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Lana}\p{sc=Tale}\p{sc=Talu}\p{sc=Tavt}]/u,
  ],
  'kernel/search-terms.ts': [
    /([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Lana}\p{sc=Tale}\p{sc=Talu}\p{sc=Tavt}][\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Lana}\p{sc=Tale}\p{sc=Talu}\p{sc=Tavt}\p{M}]*)|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Lana}\p{sc=Tale}\p{sc=Talu}\p{sc=Tavt}]+/gu,
    /[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Lana}\p{sc=Tale}\p{sc=Talu}\p{sc=Tavt}]+/gu,
  ],
  'platform/markdown/extensions/links.ts':
    'is tried at one place of a text, on eleven labels of 63 characters at most, or repeats unlike characters',
  'platform/embedded/processes.ts': 'reads the command lines of processes of this machine',
  'platform/embedded/account.ts': 'reads the list of users of this machine',
  'platform/http/names.ts': [
    /(?<=[{,])"(client_external_avatar|service_version)":/g,
    /(?<=[{,]"notification_sound":)"(?:service)"|(?<=[{,]"code":)"(?:INVALID_SERVICE_SERVER)"/g,
    /\b(?:client_external_avatar|service_version)\b/g,
  ],
  'platform/http/routing.ts': [
    /^(?:\/api\/v1)?\/[^/?#]*/,
    /^\/api\/v1\/users\/[^/]+\/subscriptions\/\d+$/,
    /^\/api\/v1\/user_uploads\/\d+\/.+$/,
  ],
}

const listed = Object.entries(RUN_TIME_EXPRESSIONS).flatMap(([path, some]) =>
  typeof some === 'string' ? [] : some.map(({ source, flags }) => ({ path, source, flags })),
)
const all = [...expressions, ...listed]

describe('regular expressions', () => {
  it('lists every regular expression that is built at run time', () => {
    const makers = made.map(({ path }) => path)
    expect(makers.filter((path) => RUN_TIME_EXPRESSIONS[path] === undefined)).toEqual([])
    const unlisted = Object.entries(RUN_TIME_EXPRESSIONS)
      .filter(([, some]) => typeof some !== 'string')
      .filter(([path, some]) => makers.filter((one) => one === path).length > some.length)
    expect(unlisted).toEqual([])
  })

  it('contains only regular expressions that match in linear time', () => {
    expect(all.length).toBeGreaterThan(100)
    expect(
      all.flatMap((one) =>
        superlinearReason(one) === undefined ? [] : [`${one.path}: ${String(superlinearReason(one))}`],
      ),
    ).toEqual([])
  })

  it.each([/ +$/, /a*b*a*c/, /^(?:x*)*y/, /<([a-z]+)[^>]*>/, /,[^"]*"/])(
    'detects the nonlinear regular expression %s',
    (planted) => {
      expect(superlinearReason(planted)).toMatch(/^\/.*\/ rescans a text that repeats /)
    },
  )

  it(
    'matches every regular expression quickly against texts as long as a request can be',
    async () => {
      const tasks = all.map((one) => ({ ...one, units: someOf(hostileUnits(one.source)) }))
      expect(await findSlowExpression(tasks)).toBeUndefined()
    },
    TEST_TIMEOUT_MILLISECONDS,
  )

  it('reports a regular expression that takes too long to match', async () => {
    const planted = { path: 'planted.ts', source: '^(?:ab)*(?:ab)*$', flags: '', units: ['ab'] }
    expect(await findSlowExpression([planted], PLANTED_PATIENCE_MILLISECONDS)).toBe(
      'planted.ts: /^(?:ab)*(?:ab)*$/ on "ab"',
    )
  })
})

/** Returns characters and words in the expression, and pairs of them. */
function hostileUnits(source: string): string[] {
  const characters = [...new Set(source.replace(/\\[a-z]|[()?|]/gi, ' '))]
  const words = source.match(/[A-Za-z]{2,}/g) ?? []
  const pairs = characters.map((character, index) => `${character}${characters[index + 1] ?? ' '}`)
  return [...new Set([...characters, ...words, ...(/\)[*+{]/.test(source) ? pairs : []), 'a', '0', 'a0 '])]
}

interface Task {
  readonly path: string
  readonly source: string
  readonly flags: string
  readonly units: readonly string[]
}

/** A linear expression takes milliseconds, a quadratic one an hour. */
const PATIENCE_MILLISECONDS = 20_000
const PLANTED_PATIENCE_MILLISECONDS = 1_500
const TEST_TIMEOUT_MILLISECONDS = 300_000

/** JavaScript, because Node 20 cannot run TypeScript in a thread. */
const RUNNER = `
  const { parentPort, workerData: { tasks, characters } } = require('node:worker_threads')
  for (const { path, source, flags, units } of tasks) {
    const expression = new RegExp(source, flags.replace('y', ''))
    for (const unit of units) {
      parentPort.postMessage(path + ': /' + source + '/' + flags + ' on ' + JSON.stringify(unit))
      const text = unit.repeat(characters / unit.length) + '\\n\\0'
      if (expression.global) text.replace(expression, '')
      else expression.exec(text)
    }
  }
  parentPort.postMessage(undefined)`

/** @returns the current task if an input takes too long */
async function findSlowExpression(
  tasks: readonly Task[],
  patience = PATIENCE_MILLISECONDS,
): Promise<string | undefined> {
  const worker = new Worker(RUNNER, { eval: true, workerData: { tasks, characters: effort(MAX_BODY_BYTES) } })
  let at: string | undefined = 'nothing yet'
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (message: string | undefined) => {
        at = message
        clearTimeout(timer)
        timer = setTimeout(resolve, patience)
      })
      worker.on('error', (error) => reject(new Error(`${String(at)}: ${String(error)}`)))
      worker.on('exit', () => resolve())
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
  return at
}
