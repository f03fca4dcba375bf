import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadLaterTexts } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { LoadFailure, LoadingRows } from '../list/states.tsx'
import { toast } from '../overlay/toasts.tsx'

/** @param otherwise rendered while the component loads; must not use hooks */
export function lazily<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  otherwise: () => ComponentChildren = () => <LoadingRows rows={1} />,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined
  return function Lazy(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(loaded === undefined ? 'loading' : 'loaded')
    useEffect(() => {
      if (state !== 'loading') return
      loadPart(load()).then(
        (component) => {
          loaded = component
          setState('loaded')
        },
        () => setState('failed'),
      )
    }, [state])
    // Calls the component, so that elements shared with the placeholder, such as a header, keep their focus.
    if (loaded !== undefined) return loaded(props)
    return state === 'failed' ? <LoadFailure again={() => setState('loading')} /> : otherwise()
  }
}

/** Runs code from a chunk that loads on first use, which can fail offline. @param otherwise called if loading fails */
export async function withPart<Part>(
  loading: Promise<Part>,
  run: (part: Part) => void,
  otherwise: () => void = () => toast(t().errors.network),
): Promise<void> {
  let part: Part
  try {
    part = await loadPart(loading)
  } catch {
    otherwise()
    return
  }
  run(part)
}

/** Waits for a lazily imported part, and for the texts and styles that all such parts share. */
export async function loadPart<Part>(loading: Promise<Part>): Promise<Part> {
  const [part] = await Promise.all([loading, loadLaterTexts(), loadLaterStyles()])
  return part
}

let laterStyles: Promise<void> | undefined

async function loadLaterStyles(): Promise<void> {
  laterStyles ??= new Promise((resolve, reject) => {
    const name = document.querySelector<HTMLMetaElement>('meta[name="parley-later-style"]')?.content ?? ''
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `/assets/${name}` })
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      laterStyles = undefined
      reject(new Error('the styles could not be loaded'))
    })
    document.head.append(link)
  })
  return laterStyles
}
