import { call } from '@parley/client'
import { messages } from '@parley/server/contract'
import type { KnownUpload } from '@parley/server/markdown/job'
import { sync } from '../../platform/client.ts'
import { parseInert } from '../../platform/dom/html.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** Preview of a file, or undefined to show the file itself. */
export type KnownPreview = KnownUpload | undefined

const knownPreviews = new Map<string, KnownPreview>()

/** The preview of the composer's text waits at most this long for the server. */
const PREVIEW_TIMEOUT_MILLISECONDS = 2_000

/** The server previews no more files in one message. */
const MAX_PATHS_PER_REQUEST = 24

let turn: Promise<unknown> = Promise.resolve()

/** Requests each preview only once. Only the server can create previews, so unknown ones are omitted while offline. */
export async function uploadPreviews(paths: readonly string[]): Promise<ReadonlyMap<string, KnownPreview>> {
  // One after the other, because two parts can ask for the same previews at once.
  const loaded = turn.then(async () => loadPreviews(paths))
  turn = loaded
  await loaded
  return knownPreviews
}

async function loadPreviews(paths: readonly string[]): Promise<void> {
  const unknown = paths.filter((path) => !knownPreviews.has(path))
  try {
    for (let at = 0; at < unknown.length && sync.isConnected.peek(); at += MAX_PATHS_PER_REQUEST)
      for (const [path, preview] of await fetchPreviews(unknown.slice(at, at + MAX_PATHS_PER_REQUEST)))
        knownPreviews.set(path, preview)
  } catch {
    // Ignores failures: rendering the next text requests these previews again.
  }
}

async function fetchPreviews(paths: readonly string[]): Promise<[string, KnownPreview][]> {
  const addresses = new Map(paths.map((path) => [addressOf(path), path]))
  // One paragraph for each file, because pictures appear below their paragraph.
  const content = [...addresses.keys()].map((address) => `[x](${address})`).join('\n\n')
  const signal = AbortSignal.timeout(PREVIEW_TIMEOUT_MILLISECONDS)
  const { rendered } = await call(SESSION, messages.renderContent, { content }, { signal })
  const shown = parseInert(rendered)
  return [...addresses].map(([address, path]) => [path, previewForAddress(shown, address)])
}

function addressOf(path: string): string {
  // Parentheses would end the link.
  const encoded = encodeURIComponent(path).replaceAll('%2F', '/').replaceAll('(', '%28').replaceAll(')', '%29')
  return `/user_uploads/${encoded}`
}

function previewForAddress(shown: DocumentFragment, address: string): KnownPreview {
  const links = [...shown.querySelectorAll('a')].filter((one) => one.getAttribute('href') === address)
  if (links.some((one) => one.dataset['media'] === 'audio')) return 'audio'
  const link = links.find((one) => one.closest('.message_inline_image') !== null)
  if (link === undefined) return 'none'
  if (link.querySelector('video') !== null) return 'video'
  const image = link.querySelector<HTMLImageElement>('img[data-original-dimensions]')
  if (image === null) return undefined
  const [width = 0, height = 0] = (image.dataset['originalDimensions'] ?? '').split('x').map(Number)
  return {
    src: image.getAttribute('src') ?? '',
    width,
    height,
    isAnimated: image.dataset['animated'] === 'true',
    contentType: image.dataset['originalContentType'] ?? '',
  }
}
