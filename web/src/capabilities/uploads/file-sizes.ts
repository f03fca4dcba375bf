import { useEffect, useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'

const sizes = new Map<string, number>()
const MAX_SIZES = 5_000

/** Rows that are only scrolled past need no size. */
const DELAY_MILLISECONDS = 150

/** Returns the size in bytes once the server has answered, because messages lack it. */
export function useFileSize(path: string): number | undefined {
  const [, rerender] = useState({})
  useEffect(() => {
    if (sizes.has(path)) return undefined
    const aborter = new AbortController()
    const load = async (): Promise<void> => {
      const { ok, headers } = await fetch(path, { method: 'HEAD', signal: aborter.signal })
      const bytes = headers.get('content-length')
      if (!ok || bytes === null) return
      if (sizes.size >= MAX_SIZES) sizes.clear()
      sizes.set(path, Number(bytes))
      rerender({})
    }
    const timer = setTimeout(() => {
      // The row stays without a size if the request fails.
      load().catch(() => undefined)
    }, DELAY_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [path])
  return sizes.get(path)
}

const KIBIBYTE = 1_024

export function sizeText(bytes: number): string {
  const { files } = tl()
  const kibibytes = bytes / KIBIBYTE
  if (kibibytes < 1) return files.bytes(bytes)
  return kibibytes < KIBIBYTE ? files.kibibytes(Math.round(kibibytes)) : files.mebibytes(kibibytes / KIBIBYTE)
}
