import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { MarkdownContext } from '../../server/src/platform/markdown/job.ts'
import {
  authorContext,
  CHANNELS,
  GROUPS,
  OWN_EMOJI,
  USERS,
} from '../../server/src/platform/markdown/testing/context.ts'
import { hostileText } from '../../server/src/platform/markdown/testing/hostile-text.ts'
import { renderMessage } from '../../server/src/platform/markdown/render.ts'
import { effort } from '../../server/src/testing/effort.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { Answer, FromRenderer, Lookup, RenderingSettings, ToRenderer } from '../src/kernel/rendering.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openWindow, useBrowser } from './browser.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const RENDERER_FOLDER = join(ROOT, 'server/src/platform/markdown')

/** Extracts every string from the renderer's tests: inputs, expected outputs, and names. */
function rendererTestStrings(): string[] {
  const files = readdirSync(RENDERER_FOLDER).filter((name) => name.endsWith('.test.ts'))
  const literals = files.flatMap((name) => {
    const text = readFileSync(join(RENDERER_FOLDER, name), 'utf8')
    return [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\.|\$(?!\{))*)`/g)]
  })
  return literals.map(([, quoted = '', template = '']) =>
    (quoted + template).replaceAll(/\\(?:n|(.))/g, (_, character: string | undefined) => character ?? '\n'),
  )
}

function rendererScript(): string {
  const [name] = /\/assets\/renderer-\w+\.js/.exec(readFileSync(join(ROOT, 'dist/web/sw.js'), 'utf8')) ?? []
  return name ?? ''
}

interface RenderingTask {
  readonly script: string
  readonly settings: RenderingSettings
  readonly sources: readonly string[]
  /** All names to which the author can refer, by lookup and key. */
  readonly known: readonly (readonly [lookup: Lookup, key: string, found: Answer['found']])[]
}

const KNOWN_NAMES: RenderingTask['known'] = [
  ...USERS.flatMap((user): RenderingTask['known'] => [
    ['userByName', user.full_name, user],
    ['userById', String(user.id), user],
  ]),
  ...CHANNELS.flatMap((channel): RenderingTask['known'] => [
    ['channelByName', channel.name, channel],
    ['channelById', String(channel.id), channel],
  ]),
  ...GROUPS.map((group) => ['groupByName', group.name, group] as const),
  ...OWN_EMOJI.map(({ name, ...emoji }) => ['realmEmoji', name, emoji] as const),
]

async function renderInBrowser(page: Page, task: RenderingTask): Promise<string[]> {
  return page.evaluate(async ({ script, settings, sources, known }) => {
    const worker = new Worker(script, { type: 'module' })
    const tell = (message: ToRenderer): void => worker.postMessage(message)
    const render = async (source: string): Promise<string> =>
      new Promise((resolve, reject) => {
        worker.addEventListener('error', () => reject(new Error('the worker failed')), { once: true })
        worker.addEventListener('message', function hear({ data }: MessageEvent<FromRenderer>) {
          if (data.kind === 'rendered') {
            worker.removeEventListener('message', hear)
            return resolve(data.html)
          }
          if (data.kind === 'failed') return reject(new Error('the worker failed'))
          const answers = data.questions.map(({ lookup, key }) => ({
            lookup,
            key,
            found: known.find((one) => one[0] === lookup && one[1] === key)?.[2],
          }))
          return tell({ kind: 'answers', answers })
        })
        tell({ kind: 'render', source })
      })
    tell({ kind: 'settings', settings })
    const found: string[] = []
    for (const source of sources) found.push(await render(source))
    worker.terminate()
    return found
  }, task)
}

/** Removes code highlighting, which the browser does not do. */
function removeCodeHighlighting(html: string): string {
  return html.replaceAll(
    /(<pre><span><\/span><code>)(.*?)(<\/code><\/pre><\/div>)/gs,
    (_, open: string, code: string, end: string) =>
      [open, code.replaceAll(/<span class="[^"]*">|<\/span>/g, ''), end].join(''),
  )
}

const LINKIFIERS = [
  { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example/{id}' },
  { id: 2, pattern: '(?P<word>[a-z]+)!', url_template: 'https://words.example/{word}' },
]

const MARKDOWN_SETTINGS: readonly Partial<MarkdownContext>[] = [
  {},
  { linkifiers: LINKIFIERS, imagePreviews: false },
  { translateEmoticons: true, defaultCodeLanguage: 'python' },
]

describe.skipIf(!hasBrowser)('Markdown renderer in the browser', () => {
  it('renders every text in the browser as the server does', async () => {
    const { owner } = await server().organization()
    const context = await openWindow(browser(), { bypassCSP: true })
    const page = await context.newPage()
    await page.goto(addressOf(owner, '/login'))
    const texts = rendererTestStrings()
    expect(texts.length).toBeGreaterThan(500)
    const sources = [...texts, ...fc.sample(hostileText, { numRuns: effort(1_000), seed: 1 })]
    for (const changes of MARKDOWN_SETTINGS) {
      const author = authorContext(changes)
      const { linkifiers, baseUrl, defaultCodeLanguage, translateEmoticons, imagePreviews } = author
      const settings = {
        linkifiers,
        baseUrl,
        ...(defaultCodeLanguage === undefined ? {} : { defaultCodeLanguage }),
        ...(translateEmoticons === undefined ? {} : { translateEmoticons }),
        ...(imagePreviews === undefined ? {} : { imagePreviews }),
      }
      const shown = await renderInBrowser(page, { script: rendererScript(), settings, sources, known: KNOWN_NAMES })
      const expected: string[] = []
      for (const source of sources) expected.push(removeCodeHighlighting((await renderMessage(source, author)).html))
      expect(sources.filter((_, index) => shown[index] !== expected[index])).toEqual([])
    }
  })
})
