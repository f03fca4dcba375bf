import { useEffect, useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import { fileType } from './state.ts'

const sizesByPath = new Map<string, number>()
const MAX_CACHED_SIZES = 5_000

/** Rows that are only scrolled past need no size. */
const SIZE_REQUEST_DELAY_MILLISECONDS = 150

/** Returns the size in bytes once the server has answered, because messages lack it. */
export function useFileSize(path: string): number | undefined {
  const [, rerender] = useState({})
  useEffect(() => (sizesByPath.has(path) ? undefined : requestSize(path, () => rerender({}))), [path])
  return sizesByPath.get(path)
}

/** @returns a function that ends the request */
function requestSize(path: string, onSize: (bytes: number) => void): () => void {
  const aborter = new AbortController()
  const load = async (): Promise<void> => {
    const { ok, headers } = await fetch(path, { method: 'HEAD', signal: aborter.signal })
    const bytes = headers.get('content-length')
    if (!ok || bytes === null) return
    if (sizesByPath.size >= MAX_CACHED_SIZES) sizesByPath.clear()
    sizesByPath.set(path, Number(bytes))
    onSize(Number(bytes))
  }
  const timer = setTimeout(() => {
    // The row stays without a size if the request fails.
    load().catch(() => undefined)
  }, SIZE_REQUEST_DELAY_MILLISECONDS)
  return () => {
    clearTimeout(timer)
    aborter.abort()
  }
}

const requestsByLink = new WeakMap<Element, () => void>()

/** Requests the sizes of files in view only, because most messages of a conversation are never seen. */
const linksInView = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) {
    requestsByLink.get(target)?.()
    if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue
    const end = requestSize(target.pathname, (bytes) => {
      linksInView.unobserve(target)
      showSize(target, bytes)
    })
    requestsByLink.set(target, end)
  }
})

/** Adds the size to the type beside a link, at once if it is known, or else while the link is in view. */
export function showSizeOf(link: HTMLAnchorElement): void {
  const known = sizesByPath.get(link.pathname)
  if (known === undefined) linksInView.observe(link)
  else showSize(link, known)
}

function showSize(link: HTMLAnchorElement, bytes: number): void {
  link.dataset['type'] = [fileType(link.pathname), sizeText(bytes)].filter(Boolean).join(' · ')
}

const BYTES_PER_KIBIBYTE = 1_024

export function sizeText(bytes: number): string {
  const { files } = tl()
  const kibibytes = bytes / BYTES_PER_KIBIBYTE
  if (kibibytes < 1) return files.bytes(bytes)
  return kibibytes < BYTES_PER_KIBIBYTE
    ? files.kibibytes(Math.round(kibibytes))
    : files.mebibytes(kibibytes / BYTES_PER_KIBIBYTE)
}
