import { useEffect, useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'

const sizesByPath = new Map<string, number>()
const MAX_CACHED_SIZES = 5_000

/** Rows that are only scrolled past need no size. */
const SIZE_REQUEST_DELAY_MILLISECONDS = 150

/** Returns the size in bytes once the server has answered, because messages lack it. */
export function useFileSize(path: string): number | undefined {
  const [, rerender] = useState({})
  useEffect(() => {
    if (sizesByPath.has(path)) return undefined
    const aborter = new AbortController()
    const load = async (): Promise<void> => {
      const { ok, headers } = await fetch(path, { method: 'HEAD', signal: aborter.signal })
      const bytes = headers.get('content-length')
      if (!ok || bytes === null) return
      if (sizesByPath.size >= MAX_CACHED_SIZES) sizesByPath.clear()
      sizesByPath.set(path, Number(bytes))
      rerender({})
    }
    const timer = setTimeout(() => {
      // The row stays without a size if the request fails.
      load().catch(() => undefined)
    }, SIZE_REQUEST_DELAY_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [path])
  return sizesByPath.get(path)
}

/** Returns the size if a list of files or the composer has already requested it. */
export function knownSize(path: string): string | undefined {
  const bytes = sizesByPath.get(path)
  return bytes === undefined ? undefined : sizeText(bytes)
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
