import { call } from '@parley/client'
import { messages } from '@parley/server/contract'
import type { UploadPreview } from '@parley/server/markdown/job'
import { sync } from '../../platform/client.ts'
import { inert } from '../../platform/dom/html.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** What is shown in place of a picture; `none` for what turned out to be no picture, undefined where the file itself is shown. */
type Shown = UploadPreview | 'none' | undefined

/** By the path ids of the files. */
const known = new Map<string, Shown>()

/** A text that is being written does not wait longer for them. */
const PATIENCE_MILLISECONDS = 2_000

/**
 * What messages show of uploaded files. Only the server knows that, and is asked once for each; without a connection it is
 * unknown what others are shown.
 */
export async function uploadPreviews(paths: readonly string[]): Promise<ReadonlyMap<string, Shown>> {
  const unknown = paths.filter((path) => !known.has(path))
  if (unknown.length > 0 && sync.isConnected.peek()) {
    try {
      for (const [path, preview] of await fetchPreviews(unknown)) known.set(path, preview)
    } catch {
      // They are asked for again with the next text that has them.
    }
  }
  return known
}

async function fetchPreviews(paths: readonly string[]): Promise<[string, Shown][]> {
  const addresses = new Map(paths.map((path) => [addressOf(path), path]))
  // Each in a paragraph of its own, since pictures stand below the paragraph that names them.
  const content = [...addresses.keys()].map((address) => `[x](${address})`).join('\n\n')
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS)
  const { rendered } = await call(SESSION, messages.renderContent, { content }, { signal })
  const shown = inert(rendered)
  return [...addresses].map(([address, path]) => [path, previewIn(shown, address)])
}

function addressOf(path: string): string {
  // Parentheses would end the link.
  const encoded = encodeURIComponent(path).replaceAll('%2F', '/').replaceAll('(', '%28').replaceAll(')', '%29')
  return `/user_uploads/${encoded}`
}

function previewIn(shown: DocumentFragment, address: string): Shown {
  const links = [...shown.querySelectorAll('.message_inline_image a')]
  const link = links.find((one) => one.getAttribute('href') === address)
  if (link === undefined) return 'none'
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
